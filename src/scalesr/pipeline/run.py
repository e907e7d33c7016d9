"""Run: what the stages of one discovery share: rows, laws so far, clock and trace."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.archive import Archive
from scalesr.evidence.constraints import Rules
from scalesr.evidence.stopping import is_worth_another
from scalesr.evidence.unknown import UnknownLaw
from scalesr.evidence.verdict import judge, noise_of, probability_of
from scalesr.expr.expression import Expression
from scalesr.expr.fitting import Fit
from scalesr.expr.names import default_column
from scalesr.generator.questions import Questions
from scalesr.generator.smooth_cost import smooth_cost
from scalesr.model_files.journal import Remembered, open_journal
from scalesr.pipeline.config import PIPELINE
from scalesr.pipeline.noise import weights_by
from scalesr.pipeline.rules import told_of_rules
from scalesr.pipeline.stage import Note, NothingLeft
from scalesr.polish.finish import fill_front, finish, touch_up
from scalesr.polish.shortest import shortest
from scalesr.records.budget import Progress, Report
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import INTERRUPTED, Discovery, Part, Rival, Step, Verdict
from scalesr.records.interfaces import Search
from scalesr.records.oracle import Oracle
from scalesr.records.outcome import Ending
from scalesr.records.precision import CLEAN
from scalesr.records.proposal import Proposal
from scalesr.records.skeleton import Ranking
from scalesr.records.stop import Stop, Stopped
from scalesr.reduce.reduction import Key, Reduction

Floats = NDArray[np.float64]


class Run:
    """One discovery under way."""

    def __init__(
        self, data: Dataset, settings: Settings, *, rng: np.random.Generator, progress: Report | None = None
    ) -> None:
        self._started = time.monotonic()
        self._journal = open_journal(data, settings, rng)
        within = _without_reserve(settings.time_limit)
        self.stop = Stop(
            seconds=within, work=settings.max_work, named=settings.time_limit, memory=self._journal
        )  # fmt: skip
        self.settings, self.rng = settings, rng
        self.questions = Questions(settings.generator) if isinstance(settings.generator, Oracle) else None
        self.whole = data
        self.data, self.held = self._parts(data)
        self.archive = Archive(
            self.data, self.held, settings.operators, self.stop, shorten=shortest,
            max_complexity=settings.max_complexity, rules=Rules(settings.rules, data) if settings.rules else None,
        )  # fmt: skip
        self.has_noise, self.was_noise_looked_at = False, False  # as far as is known, and by more than a law
        self.learned_cost: float | None = None  # nats of the rows under a learned function, where that was asked
        self._progress = progress
        self._steps: list[Step] = []
        self._n_searches, self._was_tried, self.was_weighed = 0, False, False
        self._ruled_out: list[str] = []
        self.bred: dict[Key, tuple[Expression, ...]] = {}  # the best formulas in all variables of a problem so far
        self.revised: set[str] = set()  # canonical keys of laws whose parts have been looked for again
        self._worked_on: set[str] = set()  # laws that have been pruned and read
        self._ended, self._ending = "The method came to its end.", Ending.COMPLETE

    def _parts(self, data: Dataset) -> tuple[Dataset, Dataset]:
        """Rows for the search and rows for the verdict; a small table has to serve as both."""
        if data.n_rows < PIPELINE.fewest_split_rows:
            return data, data
        return data.split(round(PIPELINE.held_share * data.n_rows), rng=self.rng)

    @contextmanager
    def until_stopped(self) -> Iterator[None]:
        """A block of work that an exact law, the time limit or an interrupt ends."""
        try:
            yield
        except (NothingLeft, Stopped) as reason:
            self._end(str(reason), reason.ending)
        except KeyboardInterrupt:
            self.stop.cancel()
            self._end(INTERRUPTED, Ending.INTERRUPTED)

    @property
    def was_content(self) -> bool:
        """Whether the work came to its end by itself, with time left perhaps and no exact law."""
        return self._ending in (Ending.WITHIN_NOISE, Ending.COMPLETE)

    def _end(self, why: str, ending: Ending) -> None:
        self._ended, self._ending = INTERRUPTED if ending is Ending.INTERRUPTED else why, ending

    @contextmanager
    def stage(self, name: str) -> Iterator[Note]:
        """A stage whose note goes into the trace, however it ends."""
        self.check()
        self.report(name)
        note, started = Note(name), time.monotonic()
        try:
            yield note
        finally:
            seconds = time.monotonic() - started
            self._steps.append(
                Step(name, note.summary or "Cut short.", seconds, note.rejected, outcome=note.outcome)
            )  # fmt: skip
            self.save()
        self.report(name)

    @contextmanager
    def share(self, part: float) -> Iterator[None]:
        """A block of work that may take a part of what is left of time and work, and is ended by that alone."""
        whole, most = self.stop, self.settings.max_work
        seconds = None if whole.left is None else part * whole.left
        work = None if most is None else part * max(most - whole.spent, 0.0)
        self.stop = whole.child(seconds=seconds, work=work)
        try:
            yield
        except Stopped:
            whole.check()
        finally:
            self.stop = whole

    def search(self, inner: Search, role: str) -> Search:
        """A search whose findings are kept where a checkpoint is asked for."""
        return inner if self._journal is None else Remembered(inner, self._journal, role)

    def add_step(self, step: Step) -> None:
        """A step that a stage has noted by itself."""
        self._steps.append(step)
        self.report(step.stage)

    def offer(self, proposals: Sequence[Proposal]) -> None:
        """Let the rows decide on laws; an exact one ends the work."""
        for proposal in proposals:
            self.archive.offer([proposal])
            self._was_tried = True
            self.check()

    def keep(self, done: Fit, origin: str, parts: tuple[Part, ...]) -> None:
        """Let the rows judge a law of the template that has been fitted to all of them."""
        self._was_tried = True
        self.archive.add(done, origin, parts)

    def check(self) -> None:
        """End here if a law is exact, or if the time or the work is up."""
        if self.archive.is_exact:
            raise NothingLeft("An exact law was found.", Ending.EXACT)
        if self._is_as_sharp_as_the_rows:
            raise NothingLeft("A short law errs no more than the rows are known to.", Ending.EXACT)
        if self.archive.contradiction is not None:
            raise NothingLeft(f"The exact law of the rows breaks {self.archive.contradiction!r}.", Ending.COMPLETE)
        self.stop.check()

    @property
    def _is_as_sharp_as_the_rows(self) -> bool:
        """Whether the best law is short and errs no more than the rows are known to, which is next to nothing."""
        error, best = self.settings.error, self.archive.best
        if error is None or error > CLEAN * self.data.std or len(best.equation.constants) > PIPELINE.short_law:
            return False
        return best.held_loss <= error**2

    def weigh(self, weights: Floats) -> None:
        """Let the rows count by what is known of their noise from here on; laws are compared on all rows."""
        given = self.data.weights
        self.was_weighed = True
        self.data = replace(self.data, weights=weights if given is None else given * weights)
        self.archive.weigh(weights)

    def stop_if_found(self, *, was_complete: bool = False, n_searches: int = 1) -> None:
        """Count finished searches, and end here if a law fits within the noise and a shorter one is not worth another.

        "Nothing visible is left" alone ends nothing: many a long law leaves nothing visible. It does where every form
        in the one variable that is left was gone through by size (`was_complete`): another search would repeat that.
        """
        self._n_searches += n_searches
        if self.settings.frame is None:  # laws of a template are pruned and read hole by hole
            touch_up(self.archive, self._worked_on, self.stop)
        best = self.archive.best_candidate
        n_columns = len(best.law.equation.expression.variables)
        cost, if_exact = (
            best.score.promise_of_law,
            0.0 if self.was_noise_looked_at else self.archive.gain_of_exact(best),
        )
        if not was_complete and is_worth_another(cost, n_columns, self._n_searches, if_exact=if_exact):
            return
        self._know_the_unknown()
        if judge(self.archive)[0] is Verdict.WITHIN_NOISE:
            raise NothingLeft(
                "A law fits within the noise, and a shorter one is not worth more time.", Ending.WITHIN_NOISE
            )

    def _know_the_unknown(self) -> None:
        """Learn, once, how well a smooth function without a formula tells the rows.

        Where the user gave the noise, it needs not be told from what a law leaves out, and nothing is learned.
        """
        if self.archive.unknown is None and self.data.given_noise is None and not self.archive.is_exact:
            self.archive.unknown = UnknownLaw.of(self.archive.rows, partial(smooth_cost, check=self.stop.check))

    def best_for(self, here: Reduction, number: int) -> tuple[Expression, ...]:
        """The best laws so far, as far as they can be written in the columns of a smaller problem."""
        ranked = sorted(self.archive.candidates, key=lambda one: one.score.promise)
        written = (here.expressed(one.law.equation.expression) for one in ranked[:number])
        return tuple(one for one in written if one is not None)

    def save(self) -> None:
        """Bring the checkpoint up to date, where there is one."""
        if self._journal is not None:
            self._journal.save()

    def rule_out(self, ranking: Ranking) -> None:
        """Remember what a complete search can claim."""
        if ranking.complete_up_to is not None and not (ranking.best is not None and ranking.best.within_noise):
            self._ruled_out.append(ranking.sentence)

    def report(self, stage: str, *, variable: str = "", n_scored: int = 0) -> None:
        """Tell the user how things stand."""
        if self._progress is None:
            return
        best = self.archive.best
        error = float(np.sqrt(best.loss)) / (self.data.std or 1.0)
        seconds = time.monotonic() - self._started
        law = str(best.equation)
        so_far = self.archive.front, tuple(self._steps), self.whole.target
        self._progress(Progress(stage, n_scored, seconds, law, error, variable, self.stop.left, *so_far))

    def watch(self, stage: str) -> Report | None:
        """What a search within a stage reports to: its step and variable, with the best law of the rows so far."""
        if self._progress is None:
            return None

        def tell(state: Progress) -> None:
            is_numbered = default_column(state.variable) is not None and state.variable not in self.data.names
            variable = "" if is_numbered else state.variable  # x0 says nothing to who has no such column
            self.report(f"{stage}, {state.stage}", variable=variable, n_scored=state.n_scored)

        return tell

    @property
    def _time_to_finish(self) -> float | None:
        """What is left of the limit, and a little more where the search has overrun its share."""
        if self._ending is Ending.INTERRUPTED:
            return PIPELINE.hurried
        limit = self.settings.time_limit
        return None if limit is None else max(limit - (time.monotonic() - self._started), min(0.5, 0.1 * limit))

    def _polish(self) -> None:
        """Prune and read the best laws; where time is up or somebody interrupts, the rest stay as they were found.

        Laws of a template have been pruned and read hole by hole, so that they still are of it.
        """
        if self.settings.frame is not None:
            return
        try:
            with suppress(Stopped):
                self.stop.renew(self._time_to_finish)
                if (weights := weights_by(self.archive.best_candidate, self.archive.data)) is not None:
                    self.archive.weigh(weights)
                finish(self.archive, self.stop, self._worked_on)
                self._know_the_unknown()
                fill_front(self.archive, self.stop)
        except KeyboardInterrupt:
            self._end(INTERRUPTED, Ending.INTERRUPTED)

    def concluded(self) -> Discovery:
        """The best law, polished, judged and with its history."""
        started = time.monotonic()
        self._polish()
        verdict, reason = judge(self.archive)
        if verdict is Verdict.NO_LAW and not self._was_tried and self._ending is not Ending.COMPLETE:
            verdict, reason = Verdict.NOT_TRIED, f"{self._ended} Nothing had been tried by then."
        probability, rivals = probability_of(self.archive, verdict)
        best = self.archive.best
        summary = f"{self.data.target} = {best.equation} ({best.origin})."
        others = tuple(
            f"{one.law.equation} ({one.law.origin})" for one in self.archive.candidates[1 : PIPELINE.n_named_laws]
        )
        self._steps.append(Step("combine", summary, time.monotonic() - started, others))
        if self.archive.n_wrong:
            wrong = f"{self.archive.n_wrong} laws that were tried are dimensionally wrong and were ruled out."
            self._steps.append(Step("combine", wrong, 0.0))
        reason, about_rules = told_of_rules(self.archive, verdict, reason)
        self._steps += about_rules
        if self.questions is not None:
            asked = f"The given function was asked for {self.questions.n_asked} rows in the search."
            self._steps.append(Step("generator", asked, 0.0))
        return Discovery(
            best, verdict, reason, self.archive.front, tuple(self._steps), time.monotonic() - self._started,
            noise=noise_of(self.archive), ruled_out=tuple(self._ruled_out), ended=self._ended, ending=self._ending,
            probability=probability, rivals=tuple(Rival(one.law, share) for one, share in rivals),
        )  # fmt: skip


def _without_reserve(limit: float | None) -> float | None:
    """The time for searches: the laws that they find have to be pruned and read within the limit too."""
    return None if limit is None else limit - min(PIPELINE.reserve * limit, PIPELINE.most_reserved)
