"""Formulas as sums of coefficient x product of powers, with rules for open constants.

form.py             the three nouns: Form (a sum), Monomial (a product of powers), Atom (a base)
numbers.py          coefficients and exponents, which are numbers or open
monomials.py        products of powers without any rule beyond adding exponents
groups.py           sums as factors: common factor, leading coefficient
trigonometry.py     sin^2 + cos^2 = 1 inside a sum
spans.py            linear spaces of functions: what open coefficients multiply
sums.py             addition: like terms, and what several terms of one sum imply together
rational.py         closed fractions: division, partial fractions
closed_products.py  products, whole powers and exact roots of closed sums
products.py         products with open constants: scales that are free, sums that may be multiplied out
powers.py           real and open powers
functions.py        exp, log, sin and the other operators
build.py            Expression -> Form
pieces.py           formulas as tuples of postfix nodes, cheap to join and to compare
factoring.py        a closed sum as a product plus a rest
spellings.py        a term with its number taken into one of its factors
readable.py         Form -> Expression
"""
