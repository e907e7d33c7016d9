"""One law for many groups of rows: forms are proposed, and the rows of all groups decide what they share.

Forms come from the formulas to begin from, from power products, from all forms in order of size, from the usual
method on the largest group and on all rows as if there were no groups, and from a genetic search on the groups.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.groups import own_cost
from scalesr.evidence.stopping import is_worth_another
from scalesr.expr.expression import Expression, apply, open_constant, variable
from scalesr.expr.operators import Operators
from scalesr.expr.substitute import substitute
from scalesr.expr.text import parse
from scalesr.groups.archive import GroupArchive
from scalesr.groups.verdict import is_within_noise, judge_groups, noise_of_groups, probability_of_groups
from scalesr.pipeline.method import discover
from scalesr.pipeline.noise import weights_of
from scalesr.pipeline.stage import Note, NothingLeft
from scalesr.records.budget import Progress, Report
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import INTERRUPTED, Discovery, Law, Step, Verdict
from scalesr.records.engine import ready_engine
from scalesr.records.groups import GroupedData
from scalesr.records.outcome import Ending
from scalesr.records.stop import Stop, Stopped
from scalesr.records.sweep import Sweep
from scalesr.search.genetic.search import GeneticSearch
from scalesr.search.grouped import GroupedSearch, some_groups
from scalesr.search.linear.blas import one_thread

Floats = NDArray[np.float64]

RESERVE, MOST_RESERVED = 0.1, 5.0  # share and seconds of the time limit that are kept for the last laws
SHARE_OF_LARGEST: Final = 0.4  # of what is left of time and work, for the usual method on one group
SHARE_OF_ALL: Final = 0.4  # and on all rows
ENOUGH_FOR_ONE: Final = 20  # rows of a group, from which the usual method is tried on it
MOST_FOR_ONE: Final = 3000  # rows of all groups that it is tried on
N_OFFERED: Final = 12  # laws of it, and skeletons of the genetic search, that the groups are asked about
FITS_OF_GENERATIONS: Final = 60_000
LONGER_AFTER: Final = 5  # size after which some longer forms are tried
LONGER: Final = (
    (("exp",), "C*exp(C*(x0 + C)^2) + C"),
    (("tanh",), "C*tanh(C*(x0 + C)) + C"),
    (("/",), "C/(1 + C*(x0 + C)^2) + C"),
    (("exp", "sin"), "C*exp(C*x0)*sin(C*x0 + C)"),
)
LITTLE: Final = 1e-6  # weight of a row that is far off
MOST_BENT: Final = 2  # columns of a polynomial of degree two, which has six constants then: more are too many to share
FIRST_STOP: Final = 4  # size after which the search may end: smaller forms cost next to nothing
MIN_WORK: Final = 0.001  # units: a limit is no less


class GroupRun:
    """One discovery under way: rows in groups, laws so far, clock and trace."""

    def __init__(
        self, groups: GroupedData, settings: Settings, *, rng: np.random.Generator, progress: Report | None
    ) -> None:
        self._started = time.monotonic()
        self.settings, self.rng, self._progress = settings, rng, progress
        limit = settings.time_limit
        within = None if limit is None else limit - min(RESERVE * limit, MOST_RESERVED)
        self.stop = Stop(seconds=within, work=settings.max_work, named=limit)
        self.groups = groups
        self.archive = GroupArchive(groups, settings.operators, self.stop, max_complexity=settings.max_complexity)
        self.steps: list[Step] = []
        self.n_searches, self.ended, self.ending = 0, "The method came to its end.", Ending.COMPLETE

    @contextmanager
    def until_stopped(self) -> Iterator[None]:
        """A block of work that an exact law, a limit or an interrupt ends."""
        try:
            yield
        except (NothingLeft, Stopped) as reason:
            self.ended, self.ending = str(reason), reason.ending
            if self.ending is Ending.INTERRUPTED:
                self.ended = INTERRUPTED
        except KeyboardInterrupt:
            self.stop.cancel()
            self.ended, self.ending = INTERRUPTED, Ending.INTERRUPTED

    @contextmanager
    def stage(self, name: str) -> Iterator[Note]:
        """A stage whose note goes into the trace, however it ends."""
        self.stop.check()
        self.report(name)
        note, started = Note(name), time.monotonic()
        try:
            yield note
        finally:
            seconds = time.monotonic() - started
            self.steps.append(Step(name, note.summary or "Cut short.", seconds, note.rejected, outcome=note.outcome))
        self.report(name)

    def offer(self, forms: Sequence[Expression], origin: str) -> None:
        """Let the groups decide on forms; an exact law ends the work."""
        for form in forms:
            self.stop.check()
            self.archive.offer(form, origin)
            if self.archive.is_exact:
                raise NothingLeft("An exact law was found.", Ending.EXACT)

    def stop_if_found(self) -> None:
        """End here if a law fits within the noise and a shorter one is not worth another search."""
        best = self.archive.best.law
        n_columns = len([index for index in best.fit.form.variables if index < self.archive.rows.n_columns])
        own = own_cost(best.fit.own, best.fit.own_given)  # which no other law of these rows could save
        if not is_worth_another(best.score.promise_of_law - own, n_columns, self.n_searches) and is_within_noise(
            self.archive
        ):
            raise NothingLeft(
                "A law fits within the noise, and a shorter one is not worth more time.", Ending.WITHIN_NOISE
            )

    def weigh(self) -> None:
        """Let rows count by the noise that the best law shows: outliers not at all, others by their variance."""
        best = self.archive.best
        bad = best.law.score.rows.are_outliers
        if best.structure > 0:  # what it leaves is not noise alone: rows that are far off may still not count
            self.archive.weigh(None if bad is None else np.where(bad, 0.0, 1.0))
        else:
            self.archive.weigh(weights_of(best.law.score.rows, best.law.fit.values))

    def report(self, stage: str) -> None:
        """Tell the user how things stand."""
        if self._progress is None:
            return
        best = self.archive.law_of(self.archive.best)
        error = float(np.sqrt(best.loss)) / (self.groups.data.std or 1.0)
        seconds = time.monotonic() - self._started
        so_far = self.front, tuple(self.steps), self.groups.data.target
        self._progress(
            Progress(stage, self.archive.n_tried, seconds, str(best.equation), error, "", self.stop.left, *so_far)
        )

    @property
    def front(self) -> tuple[Law, ...]:
        return tuple(self.archive.law_of(one) for one in self.archive.front)

    def concluded(self) -> Discovery:
        """The best law with its last touches, judged, with its history."""
        started = time.monotonic()
        try:
            with suppress(Stopped):
                limit = self.settings.time_limit
                left = None if limit is None else max(limit - (time.monotonic() - self._started), min(0.5, 0.1 * limit))
                self.stop.renew(left)
                self.weigh()
                self.archive.touch_up()
        except KeyboardInterrupt:
            self.ended, self.ending = INTERRUPTED, Ending.INTERRUPTED
        verdict, reason = judge_groups(self.archive)
        if verdict is Verdict.NO_LAW and self.archive.n_tried == 1 and self.ending is not Ending.COMPLETE:
            verdict, reason = Verdict.NOT_TRIED, f"{self.ended} Nothing had been tried by then."
        probability, rivals = probability_of_groups(self.archive, verdict)
        law = self.archive.law_of(self.archive.best)
        seconds = time.monotonic() - started
        self.steps.append(Step("combine", f"{self.groups.data.target} = {law.equation} ({law.origin}).", seconds))
        return Discovery(
            law, verdict, reason, self.front, tuple(self.steps), time.monotonic() - self._started,
            noise=noise_of_groups(self.archive), ended=self.ended, ending=self.ending, probability=probability,
            rivals=rivals,
        )  # fmt: skip


def discover_in_groups(
    groups: GroupedData, settings: Settings, *, rng: np.random.Generator, progress: Report | None = None
) -> Discovery:
    """Find the law that holds in all groups, and which of its constants differ between them."""
    ready_engine(progress)
    with one_thread():
        run = GroupRun(groups, settings, rng=rng, progress=progress)
        with run.until_stopped():
            begin(run)
            go_through_sizes(run)
            run.weigh()
            ask_the_usual_method(run)
            breed(run)
        return run.concluded()


def begin(run: GroupRun) -> None:
    """What is known before any search: formulas to begin from, a straight line, a product of powers."""
    with run.stage("search") as note:
        note.summary = _about(run.groups)
        for proposal in run.settings.start:
            run.offer([proposal.expression], proposal.origin)
        run.offer(simple_forms(run.groups.data), "a line, a polynomial or a product of powers")
        run.weigh()


def go_through_sizes(run: GroupRun) -> None:
    """All forms in order of size, those that fit each group alone looked at closely."""
    search = GroupedSearch(run.settings.operators, n_threads=run.settings.n_jobs)
    levels = search.levels(_sweep(run.archive.rows.rows), run.stop)
    for size in range(1, 1_000):
        with run.stage("search") as note:
            found = next(levels, None)
            if found is None:
                note.summary = "All forms of these sizes were tried."
                return
            note.summary = f"All forms of size {size}: {len(found)} were looked at closely."
            run.offer([one.form for one in found], f"all forms of size {size}")
            if size == LONGER_AFTER:
                run.offer(_longer(run.groups.data.n_variables, run.settings.operators), "a peak, a step or a wave")
        run.n_searches += size > 1
        if size >= FIRST_STOP:
            run.stop_if_found()


def ask_the_usual_method(run: GroupRun) -> None:
    """The usual method on the largest group, and on all rows as one table."""
    groups = run.groups
    largest = int(np.argmax(groups.sizes))
    whole = replace(groups.data, dimensions=None)
    parts = []
    if groups.sizes[largest] >= ENOUGH_FOR_ONE and groups.n_groups > 1:
        alone = replace(groups.group(largest), dimensions=None)
        parts.append((alone, SHARE_OF_LARGEST, f"the largest group, {groups.labels[largest]}"))
    parts.append((whole.thinned(MOST_FOR_ONE), SHARE_OF_ALL, "all rows as one table"))
    for data, share, what in parts:
        with run.stage("search") as note:
            left, work_left = run.stop.left, run.stop.work_left
            settings = replace(
                run.settings, time_limit=None if left is None else share * left,
                max_work=None if work_left is None else max(share * work_left, MIN_WORK), checkpoint=None, start=(),
            )  # fmt: skip
            found = discover(data, settings, rng=run.rng.spawn(1)[0])
            if found.was_interrupted:
                run.stop.cancel()
            if work_left is not None:
                run.stop.spend(share * work_left)
            note.summary = f"The usual method on {what}: {found.law.equation}."
            laws = [found.law, *(one.law for one in found.rivals), *reversed(found.front)]
            forms = dict.fromkeys(one.equation.expression.skeleton() for one in laws)
            run.offer(list(forms)[:N_OFFERED], f"the usual method on {what}")
        run.n_searches += 1
        run.stop_if_found()


def breed(run: GroupRun) -> None:
    """A genetic search on the largest groups, the last resort."""
    with run.stage("search") as note:
        search = GeneticSearch(operators=run.settings.operators, n_threads=run.settings.n_jobs)
        few = some_groups(_sweep(run.archive.rows.rows))
        ranking = search.search(few, run.stop.budget(n_fits=FITS_OF_GENERATIONS), rng=run.rng)
        note.summary = f"Generations of forms on {few.n_groups} groups: {ranking.n_scored} forms."
        chosen = dict.fromkeys([*ranking.skeletons[:N_OFFERED], *ranking.front])
        run.offer([skeleton.expression for skeleton in chosen], "a genetic search on the groups")


def _sweep(groups: GroupedData) -> Sweep:
    """The rows as searches take them; a group all of whose rows are far off keeps them, each counting little."""
    data = groups.data
    rows = Sweep(data.columns, data.y, groups.row_starts, data.names)
    return rows if groups.roots is None else rows.weighted(np.maximum(groups.roots**2, LITTLE))


def _about(groups: GroupedData) -> str:
    sizes = groups.sizes
    rows = f"{sizes[0]} rows each" if sizes.min() == sizes.max() else f"{sizes.min()} to {sizes.max()} rows"
    return f"{groups.n_groups} groups by {groups.by}, {rows}."


def simple_forms(data: Dataset) -> list[Expression]:
    """A line, a polynomial of degree two of few columns, and a product of powers where the columns have them."""
    powers = [_powers(data.n_variables)] if (data.columns > 0).all() else []
    bent = [_quadratic(data.n_variables)] if data.n_variables <= MOST_BENT else []
    return [_line(data.n_variables), *bent, *powers]


def _line(n_columns: int) -> Expression:
    form = open_constant()
    for column in range(n_columns):
        form = apply("+", form, apply("*", open_constant(), variable(column)))
    return form


def _longer(n_columns: int, operators: Operators) -> list[Expression]:
    """Forms beyond the sizes that are gone through, which many laws of one curve per group have.

    Peaks and steps are written with their centre, which the shortest way to write them hides: it may be what differs.
    """
    forms = [parse(text, ["x0"]) for names, text in LONGER if all(name in operators for name in names)]
    return [substitute(form, {0: variable(column)}) for form in forms for column in range(n_columns)]


def _quadratic(n_columns: int) -> Expression:
    form = _line(n_columns)
    for one in range(n_columns):
        for other in range(one + 1):
            form = apply("+", form, apply("*", open_constant(), apply("*", variable(one), variable(other))))
    return form


def _powers(n_columns: int) -> Expression:
    form = open_constant()
    for column in range(n_columns):
        form = apply("*", form, apply("^", variable(column), open_constant()))
    return form
