"""Skeleton: a formula with open constants, fitted to every group of a sweep; Ranking: many of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.expression import Expression
from scalesr.expr.printing import to_text
from scalesr.records.pareto import pareto_front


@dataclass(frozen=True, slots=True, eq=False)
class Skeleton:
    """A form and how well it fits; constants are the open ones from left to right."""

    expression: Expression
    constants: NDArray[np.float64]  # (groups, open constants)
    covariance: NDArray[np.float64]  # (groups, open constants, open constants), NaN where not identifiable
    rss: NDArray[np.float64]  # (groups,) residual sum of squares
    error: float  # root mean square error over the standard deviation of y
    score: float  # description length in nats: the smaller the better
    within_noise: bool  # whether the residual is no larger than the noise of the sweep

    @property
    def complexity(self) -> int:
        return self.expression.complexity

    def in_group(self, index: int) -> Expression:
        """The closed formula of one group."""
        return self.expression.bind(self.constants[index])


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """What a search found, the best first."""

    skeletons: tuple[Skeleton, ...]
    names: tuple[str, ...]
    n_scored: int  # distinct skeletons
    n_fits: int  # fits of one skeleton to one group
    seconds: float
    ended: str  # why the search stopped, as a sentence
    complete_up_to: int | None = None  # every skeleton up to this size was tried; None: no such claim
    interrupted: bool = False  # by the user

    @property
    def best(self) -> Skeleton | None:
        return self.skeletons[0] if self.skeletons else None

    @property
    def front(self) -> tuple[Skeleton, ...]:
        """Skeletons that no other beats in both complexity and error, simplest first."""
        ranked = sorted(self.skeletons, key=lambda s: s.error)
        return tuple(pareto_front(ranked, size=lambda s: s.complexity, loss=lambda s: s.error))

    @property
    def sentence(self) -> str:
        """What the search can claim."""
        if self.best is not None and self.best.within_noise:
            return f"{to_text(self.best.expression, self.names)} fits within the noise."
        if self.complete_up_to is not None:
            return f"No formula up to size {self.complete_up_to} fits within the noise."
        return "No formula that was tried fits within the noise."
