"""The numbers by which compiled code knows leaves and operators.

Plain integers, so that this file can be read without loading the compiler. A formula is a
postfix list of (code, arg) pairs: `arg` is the column of a variable, the index of a constant,
or the exponent of an integer power; it is 0 for every other operator.
"""

from typing import Final

VARIABLE: Final = 0
CONSTANT: Final = 1  # a number with a value
OPEN: Final = 2  # a constant still to be fitted; compiled code reads its value like CONSTANT
LAST_LEAF: Final = OPEN

ADD: Final = 3
SUB: Final = 4
MUL: Final = 5
DIV: Final = 6
POW: Final = 7  # real exponent: NaN for a negative base unless the exponent is an integer
MIN: Final = 8
MAX: Final = 9
LAST_BINARY: Final = MAX

NEG: Final = 10
POWI: Final = 11  # integer exponent, kept in `arg`
SQRT: Final = 12
SIN: Final = 13
COS: Final = 14
TAN: Final = 15
EXP: Final = 16
LOG: Final = 17
TANH: Final = 18
ABS: Final = 19
ASIN: Final = 20
ACOS: Final = 21
ATAN: Final = 22

ODD: Final = (SIN, TAN, TANH, ASIN, ATAN)  # f(-u) = -f(u)

# Codes from here on belong to operators that users define: FIRST_CUSTOM + 2 k for the k-th one
# of one argument, FIRST_CUSTOM + 2 k + 1 for the k-th one of two.
FIRST_CUSTOM: Final = 64
