"""The ten two-variable problems of the paper, with its own constants and ranges.

Its Jin-3 and Jin-4 differ from those of the usual set. 6400 of the 8000 rows are for training.
"""

from __future__ import annotations

from typing import Final

from scalesr_bench.problems.listing import read_listing
from scalesr_bench.problems.problem import Sampling

PAPER: Final = read_listing(
    "paper",
    """
    Nguyen-09 | sin(x) + sin(y^2)                          | x y [-3, 3]
    Nguyen-10 | 2*sin(x)*cos(y)                            | x y [-3, 3]
    Nguyen-11 | x^y                                        | x y [1, 2]
    Nguyen-12 | x^4 - x^3 + y^2/2 - y                      | x y [-3, 3]
    Jin-1     | 2.5*x^4 - 1.3*x^3 + 0.5*y^2 - 1.7*y        | x y [-3, 3]
    Jin-2     | 8*x^2 + 8*y^3 - 15                         | x y [-3, 3]
    Jin-3     | 0.2*x^3 - 0.5*x + 1.5*y^3 - 1.2*y          | x y [-3, 3]
    Jin-4     | 1.5*exp(x) + 0.5*cos(y)                    | x y [-3, 3]
    Jin-5     | 6*sin(x)*cos(y)                            | x y [-3, 3]
    Jin-6     | 1.35*x*y + 5.5*sin((x - 1)*(y - 1))        | x y [-3, 3]
    """,
    Sampling(8000),
)
