"""Systems with known laws of motion, and how their trajectories are usually drawn.

The gene networks have the settings of the paper. In the repressilator the messenger M1 is repressed by
P3, M2 by P1 and M3 by P2, as in its equation (6) with lacI, tetR, cI numbered 1, 2, 3; the labels in its
appendix are permuted against that. Strogatz's systems start anywhere in the box of their usual
trajectories and are seen at 100 points over 10 units of time.
"""

from __future__ import annotations

from typing import Final

from scalesr.errors import DataError
from scalesr_bench.dynamics.problem import SystemProblem
from scalesr_bench.dynamics.textbook import ASIDE, SEEN, TEXTBOOK
from scalesr_bench.problems.problem import Problem, Range
from scalesr_bench.problems.strogatz import STROGATZ


def _system(name: str, laws: dict[str, str], starts: Range, duration: float, n_all: int) -> SystemProblem:
    names, box = tuple(laws), (starts,) * len(laws)
    problems = tuple(Problem(f"d{state}/dt", name, names, formula, box) for state, formula in laws.items())
    return SystemProblem(name, problems, box, duration, 0.01, round(0.8 * n_all), round(0.2 * n_all))


_TOGGLE: Final = _system("toggle", {"U": "4/(1 + V^3) - U", "V": "4/(1 + U^3) - V"}, (0.0, 4.0), 1.0, 1000)
_REPRESSILATOR: Final = _system(
    "repressilator",
    {
        "M1": "-M1 + 10/(1 + P3^3) + 0.00001",
        "P1": "-(P1 - M1)",
        "M2": "-M2 + 10/(1 + P1^3) + 0.00001",
        "P2": "-(P2 - M2)",
        "M3": "-M3 + 10/(1 + P2^3) + 0.00001",
        "P3": "-(P3 - M3)",
    },
    (0.0, 5.0),
    4.0,
    5000,
)


def _of_strogatz() -> tuple[SystemProblem, ...]:
    pairs = zip(STROGATZ[::2], STROGATZ[1::2], strict=True)
    return tuple(
        SystemProblem(first.name.rstrip("1"), (first, second), first.box, 9.9, 0.1, 4, 20) for first, second in pairs
    )


STROGATZ_SYSTEMS: Final = _of_strogatz()
SYSTEMS: Final = {one.name: one for one in (_TOGGLE, _REPRESSILATOR, *STROGATZ_SYSTEMS, *TEXTBOOK)}
GROUPS: Final = {"strogatz": STROGATZ_SYSTEMS, "textbook": SEEN, "textbook-aside": ASIDE}


def systems_called(names: str) -> tuple[SystemProblem, ...]:
    """Systems by their names or those of groups, with commas between them."""
    found: dict[str, SystemProblem] = {}
    for name in names.split(","):
        if name not in SYSTEMS and name not in GROUPS:
            raise DataError(f"There is no system {name!r}; there are {', '.join([*GROUPS, *SYSTEMS])}.")
        for one in GROUPS.get(name) or (SYSTEMS[name],):
            found[one.name] = one
    return tuple(found.values())
