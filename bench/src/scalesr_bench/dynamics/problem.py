"""A system with known laws of motion, and how its trajectories are usually drawn."""

from __future__ import annotations

from dataclasses import dataclass

from scalesr_bench.problems.problem import Problem, Range


@dataclass(frozen=True, slots=True)
class SystemProblem:
    """A system x' = f(x), the box its starts come from and when it is looked at."""

    name: str
    laws: tuple[Problem, ...]  # one per state, over all states
    starts: tuple[Range, ...]  # (low, high) per state
    duration: float
    step: float
    n_trajectories: int  # that laws are looked for in
    n_held: int  # that they are judged by

    @property
    def states(self) -> tuple[str, ...]:
        return self.laws[0].names

    @property
    def n_points(self) -> int:
        return round(self.duration / self.step) + 1
