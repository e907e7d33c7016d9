"""The small sets that most papers use: Nguyen, Jin, Livermore, constants and rationals, with their usual rows."""

from __future__ import annotations

from typing import Final

from scalesr_bench.problems.listing import read_listing
from scalesr_bench.problems.problem import Sampling

_TWENTY: Final = Sampling(20)

NGUYEN: Final = read_listing(
    "nguyen",
    """
    Nguyen-1   | x + x^2 + x^3                         | x [-1, 1]
    Nguyen-2   | x + x^2 + x^3 + x^4                   | x [-1, 1]
    Nguyen-3   | x + x^2 + x^3 + x^4 + x^5             | x [-1, 1]
    Nguyen-4   | x + x^2 + x^3 + x^4 + x^5 + x^6       | x [-1, 1]
    Nguyen-5   | sin(x^2)*cos(x) - 1                   | x [-1, 1]
    Nguyen-6   | sin(x) + sin(x + x^2)                 | x [-1, 1]
    Nguyen-7   | log(x + 1) + log(x^2 + 1)             | x [0, 2]
    Nguyen-8   | sqrt(x)                               | x [0, 4]
    Nguyen-9   | sin(x) + sin(y^2)                     | x y [0, 1]
    Nguyen-10  | 2*sin(x)*cos(y)                       | x y [0, 1]
    Nguyen-11  | x^y                                   | x y [0, 1]
    Nguyen-12  | x^4 - x^3 + y^2/2 - y                 | x y [0, 1]
    Nguyen-12a | x^4 - x^3 + y^2/2 - y                 | x y [0, 10]
    """,
    _TWENTY,
)

JIN: Final = read_listing(
    "jin",
    """
    Jin-1 | 2.5*x^4 - 1.3*x^3 + 0.5*y^2 - 1.7*y        | x y [-3, 3]
    Jin-2 | 8*x^2 + 8*y^3 - 15                         | x y [-3, 3]
    Jin-3 | 0.2*x^3 - 0.5*x + 0.5*y^3 - 1.2*y          | x y [-3, 3]
    Jin-4 | 1.5*exp(x) + 5*cos(y)                      | x y [-3, 3]
    Jin-5 | 6*sin(x)*cos(y)                            | x y [-3, 3]
    Jin-6 | 1.35*x*y + 5.5*sin((x - 1)*(y - 1))        | x y [-3, 3]
    """,
    Sampling(100),
)

# In the literature 7 and 8 are sinh and cosh; 7a and 8a are the same curves written with exp.
LIVERMORE: Final = read_listing(
    "livermore",
    """
    Livermore-1  | x + sin(x^2) + 1/3                                  | x [-10, 10] | 1000
    Livermore-2  | sin(x^2)*cos(x) - 2                                 | x [-1, 1]
    Livermore-3  | sin(x^3)*cos(x^2) - 1                               | x [-1, 1]
    Livermore-4  | log(x) + log(x + 1) + log(x^2 + 1)                  | x [0, 2]
    Livermore-5  | x^4 - x^3 + y^2 - y                                 | x y [0, 1]
    Livermore-6  | x + 2*x^2 + 3*x^3 + 4*x^4                           | x [-1, 1]
    Livermore-7  | (exp(x) - exp(-x))/2                                | x [-1, 1]
    Livermore-7a | (exp(x) - exp(-x))/2                                | x [-1, 1]
    Livermore-8  | (exp(x) + exp(-x))/2                                | x [-1, 1]
    Livermore-8a | (exp(x) + exp(-x))/2                                | x [-1, 1]
    Livermore-9  | x + x^2 + x^3 + x^4 + x^5 + x^6 + x^7 + x^8 + x^9   | x [-1, 1]
    Livermore-10 | 6*sin(x)*cos(y)                                     | x y [0, 1]
    Livermore-11 | x^2*y^2/(x + y)                                     | x y [-1, 1] | 50
    Livermore-12 | x^5/y^3                                             | x y [-1, 1] | 50
    Livermore-13 | x^(1/3)                                             | x [0, 4]
    Livermore-14 | x + x^2 + x^3 + sin(x) + sin(y^2)                   | x y [-1, 1]
    Livermore-15 | x^(1/5)                                             | x [0, 4]
    Livermore-16 | x^(2/3)                                             | x [0, 4]
    Livermore-17 | 4*sin(x)*cos(y)                                     | x y [0, 1]
    Livermore-18 | sin(x^2)*cos(x) - 5                                 | x [-1, 1]
    Livermore-19 | log(x^2 + x) + log(x^3 + x)                         | x [0, 2]
    Livermore-20 | x + x^2 + x^4 + x^5                                 | x [-1, 1]
    Livermore-21 | exp(-x^2)                                           | x [-1, 1]
    Livermore-22 | x + x^2 + x^3 + x^4 + x^5 + x^6 + x^7 + x^8         | x [-1, 1]
    Livermore-23 | exp(-x^2/2)                                         | x [-1, 1]
    """,
    _TWENTY,
)

CONSTANT: Final = read_listing(
    "constant",
    """
    Constant-1 | 1.78*x + 2.12*x^2 + 3.39*x^3        | x [-1, 1]
    Constant-2 | sin(x^2)*cos(x) - 0.75              | x [-1, 1]
    Constant-3 | sin(1.5*x)*cos(0.5*y)               | x y [0, 1]
    Constant-4 | 2.7*x^y                             | x y [0, 1]
    Constant-5 | sqrt(1.23*x)                        | x [0, 4]
    Constant-6 | x^0.426                             | x [0, 4]
    Constant-7 | 2*sin(1.3*x)*cos(y)                 | x y [0, 1]
    Constant-8 | log(x + 1.4) + log(x^2 + 1.3)       | x [0, 2]
    """,
    _TWENTY,
)

RATIONAL: Final = read_listing(
    "rational",
    """
    R1  | (x + 1)^3/(x^2 - x + 1)                        | x [-1, 1]
    R2  | (x^5 - 3*x^3 + 1)/(x^2 + 1)                    | x [-1, 1]
    R3  | (x^5 + x^6)/(1 + x + x^2 + x^3 + x^4)          | x [-1, 1]
    R1* | (x + 1)^3/(x^2 - x + 1)                        | x [-10, 10]
    R2* | (x^5 - 3*x^3 + 1)/(x^2 + 1)                    | x [-10, 10]
    R3* | (x^5 + x^6)/(1 + x + x^2 + x^3 + x^4)          | x [-10, 10]
    """,
    Sampling(20, "even"),
)
