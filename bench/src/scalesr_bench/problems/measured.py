"""Measured tables with the law that is known for each: NIST's, with its certified constants, and Kepler's planets.

The box is the range of the measured rows. Rows are as they were measured, so that seeds change
nothing but the method's own choices.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from scalesr_bench.problems.listing import read_listing
from scalesr_bench.problems.problem import Problem, Sampling

_NIST: Final = read_listing(
    "real",
    """
    misra1a  | 238.942*(1 - exp(-0.000550156*x))                      | x [77.6, 760]
    chwirut2 | exp(-0.166577*x)/(0.00516533 + 0.01215*x)              | x [0.5, 6]
    danwood  | 0.768862*x^3.86041                                     | x [1.309, 1.68]
    hahn1    | (1.07764 - 0.122693*x + 0.00408638*x^2 - 1.42627e-6*x^3)\
/(1 - 0.00576099*x + 0.000240537*x^2 - 1.23145e-7*x^3)                | x [14.13, 851.61]
    thurber  | (1288.14 + 1491.08*x + 583.238*x^2 + 75.4166*x^3)\
/(1 + 0.966295*x + 0.397973*x^2 + 0.0497273*x^3)                      | x [-3.067, 2.2]
    boxbod   | 213.809*(1 - exp(-0.547237*x))                         | x [1, 10]
    rat43    | 699.642/(1 + exp(5.27713 - 0.759629*x))^(1/1.27925)    | x [1, 15]
    eckerle4 | 1.55438/4.08883*exp(-0.5*((x - 451.541)/4.08883)^2)    | x [400, 500]
    """,
    Sampling(),
)
_PLANETS: Final = read_listing("real", "kepler | 365.25*a^1.5 | a [0.389, 9.51]")


def _with_rows(problem: Problem, table: str, target: str) -> Problem:
    return replace(problem, table=table, target=target)


REAL: Final = (
    *(_with_rows(problem, f"nist_{problem.name}", "y") for problem in _NIST),
    *(_with_rows(problem, problem.name, "P") for problem in _PLANETS),
)
