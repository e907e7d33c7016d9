"""The paper's own figures: recovery rates in per cent, seconds, laws and errors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

PROBLEMS: Final = (
    "Nguyen-09", "Nguyen-10", "Nguyen-11", "Nguyen-12", "Jin-1", "Jin-2", "Jin-3", "Jin-4", "Jin-5", "Jin-6",
)  # fmt: skip
NGUYEN: Final = PROBLEMS[:4]

Figures = Mapping[str, float]  # by problem


def _by_problem(*values: float) -> Figures:
    return dict(zip(PROBLEMS, values, strict=False))


# Method -> per cent of ten runs that recovered the law (Table 1); its GP is gplearn.
RECOVERY: Final[Mapping[str, Figures]] = {
    "scalesr-paper": _by_problem(90, 90, 70, 70, 70, 100, 90, 100, 100, 0),
    "spl": _by_problem(100, 70, 70, 30, 0, 90, 90, 100, 80, 0),
    "nggp": _by_problem(40, 100, 100, 10, 0, 70, 0, 40, 100, 0),
    "dsr": _by_problem(30, 100, 90, 0, 0, 50, 0, 10, 100, 0),
    "gplearn": _by_problem(20, 90, 0, 10, 0, 10, 0, 0, 0, 0),
}
# The same by M, the samples of each group (Table 2), by K, the groups (3), and by N, the training rows (4).
BY_M: Final[Mapping[int, Figures]] = {
    50: _by_problem(90, 90, 70, 60),
    100: _by_problem(90, 90, 70, 70),
    150: _by_problem(90, 90, 70, 70),
    200: _by_problem(90, 90, 70, 70),
}
BY_K: Final[Mapping[int, Figures]] = {
    50: _by_problem(90, 90, 70, 60),
    100: _by_problem(90, 90, 70, 70),
    150: _by_problem(90, 90, 60, 70),
    200: _by_problem(90, 90, 70, 70),
}
BY_N: Final[Mapping[int, Figures]] = {
    800: _by_problem(90, 90, 70, 60),
    1600: _by_problem(90, 90, 70, 60),
    3200: _by_problem(90, 90, 70, 60),
    4800: _by_problem(90, 90, 70, 70),
    6400: _by_problem(90, 90, 70, 70),
}
# Method -> seconds (Table 5).
SECONDS: Final[Mapping[str, Figures]] = {
    "scalesr-paper": _by_problem(697.00, 675.46, 655.60, 820.44),
    "spl": _by_problem(2773.32, 2447.58, 4674.99, 4932.86),
    "nggp": _by_problem(2551.89, 383.27, 131.48, 3428.79),
    "dsr": _by_problem(1080.58, 89.40, 45.32, 3156.63),
    "gplearn": _by_problem(36.01, 10.46, 999.91, 1754.50),
}
# System -> state -> the law that the paper's method found. Its repressilator's proteins are labelled otherwise.
LAWS_OF_MOTION: Final[Mapping[str, Mapping[str, str]]] = {
    "toggle": {"U": "3.919/(0.972 + V^3) - U", "V": "3.921/(0.972 + U^3) - V"},
    "repressilator": {
        "M1": "9.939/(0.982 + P3^3) - M1",
        "M2": "10.338/(1.035 + P1^3) - M2",
        "M3": "9.845/(0.987 + P2^3) - M3",
        "P1": "M1 - P1",
        "P2": "M2 - P2",
        "P3": "M3 - P3",
    },
}
MSRE: Final[Mapping[str, float]] = {"toggle": 9.03e-4, "repressilator": 7.54e-5}
# System -> method -> what the paper's baselines made of its first equation (appendix).
BASELINES: Final[Mapping[str, Mapping[str, str]]] = {
    "toggle": {
        "spl": "-U + 2.539*exp(cos(V)) - cos(V) - 1.749",
        "nggp": "U - V + cos(V - log(-1/(0.084*U^2) + 0.084*U*log(U) - 3.194)) + 0.067 + 3.544",
        "dsr": "-U - V - sin(1.357*V + 5.138) + 3.357",
        "gplearn": "a sum of nested exp and sin",
    },
    "repressilator": {
        "spl": "3.234 - 0.455*M_tetR",
        "nggp": "M_lacI*(-2*P_cI*P_tetR + P_lacI + 6.564)/(P_cI + 10.913)",
        "dsr": "-1.582 + 3.482*M_tetR^2/(P_tetR*M_tetR^2 + 0.842)",
        "gplearn": "2.162/(M_cI^7 + M_cI*P_lacI)",
    },
}
