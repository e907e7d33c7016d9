"""Discovery: the whole record of a run, from the verdict down to what each stage did."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import DataError
from scalesr.records.curves import Curves
from scalesr.records.equation import Equation
from scalesr.records.groups import GroupConstants, Label
from scalesr.records.noise import Noise
from scalesr.records.outcome import Ending, Outcome

MOST_PER_CENT = 0.99  # beyond, per cent are too coarse
INTERRUPTED = "The method was interrupted; this is the best so far."


class Verdict(StrEnum):
    """What may be said of a law."""

    EXACT = "exact"  # the residual on held-back rows is at rounding level
    WITHIN_NOISE = "within noise"  # no structure is left in the residual and no simpler law does as well
    APPROXIMATE = "approximate"  # better than nothing, and something is left
    NOT_IDENTIFIABLE = "not identifiable"  # several laws fit these rows alike; the reason says why
    NO_LAW = "no law found"  # the columns do not determine the target
    NOT_TRIED = "not tried"  # time was up before anything was tried


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that a stage did."""

    stage: str  # reduce, generator, control, search; combine, for chain and polish
    summary: str  # input and choice, as a sentence
    seconds: float
    rejected: tuple[str, ...] = ()  # alternatives that were looked at, and why they were not taken
    curves: tuple[Curves, ...] = ()  # what it saw along a variable
    outcome: Outcome | None = None  # what came of it, where that is counted


@dataclass(frozen=True, slots=True)
class Part:
    """What a law has in a hole of the template that was given."""

    title: str  # the hole as it is written where it is used first: g(y, z)
    equation: Equation  # over the columns of the table

    def __str__(self) -> str:
        return f"{self.title} = {self.equation}"


@dataclass(frozen=True, slots=True)
class Law:
    """A candidate on the Pareto front of complexity against error."""

    equation: Equation
    loss: float  # mean squared error on all rows, weighted where rows have weights
    held_loss: float  # the same on rows that were held back from its search
    score: float  # description length in nats: the smaller the better
    origin: str  # which way it was found
    parts: tuple[Part, ...] = ()  # where a template was given
    groups: GroupConstants | None = None  # constants that differ between groups: further variables of the equation

    @property
    def complexity(self) -> int:
        return self.equation.complexity

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the table's columns: those of the equation without the constants that differ."""
        return self.equation.names[: len(self.equation.names) - (len(self.groups.letters) if self.groups else 0)]

    def with_constants(self, table: NDArray[np.float64], labels: tuple[Label, ...] | None) -> NDArray[np.float64]:
        """A table (rows, columns) as the equation takes it: with the constants of each row's group behind its cells."""
        if self.groups is None or not self.groups.letters:
            return table
        if labels is None:
            raise DataError(f"The law has constants of each {self.groups.by}: say which one each row is of.")
        return self.groups.with_letters(table, labels)


@dataclass(frozen=True, slots=True)
class Rival:
    """Another law that the rows leave a chance."""

    law: Law
    probability: float


@dataclass(frozen=True, slots=True)
class Discovery:
    """A law, what may be said of it and how it was found."""

    law: Law
    verdict: Verdict
    reason: str  # the evidence for the verdict, in sentences
    front: tuple[Law, ...]  # simplest first
    trace: tuple[Step, ...]
    seconds: float
    noise: Noise | None = None  # the errors of the target's rows, where they could be estimated
    ruled_out: tuple[str, ...] = ()  # what cannot be the law, in sentences
    ended: str = "The method came to its end."
    ending: Ending = Ending.COMPLETE  # the same in a word
    probability: float | None = None  # of the law, among all that were looked at and what was not; None: not known
    rivals: tuple[Rival, ...] = ()  # laws of other forms, the likeliest first
    chosen: int | None = None  # place on the Pareto front of a law that the user took instead of `law`

    @property
    def taken(self) -> Law:
        """The law that predicts and is shown: the one that the evidence prefers, unless the user chose another."""
        return self.law if self.chosen is None else self.front[self.chosen]

    @property
    def equation(self) -> Equation:
        return self.taken.equation

    @property
    def probabilities(self) -> tuple[float | None, ...]:
        """The probability of each law of the Pareto front, where it was told; one that is no rival has next to none."""
        told = {one.law.equation: one.probability for one in self.rivals}
        told[self.law.equation] = self.probability or 0.0
        return tuple(None if self.probability is None else told.get(law.equation, 0.0) for law in self.front)

    @property
    def odds(self) -> str:
        """The probabilities of the law and of its first rival, as a sentence; empty where they are not known."""
        if self.probability is None:
            return ""
        told = (
            f"Probability: {self.probability:.1%}"
            if self.probability > MOST_PER_CENT
            else (f"Probability: {self.probability:.0%}")
        )
        first = self.rivals[0] if self.rivals else None
        return told + ("." if first is None else f"; next: {first.law.equation}, {first.probability:.0%}.")

    @property
    def was_interrupted(self) -> bool:
        """Whether somebody did not want to wait longer."""
        return self.ending is Ending.INTERRUPTED

    @property
    def timings(self) -> dict[str, float]:
        """Seconds per stage."""
        total: dict[str, float] = {}
        for step in self.trace:
            total[step.stage] = total.get(step.stage, 0.0) + step.seconds
        return total

    @property
    def sentence(self) -> str:
        """The verdict, as a sentence."""
        said = f"{self.verdict.capitalize()}: {self.reason}"
        if self.chosen is None or self.taken.equation == self.law.equation:
            return said
        error = math.sqrt(self.taken.loss)
        return f"Chosen by the user: it errs by {error:.3g}. The evidence prefers {self.law.equation}. {said}"
