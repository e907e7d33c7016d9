"""Template: a law with holes is filled. What goes into a hole is a smaller problem, solved by the searches there are.

First functions without a formula are fitted in all holes together; each is a curve or surface to which formulas are
found, and all combinations of the best are fitted jointly to the rows. Then one hole after the other is emptied and
found again with formulas in all others, which the law knows by then.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice, product
from typing import Final

import numpy as np

from scalesr.evidence.verdict import ALIKE
from scalesr.expr.expression import Expression, constant
from scalesr.expr.frame import Frame
from scalesr.expr.printing import to_text
from scalesr.expr.signs import with_signs_before_terms
from scalesr.pipeline.config import PIPELINE
from scalesr.pipeline.curve_rows import noisy_curve
from scalesr.pipeline.run import Run
from scalesr.pipeline.searches import chosen_search
from scalesr.pipeline.steps import weigh_rows
from scalesr.polish.template.filling import Filling, empty, filled
from scalesr.polish.template.fitting import Filled, fitted, on_all, pruned, shortest, snapped
from scalesr.polish.template.smooth import NO_FORMULAS, SplineFilling, smooth
from scalesr.records.budget import Report
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Discovery, Step, Verdict
from scalesr.records.interfaces import Search
from scalesr.records.outcome import Ending
from scalesr.records.stop import Stop
from scalesr.search.exhaustive import ExhaustiveSearch

Look = Callable[[Run], None]
Form = tuple[float, Expression]  # nats beyond the best, and a closed formula of a hole's arguments

STAGE: Final = "template"
FAR_FROM_BEST: Final = 60.0  # nats from the best form for a hole, beyond which the rows are not asked about a form


def discover_by_template(
    data: Dataset, settings: Settings, frame: Frame, look: Look, *, rng: np.random.Generator, progress: Report | None
) -> Discovery:
    """Find the law of a template; where none fits, a quick look without it says whether another law does."""
    run = Run(data, settings, rng=rng, progress=progress)
    with run.until_stopped(), run.share(PIPELINE.share_of_template):
        fill_holes(run, frame, look)
    found = run.concluded()
    if found.verdict in (Verdict.EXACT, Verdict.WITHIN_NOISE) or found.ending is Ending.INTERRUPTED:
        return found
    without = _without(run, settings, look, progress)
    return found if without is None else _compared(found, without, frame)


def fill_holes(run: Run, frame: Frame, look: Look) -> None:
    """Propose laws of a template until one is exact, or nothing better comes of any hole."""
    if run.data.n_rows < PIPELINE.fewest_template_rows:
        return
    weigh_rows(run, run.data)
    best = _first(run, frame, look)
    run.stop_if_found()
    for turn in range(PIPELINE.turns_of_holes):
        before = best
        for hole in sorted(range(len(frame.holes)), key=lambda hole: len(frame.arguments(hole))):
            best = _anew(run, best, hole, look, thorough=turn > 0)
        if turn > 0 and best is before:
            return
        run.stop_if_found()


def _first(run: Run, frame: Frame, look: Look) -> Filled | None:
    """The first laws, from functions without a formula in all holes."""
    begun = empty(frame)
    found = _smooth(run, begun)
    if found is None:
        return None
    n_holes = len(frame.holes)
    forms = [_forms(run, found, hole, look, share=1 / (1 + n_holes - hole), thorough=False) for hole in range(n_holes)]
    return _joined(run, found.filling, forms, None)


def _anew(run: Run, best: Filled | None, hole: int, look: Look, *, thorough: bool) -> Filled | None:
    """The best law with one hole emptied and found again, if that is better."""
    if best is None:
        return None
    frame, begun = best.filling.frame, best.filling.with_piece(hole + 1, None, np.empty(0))
    part = best.filling.closed(hole + 1)
    found = _smooth(run, begun, {} if part is None else {hole: part})
    if found is None or (len(frame.arguments(hole)) > 1 and not _lacks(run, best, found)):
        return best
    forms = _forms(run, found, hole, look, share=PIPELINE.share_of_a_hole, thorough=thorough)
    return _joined(run, found.filling, [forms], best)


def _lacks(run: Run, best: Filled, found: SplineFilling) -> bool:
    """Whether a function without a formula explains more than the formula in a hole does: a surface takes its time."""
    before = run.archive.rows.loss(best.fit.expression)
    if not before > 0 or not found.loss < before:
        return False
    return run.data.n_rows * math.log(before / max(found.loss, sys.float_info.min)) > found.n_splines * math.log(
        run.data.n_rows
    )


def _smooth(run: Run, begun: Filling, near: dict[int, Expression] | None = None) -> SplineFilling | None:
    """Functions without a formula in the empty holes."""
    with run.stage(STAGE) as note:
        found = smooth(begun, run.data, rng=run.rng.spawn(1)[0], watch=run.stop, near=near or NO_FORMULAS)
        names = ", ".join(begun.frame.title(hole) for hole, part in enumerate(begun.parts) if part is None)
        if found is None:
            note.summary = f"No functions {names} give the template {begun.frame.text} values on the rows."
        else:
            share = math.sqrt(found.loss) / (run.data.std or 1.0)
            note.summary = (
                f"With smooth functions {names} the law leaves {share:.2g} of the target's standard deviation."
            )
        return found


def _forms(run: Run, found: SplineFilling, hole: int, look: Look, *, share: float, thorough: bool) -> list[Form]:
    """Formulas of a hole, the best first, with a share of the time and work that is left."""
    title = found.filling.frame.title(hole)
    with run.stage(STAGE) as note:
        told = found.told(hole, run.data)
        if told is None:
            note.summary = f"The rows say nothing about {title}."
            return [(0.0, constant(1.0))]
        seconds, work = run.stop.left, run.stop.work_left
        part = run.stop.child(
            seconds=None if seconds is None else share * seconds, work=None if work is None else share * work
        )  # fmt: skip
        if told.n_variables == 1:
            ways = _of_a_curve(run, told, part, thorough=thorough)
        else:
            ways = _of_a_surface(run, told, part, look, title, thorough=thorough)
        note.summary = (
            f"{title}: {len(ways)} formulas, the first is {_text(ways[0][1], told)}." if ways else f"{title}: none."
        )
        return ways


def _of_a_curve(run: Run, told: Dataset, part: Stop, *, thorough: bool) -> list[Form]:
    """Formulas of one argument: all small ones, or what the chosen search finds."""
    is_plain = not thorough and run.settings.search == "default"
    search: Search = chosen_search(run.settings)
    if is_plain:
        search = ExhaustiveSearch(run.settings.operators, max_size=PIPELINE.small_forms, n_threads=run.settings.n_jobs)
    search = run.search(search, "small hole" if is_plain else "hole")
    budget = part.budget(n_fits=PIPELINE.fits_of_a_curve)
    ranking = search.search(noisy_curve(told), budget, rng=run.rng, progress=run.watch(STAGE))
    if ranking.interrupted:
        raise KeyboardInterrupt
    chosen = dict.fromkeys(
        [*ranking.skeletons[: PIPELINE.forms_of_a_hole], *ranking.front[-PIPELINE.forms_of_a_hole :]]
    )
    if not chosen:
        return []
    least = min(one.score for one in chosen)
    return sorted(((one.score - least, one.in_group(0)) for one in chosen), key=lambda form: form[0])


def _of_a_surface(run: Run, told: Dataset, part: Stop, look: Look, title: str, *, thorough: bool) -> list[Form]:
    """Formulas of several arguments: a discovery of its own, with a part of what is left of time and work."""
    left = part.work_left
    most = PIPELINE.work_of_a_surface * (PIPELINE.times_as_thorough if thorough else 1.0)
    own = replace(
        run.settings, frame=None, template=None, constraints=(), rules=(),
        start=(), units=(), given_noise=None, checkpoint=None, error=None,
        max_complexity=None, generator="auto", time_limit=part.left,
        max_work=most if left is None else min(most, left),
    )  # fmt: skip
    inner = Run(told, own, rng=run.rng.spawn(1)[0], progress=run.watch(f"{STAGE}, {title}"))
    with inner.until_stopped():
        look(inner)
    found = inner.concluded()
    run.stop.spend(inner.stop.spent)
    if found.was_interrupted:
        raise KeyboardInterrupt
    laws = dict.fromkeys(
        [found.law, *(one.law for one in found.rivals), *sorted(found.front, key=lambda law: law.score)]
    )
    return [(law.score - found.law.score, law.equation.expression) for law in islice(laws, PIPELINE.forms_of_a_hole)]


def _joined(run: Run, begun: Filling, forms: Sequence[Sequence[Form]], best: Filled | None) -> Filled | None:
    """The best law with formulas in the empty holes, all constants fitted jointly; `best` where none is better."""
    with run.stage(STAGE) as note:
        few, done = run.archive.rows.few, list[Filled]()
        for chosen in _combinations(forms):
            if run.stop.passed:  # what has been fitted by then is finished all the same, as far as it goes
                break
            one = fitted(filled(begun, chosen), run.archive.rows)
            if one is not None:
                done.append(shortest(one, run.archive.rows))
        done.sort(key=lambda one: few.evidence.score(one.fit).promise)
        for one in done[: PIPELINE.joined_and_finished]:
            for better in _finished(run, one):
                if best is None or _cost(run, better) < _cost(run, best):
                    best = better
        law = None if best is None else best.fit.expression
        note.summary = f"{len(done)} combinations of formulas were fitted: " + (
            "none has values on all rows." if law is None else f"the best law is {_text(law, run.data)}."
        )
        return best


def _finished(run: Run, one: Filled) -> list[Filled]:
    """A law fitted to all rows, then pruned, then with its constants read; each is judged by the rows."""
    whole = on_all(one, run.archive.rows)
    if whole is None:
        return []
    steps = [_kept(run, whole)]
    steps.append(_kept(run, pruned(whole, run.archive.rows, run.stop)))
    steps.append(_kept(run, snapped(steps[-1], run.archive.rows)))
    run.check()
    return steps


def _kept(run: Run, one: Filled) -> Filled:
    """A law that the rows have judged."""
    run.keep(one.fit, f"the template {one.filling.frame.text}", one.filling.told(one.fit.covariance))
    return one


def _combinations(forms: Sequence[Sequence[Form]]) -> list[list[Expression]]:
    """Formulas for all holes, those first that are best together."""
    near = [[form for form in ways if form[0] <= FAR_FROM_BEST] for ways in forms]
    ranked = sorted(product(*near), key=lambda chosen: sum(far for far, _ in chosen))
    return [[form for _, form in chosen] for chosen in ranked[: PIPELINE.joined_at_once]]


def _cost(run: Run, one: Filled) -> float:
    return run.archive.rows.evidence.score(one.fit).promise


def _without(run: Run, settings: Settings, look: Look, progress: Report | None) -> Discovery | None:
    """A quick look without the template, with what is left of time and work."""
    work, seconds = run.stop.work_left, run.stop.left
    if work == 0 or seconds == 0:
        return None
    own = replace(
        settings, frame=None, template=None, checkpoint=None, time_limit=seconds,
        max_work=PIPELINE.work_without if work is None else min(work, PIPELINE.work_without),
    )  # fmt: skip
    other = Run(run.whole, own, rng=run.rng.spawn(1)[0], progress=progress)
    with other.until_stopped():
        look(other)
    return other.concluded()


def _compared(found: Discovery, without: Discovery, frame: Frame) -> Discovery:
    """The discovery with a sentence on what a law without the template does."""
    errors = [math.sqrt(one.law.loss) for one in (found, without)]
    if without.law.score < found.law.score - ALIKE:
        said = (
            f"No law of the template {frame.text} that was tried fits; without it: {without.law.equation}, which errs "
            f"by {errors[1]:.3g} where the best law of the template errs by {errors[0]:.3g}."
        )
        found = replace(found, reason=f"{found.reason} {said}")
    else:
        said = (
            f"A quick look without the template found nothing better: {without.law.equation} errs by {errors[1]:.3g}."
        )
    seconds = found.seconds + without.seconds
    return replace(found, trace=(*found.trace, Step(STAGE, said, without.seconds)), seconds=seconds)


def _text(law: Expression, data: Dataset) -> str:
    short = law.skeleton().bind([float(f"{value:.6g}") for value in law.constants.tolist()])
    return to_text(with_signs_before_terms(short)[0], data.names)
