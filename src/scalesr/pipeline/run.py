"""Run: what the stages of one discovery share: rows, laws so far, clock and trace."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from scalesr.combine.finish import finish
from scalesr.combine.front import Pool
from scalesr.combine.verdict import judge, noise_of
from scalesr.records.budget import Deadline, Progress, Report
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Discovery, Step, Verdict
from scalesr.records.proposal import Proposal
from scalesr.records.skeleton import Ranking

HELD_SHARE = 0.2  # of the rows, held back for the verdict
N_RIVALS = 6  # laws that the trace names beside the best
FEW_ROWS = 30  # tables that are too small to hold rows back from


class Settled(Exception):
    """Nothing is left to be done; the message says why."""


class Note:
    """What a stage says of itself while it works."""

    def __init__(self, stage: str) -> None:
        self.stage, self.summary = stage, ""
        self.rejected: tuple[str, ...] = ()


class Run:
    """One discovery under way."""

    def __init__(
        self, data: Dataset, settings: Settings, *, rng: np.random.Generator, progress: Report | None = None
    ) -> None:
        self._started = time.monotonic()
        self.deadline = Deadline.after(settings.time_limit)
        self.settings, self.rng = settings, rng
        self.whole = data
        self.data, self.held = self._parts(data)
        self.pool = Pool(self.data, self.held, settings.operators)
        self._progress = progress
        self._steps: list[Step] = []
        self._ruled_out: list[str] = []
        self._ended = "The method came to its end."

    def _parts(self, data: Dataset) -> tuple[Dataset, Dataset]:
        """Rows for the search and rows for the verdict; a small table has to serve as both."""
        if data.n_rows < FEW_ROWS:
            return data, data
        return data.split(round(HELD_SHARE * data.n_rows), rng=self.rng)

    @contextmanager
    def until_settled(self) -> Iterator[None]:
        """A block of work that an exact law, the time limit or an interrupt ends."""
        try:
            yield
        except Settled as reason:
            self._ended = str(reason)
        except KeyboardInterrupt:
            self._ended = "The method was interrupted; this is the best so far."

    @contextmanager
    def stage(self, name: str) -> Iterator[Note]:
        """A stage whose note goes into the trace, however it ends."""
        self.check()
        note, started = Note(name), time.monotonic()
        try:
            yield note
        finally:
            self._steps.append(Step(name, note.summary or "Cut short.", time.monotonic() - started, note.rejected))
        self.report(name)

    def add_steps(self, steps: Sequence[Step]) -> None:
        """Steps that a stage has noted by itself."""
        self._steps.extend(steps)

    def offer(self, proposals: Sequence[Proposal]) -> None:
        """Let the rows decide on laws; an exact one ends the work."""
        for proposal in proposals:
            self.pool.offer([proposal])
            self.check()

    def check(self) -> None:
        """End here if a law is exact or time is up."""
        if self.pool.is_exact:
            raise Settled("An exact law was found.")
        if self.deadline.passed:
            raise Settled(f"The time limit of {self.settings.time_limit:g} s was reached.")

    def settle(self) -> None:
        """End here if nothing is left to be explained."""
        if judge(self.pool)[0] is Verdict.WITHIN_NOISE:
            raise Settled("A law fits within the noise.")

    def rule_out(self, ranking: Ranking) -> None:
        """Remember what a complete search can claim."""
        if ranking.complete_up_to is not None and not (ranking.best is not None and ranking.best.within_noise):
            self._ruled_out.append(ranking.sentence)

    def report(self, stage: str) -> None:
        """Tell the user how things stand."""
        if self._progress is None:
            return
        best = self.pool.best
        error = float(np.sqrt(best.loss)) / (self.data.spread or 1.0)
        seconds = time.monotonic() - self._started
        self._progress(Progress(stage, len(self._steps), seconds, str(best.equation.rounded()), error))

    @property
    def _time_to_finish(self) -> float | None:
        """What is left, and a little more: a limit is kept within a tenth and two seconds."""
        limit, left = self.settings.time_limit, self.deadline.left
        return None if limit is None or left is None else max(left, min(1.0, 0.1 * limit))

    def concluded(self) -> Discovery:
        """The best law, polished, judged and with its history."""
        started = time.monotonic()
        finish(self.pool, Deadline.after(self._time_to_finish))
        verdict, reason = judge(self.pool)
        best = self.pool.best
        summary = f"{self.data.target} = {best.equation} ({best.origin})."
        rivals = tuple(f"{one.law.equation} ({one.law.origin})" for one in self.pool.candidates[1:N_RIVALS])
        self._steps.append(Step("combine", summary, time.monotonic() - started, rivals))
        return Discovery(
            best, verdict, reason, self.pool.front, tuple(self._steps), time.monotonic() - self._started,
            noise=noise_of(self.pool), ruled_out=tuple(self._ruled_out), ended=self._ended,
        )  # fmt: skip
