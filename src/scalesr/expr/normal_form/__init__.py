"""Formulas as sums of coefficient x product of powers, with rules for open constants.

form.py       the three nouns: Form (a sum), Monomial (a product of powers), Atom (a base)
numbers.py    coefficients and exponents, which are numbers or open
monomials.py  products of powers without any rule beyond adding exponents
sums.py       addition: like terms, and what several terms of one sum imply together
spans.py      linear spaces of functions: the terms that open constants multiply
trigonometry.py  sin^2 + cos^2 = 1 inside a sum
rational.py   closed fractions: division by the denominator, partial fractions
groups.py     sums as factors: common factor, leading coefficient, free scale
products.py   multiplication and integer powers
powers.py     real and open powers
functions.py  exp, log, sin and the other operators
build.py      Expression -> Form
readable.py   Form -> Expression
"""
