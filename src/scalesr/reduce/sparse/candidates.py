"""Forms that some look at the rows suggests, refitted on the target itself and compared there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.criterion import description_length
from scalesr.evidence.shortlist import Shortlist
from scalesr.expr.expression import Expression
from scalesr.expr.fitting import Effort
from scalesr.records.dataset import Dataset
from scalesr.records.precision import EXACT_LAW
from scalesr.reduce.sparse.config import SPARSE
from scalesr.reduce.sparse.targets import AS_IT_IS, TargetFunction

Floats = NDArray[np.float64]

WARM = Effort(n_screened=1, n_polished=1, polish_trials=20, final_trials=60)


@dataclass(frozen=True, slots=True, eq=False)
class Suggestion:
    """A form with open constants and a first guess of them."""

    form: Expression
    guess: Floats  # (open constants,)
    target: TargetFunction  # whose law it was found as

    @property
    def origin(self) -> str:
        """How it came about, for the trace."""
        return "sparse law" if self.target is AS_IT_IS else f"sparse law for {self.target.text}"


class Suggestions:
    """What was suggested for a dataset, on a shortlist, with the functions of the target that it was found for."""

    def __init__(self, data: Dataset) -> None:
        sweep = data.thinned(SPARSE.compared_rows).sweep()
        self.shortlist = Shortlist(
            data,
            SPARSE.compared_rows,
            rounding=EXACT_LAW * sweep.std + SPARSE.rounding_of_size * sweep.scale,
            cost=lambda done: description_length(done.skeleton, done.rss, sweep),
        )
        self._targets: dict[str, TargetFunction] = {}  # by origin

    def take(self, one: Suggestion) -> None:
        """Fit a form to the target itself, unless it is known."""
        self._targets[one.origin] = one.target
        self.shortlist.try_form(one.form, [one.guess], one.origin, effort=WARM)

    def promising(self) -> list[TargetFunction]:
        """Functions of the target whose laws describe it better than those for itself, the best first."""
        ranked = sorted(self.shortlist.ranked, key=lambda one: one.score)
        targets = list(dict.fromkeys(self._targets[one.origin] for one in ranked))
        return targets[: targets.index(AS_IT_IS)] if AS_IT_IS in targets else targets

    def best_of(self, target: TargetFunction) -> Expression:
        """The law found for a function of the target that describes the target best."""
        mine = (one for one in self.shortlist.ranked if self._targets[one.origin] is target)
        return min(mine, key=lambda one: one.score).fit.expression
