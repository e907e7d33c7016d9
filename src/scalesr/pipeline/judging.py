"""A law that somebody proposes, fitted and judged on the rows as the laws of a search are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scalesr.errors import DataError
from scalesr.evidence.archive import Archive, Candidate
from scalesr.evidence.refit import FitData, fixed
from scalesr.evidence.rounding import at_rounding
from scalesr.evidence.verdict import ALIKE, judge
from scalesr.expr.expression import Expression
from scalesr.expr.operators import Operators
from scalesr.pipeline.config import PIPELINE
from scalesr.polish.shortest import shortest
from scalesr.polish.snap import snapped
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Law, Verdict
from scalesr.records.equation import Equation

ORIGIN = "given by the user"


@dataclass(frozen=True, slots=True)
class Judged:
    """A proposed law with its fitted constants, what may be said of it, and how it compares."""

    law: Law
    verdict: Verdict
    reason: str
    advantage: float | None = None  # nats by which the rows prefer it to the law that was found, where there is one

    @property
    def sentence(self) -> str:
        """The verdict and the comparison, as a sentence."""
        told = f"{self.verdict.capitalize()}: {self.reason}"
        if self.advantage is None:
            return told
        if abs(self.advantage) < ALIKE:
            return f"{told} The rows cannot distinguish this law from the one that was found."
        which = "this law to the one that was found" if self.advantage > 0 else "the law that was found to this one"
        return f"{told} The rows prefer {which} by {abs(self.advantage):.3g} nats."


def judge_law(data: Dataset, form: Expression, *, rng: np.random.Generator, beside: Equation | None = None) -> Judged:
    """Fit the open constants of a form and judge it; numbers that it has stay as they are.

    `beside` is a law to compare with, whose fitted constants are fitted again to the same rows.
    """
    has_few = data.n_rows < PIPELINE.fewest_split_rows
    seen, held = (data, data) if has_few else data.split(round(PIPELINE.held_share * data.n_rows), rng=rng)
    archive, candidate = _alone(form, seen, held)
    verdict, reason = judge(archive)
    if beside is None:
        return Judged(candidate.law, verdict, reason)
    _, other = _alone(_reopened(beside), seen, held, start=beside)
    return Judged(candidate.law, verdict, reason, other.law.score - candidate.law.score)


def _alone(form: Expression, seen: Dataset, held: Dataset, start: Equation | None = None) -> tuple[Archive, Candidate]:
    """An archive with one law and a constant, and the law's fit in it."""
    guess = None if start is None else start.constants[start.standard_errors > 0]
    rows = FitData(seen)
    done = rows.fit(form, start=guess)
    if done.ok and at_rounding(done, rows):
        done = snapped(done, rows)  # as with found laws, 1.9999999999999998 is read as 2
    archive = Archive(seen, held, Operators("physics"), shorten=shortest)
    candidate = archive.add(done, ORIGIN) if done.ok else None
    if candidate is None:
        raise DataError(f"The law cannot be judged: {done.message} Change the formula or leave those rows out.")
    return archive, candidate


def _reopened(law: Equation) -> Expression:
    """The law with its fitted constants open, and those that were read as plain numbers closed."""
    errors = law.standard_errors
    closed = {place: value for place, value in enumerate(law.constants.tolist()) if not errors[place] > 0}
    return fixed(law.expression.skeleton(), closed)
