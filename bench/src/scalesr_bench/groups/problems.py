"""Laws with constants that differ between groups: textbook forms, half of them put aside until the end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

Range = tuple[float, float]


@dataclass(frozen=True, slots=True)
class GroupProblem:
    """A law of columns and letters; each group draws its letters from their ranges."""

    name: str
    law: str  # of columns and letters
    columns: dict[str, Range]
    letters: dict[str, Range]
    n_groups: int
    rows: Range  # of a group
    is_unseen: bool = False  # not looked at while the method was made


FEW: Final = (5, 5)
RAGGED: Final = (8, 60)


def _problems(is_unseen: bool, *lines: tuple[str, str, dict[str, Range], dict[str, Range]]) -> list[GroupProblem]:
    """Problems with 10 to 200 groups; every other one has 5 rows in each."""
    sizes = (40, 12, 100, 20, 200, 10, 60, 30)
    return [
        GroupProblem(*line, sizes[place % len(sizes)], FEW if place % 2 == 0 else RAGGED, is_unseen)
        for place, line in enumerate(lines)
    ]


SEEN: Final = _problems(
    False,
    ("decay with background", "a*exp(-0.7*t) + 0.4", {"t": (0, 5)}, {"a": (1, 4)}),
    ("decay", "a*exp(-b*t)", {"t": (0, 3)}, {"a": (1, 4), "b": (0.4, 1.5)}),
    ("enzyme (rate differs)", "a*s/(1.8 + s)", {"s": (0.1, 10)}, {"a": (1, 5)}),
    ("enzyme (affinity differs)", "2.5*s/(a + s)", {"s": (0.1, 10)}, {"a": (0.5, 4)}),
    ("fall", "a + b*t - 4.905*t^2", {"t": (0, 2)}, {"a": (0, 3), "b": (-2, 5)}),
    ("pendulum", "6.2831853*sqrt(l/a)", {"l": (0.2, 3)}, {"a": (1.6, 25)}),
    ("damped oscillation", "a*exp(-0.3*t)*cos(4.2*t)", {"t": (0, 4)}, {"a": (0.5, 3)}),
    ("adsorption", "a*p/(1 + 0.6*p)", {"p": (0.1, 8)}, {"a": (0.5, 5)}),
    ("activation", "a*exp(-3.2/x)", {"x": (0.8, 3)}, {"a": (1, 20)}),
    ("production", "a*k^0.3*l^0.7", {"k": (1, 10), "l": (1, 10)}, {"a": (0.5, 3)}),
    ("cooling", "a + b*exp(-0.25*t)", {"t": (0, 12)}, {"a": (15, 25), "b": (20, 70)}),
    ("gas", "a*t/v", {"t": (250, 400), "v": (1, 5)}, {"a": (0.02, 0.1)}),
    ("scaling", "a*x^1.6", {"x": (0.3, 6)}, {"a": (0.5, 4)}),
    ("resonance", "a/((x - b)^2 + 0.3)", {"x": (0, 5)}, {"a": (0.5, 2), "b": (1.5, 3.5)}),
    ("drag", "a*v^2 + 0.8*v", {"v": (0.2, 6)}, {"a": (0.1, 0.9)}),
)
UNSEEN: Final = _problems(
    True,
    ("growth", "a/(1 + b*exp(-0.9*t))", {"t": (0, 8)}, {"a": (2, 6), "b": (4, 20)}),
    ("charge", "a*q/r^2", {"q": (0.5, 4), "r": (0.5, 3)}, {"a": (1, 9)}),
    ("isotherm", "a*c^0.42", {"c": (0.1, 9)}, {"a": (0.5, 5)}),
    ("electrode", "a + 0.0592*log(c)", {"c": (0.01, 2)}, {"a": (0.2, 1.2)}),
    ("cooperative binding", "1.4*c^2/(a + c^2)", {"c": (0.1, 5)}, {"a": (0.5, 6)}),
    ("trajectory", "a*x - 0.12*x^2", {"x": (0, 10)}, {"a": (0.5, 2)}),
    ("wave", "a*sin(2.5*t) + b*cos(2.5*t)", {"t": (0, 5)}, {"a": (-2, 2), "b": (0.5, 2)}),
    ("absorption", "a*exp(-0.35*c*l)", {"c": (0.2, 3), "l": (0.5, 3)}, {"a": (1, 5)}),
    ("energy", "a*v^2 + 3.2*h", {"v": (0, 5), "h": (0, 4)}, {"a": (0.5, 3)}),
    ("dose", "a*t*exp(-0.8*t)", {"t": (0, 6)}, {"a": (1, 6)}),
    ("orbit", "a*r^1.5", {"r": (0.4, 30)}, {"a": (0.3, 3)}),
    ("potential", "a/x^2 - b/x", {"x": (0.4, 4)}, {"a": (0.5, 2), "b": (0.5, 3)}),
    ("hyperbola", "3.5/(t + a)", {"t": (0, 6)}, {"a": (0.5, 3)}),
    ("saturation", "a*(1 - exp(-b*x))", {"x": (0.1, 6)}, {"a": (1, 6), "b": (0.2, 0.9)}),
    ("level", "a + 1.3*sqrt(h)", {"h": (0.1, 9)}, {"a": (-1, 3)}),
)
PROBLEMS: Final = {problem.name: problem for problem in (*SEEN, *UNSEEN)}
PARTS: Final = {"seen": SEEN, "unseen": UNSEEN, "all": [*SEEN, *UNSEEN]}
