"""The method for rows beyond memory, in plain steps: sample, search, let all rows decide, grow where they object."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.pipeline.beyond_memory.bins import Bins, bins_of
from scalesr.pipeline.beyond_memory.judging import concluded, contradicts, judged_in_passes
from scalesr.pipeline.beyond_memory.law_sums import LawSums
from scalesr.pipeline.beyond_memory.passes import converge, others_of, trials_of
from scalesr.pipeline.beyond_memory.rows import Smallest, StreamRows
from scalesr.pipeline.beyond_memory.sample import SMALLEST_SAMPLE, Sample, draw_sample
from scalesr.pipeline.method import discover
from scalesr.records.budget import Progress, Report
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import INTERRUPTED, Discovery, Step, Verdict
from scalesr.records.outcome import Ending
from scalesr.records.proposal import Proposal
from scalesr.search.linear.blas import one_thread

Floats = NDArray[np.float64]
Prepare = Callable[[Dataset], tuple[Dataset, Settings]]  # what is known of the columns, and how they are searched

SAMPLE_ROWS: Final = (
    20_000  # as many as show the kind of the noise; a search over more takes longer and sees little more
)
MOST_ROUNDS: Final = 3  # of searching; the first sample rarely misses what is not in a corner, a second sees corners
SAMPLE_GROWTH: Final = 1.0  # of the sample that is asked for: rows that are added where a law is off on average
WORST: Final = 0.1  # of it: single rows that an exact law fails on, few enough to pass for outliers if they are some
SECONDS_BETWEEN: Final = 1.0  # two reports of a pass


def discover_stream(
    rows: StreamRows, prepare: Prepare, n_wanted: int, *, rng: np.random.Generator, progress: Report | None = None
) -> Discovery:
    """Find the law behind a stream of rows."""
    story = _Story(progress)
    sample = draw_sample(rows, max(n_wanted, SMALLEST_SAMPLE), story.tell)
    story.add("input", f"{rows.stream.about} was read once. {sample.sentence}")
    start: tuple[Proposal, ...] = ()
    best: Discovery | None = None  # on all rows, of the rounds so far
    for number in range(MOST_ROUNDS):
        data, settings = prepare(sample.data)
        sample = replace(sample, data=data)
        found = discover(data, _for_round(settings, number, start), rng=rng, progress=progress)
        story.add_all(found.trace)
        if sample.is_all or found.verdict in (Verdict.NO_LAW, Verdict.NOT_TRIED):
            found = best or found
            break
        try:
            seen = _seen_by_all(found, sample, rows, story)
            found = _better(best, seen.judged)
            best = found
            if number + 1 == MOST_ROUNDS or not seen.objection:
                break
            sample = _grown(sample, rows, seen, n_wanted, story)
            start = seen.laws
        except KeyboardInterrupt:
            found = replace(best or found, ended=INTERRUPTED, ending=Ending.INTERRUPTED)
            break
    return replace(found, trace=tuple(story.steps), seconds=story.seconds)


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """What all rows make of a round."""

    judged: Discovery
    objection: bool  # whether they contradict what the sample said
    failing: LawSums  # the sums of the law that fails
    bins: Bins
    laws: tuple[Proposal, ...]  # for the next round to begin from


def _seen_by_all(found: Discovery, sample: Sample, rows: StreamRows, story: _Story) -> _Seen:
    """Let all rows decide on the constants of the laws, and on the laws."""
    bins = bins_of(sample.data.columns, sample.data.names, found.law.equation.expression.variables)
    before = story.n_passes
    beside = others_of(found)
    with one_thread():  # the products of a batch are small
        on_all = converge(trials_of(found, sample), beside, rows, sample, bins, story.tell)
    passes = [one for one in (judged_in_passes(on, sample) for on in on_all) if one is not None]
    best = min(passes, key=lambda one: (not one.is_exact, one.score.total), default=None)
    if best is None:
        story.add("combine", f"No law of the sample has a value on all {sample.n_rows:,} rows.")
        judged = replace(found, verdict=Verdict.APPROXIMATE, reason=_fails_on(on_all[0].sums))
    else:
        n_passes = story.n_passes - before
        told = f"All {sample.n_rows:,} rows decided on {len(passes)} laws in {n_passes} passes: {best.law.equation}."
        story.add("combine", told)
        judged = concluded(passes, [law for one in beside if (law := one.seen()) is not None], found, sample)
    failing = on_all[0].sums if best is None else best.on.sums
    laws = tuple(Proposal(one.law.equation.expression, one.law.origin) for one in passes)
    return _Seen(judged, contradicts(best, found), failing, bins, laws)


def _better(before: Discovery | None, now: Discovery) -> Discovery:
    """The law that all rows prefer: a sample that has grown holds more rows that are hard, and may mislead."""
    if before is None or now.verdict is Verdict.EXACT:
        return now
    return before if before.law.score <= now.law.score else now


def _fails_on(sums: LawSums) -> str:
    return f"The law has no value on {sums.n_failed:,} of the rows, and no other law of the sample has one on all."


def _grown(sample: Sample, rows: StreamRows, seen: _Seen, n_wanted: int, story: _Story) -> Sample:
    """The sample with rows from the bins in which the law is off on average, and single ones that it cannot meet.

    Under noise single rows are always off, and to add them would make the noise look worse than it is.
    """
    failing = seen.failing
    n_worst = round(WORST * n_wanted) if failing.trial.may_be_exact or failing.n_failed else 0
    worst_keys, worst = failing.worst.rows()
    keys, cells = worst_keys[:n_worst], worst[:, :n_worst]
    here = Smallest(round(SAMPLE_GROWTH * n_wanted))
    off = failing.binned.off()
    if any(flags.any() for flags in off):
        for part in rows.parts(story.tell, "choosing rows where the law fails"):
            places = seen.bins.places(part.columns)
            inside = np.any([flags[place] for flags, place in zip(off, places, strict=True)], axis=0)
            here.offer(part.keys, part, inside & ~part.held)
    more_keys, more = here.rows()
    if len(more_keys):
        keys, cells = np.concatenate([keys, more_keys]), np.concatenate([cells, more], axis=1)
    _, first = np.unique(keys, return_index=True)
    grown = sample.with_rows(keys[first], cells[:, first])
    story.add("input", f"All rows contradict the law, so another one is looked for. {grown.sentence}")
    return grown


def _for_round(settings: Settings, number: int, start: tuple[Proposal, ...]) -> Settings:
    """The settings of one search; a checkpoint belongs to one table, that of the first."""
    checkpoint = settings.checkpoint if number == 0 else None
    return replace(settings, start=(*start, *settings.start), checkpoint=checkpoint)


class _Story:
    """What was done, and how long it took."""

    def __init__(self, progress: Report | None) -> None:
        self.steps: list[Step] = []
        self.n_passes = 0
        self._progress = progress
        self._started = self._told = self._last = time.monotonic()
        self._n_rows = 0

    @property
    def seconds(self) -> float:
        """Since the beginning."""
        return time.monotonic() - self._started

    def add(self, stage: str, summary: str) -> None:
        """A step that has ended now."""
        now = time.monotonic()
        self.steps.append(Step(stage, summary, now - self._last))
        self._last = now

    def add_all(self, steps: Sequence[Step]) -> None:
        """Steps that a search has timed itself."""
        self.steps += steps
        self._last = time.monotonic()

    def tell(self, what: str, n_rows: int) -> None:
        """A pass has come so far."""
        self.n_passes += n_rows <= self._n_rows or not self._n_rows
        self._n_rows = n_rows
        now = time.monotonic()
        if self._progress is not None and now - self._told >= SECONDS_BETWEEN:
            self._told = now
            self._progress(Progress(f"{what}: {n_rows:,} rows", 0, self.seconds, "", np.inf))
