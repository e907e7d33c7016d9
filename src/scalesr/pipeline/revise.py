"""Revise: parts of the best law under noise are taken out one after the other and found again from the rows.

This is the control of variables once more: all of a law is held but one part, which is a small problem
of one or two arguments. Laws that imitate the truth within the noise are right but for such a part.
"""

from __future__ import annotations

from typing import Final

from scalesr.evidence.archive import Candidate
from scalesr.evidence.criterion import PER_SYMBOL
from scalesr.expr.canonical import canonical_key
from scalesr.pipeline.config import PIPELINE
from scalesr.pipeline.curve_rows import noisy_curve
from scalesr.pipeline.run import Run
from scalesr.records.proposal import Proposal
from scalesr.records.skeleton import Ranking
from scalesr.reduce.holes import Hole, HoleProblem, holes, told_of
from scalesr.reduce.reduction import ONE, Reduction
from scalesr.search.evolution.search import EvolutionSearch
from scalesr.search.exhaustive import ExhaustiveSearch

LEAST_GAIN: Final = 2 * PER_SYMBOL  # nats: an operator and an operand are the least that another part can save


def revise(run: Run) -> None:
    """Revise the best laws that have not been revised, each time the best by then; none is revised twice."""
    if run.data.n_variables < 2:
        return
    for _ in range(PIPELINE.laws_revised):
        chosen = _next(run)
        if chosen is None:
            return
        run.revised.add(_form(chosen))
        _revise(run, chosen)


def _next(run: Run) -> Candidate | None:
    """The best law that has not been revised, as long as it is close to the best of all."""
    ranked = sorted(run.archive.candidates, key=lambda one: one.score.promise)
    for one in ranked:
        if one.score.promise > ranked[0].score.promise + PIPELINE.close_parts:
            return None
        law = one.law.equation.expression
        if law.variables and law.n_nodes <= PIPELINE.longest_revised and _form(one) not in run.revised:
            return one
    return None


def _form(law: Candidate) -> str:
    return canonical_key(law.law.equation.expression.skeleton())


def _revise(run: Run, best: Candidate) -> None:
    """Find the parts of a law again: those of one argument and, where that brings nothing, those of two."""
    with run.stage("revise") as note:
        parts = _worthwhile(holes(best.law.equation.expression, run.data.table), run)
        if max((told.lack for _, told in parts), default=0.0) < PIPELINE.mended_by_a_part * _missing(run, best):
            note.summary = f"More than one part of {best.law.equation} is wrong."
            return
        single = [one for one in parts if len(one[0].arguments) == 1][: PIPELINE.parts_revised]
        paired = [one for one in parts if len(one[0].arguments) == 2][: PIPELINE.pairs_revised]
        n_parts = 0
        for hole, told in (*single, *paired):
            if len(hole.arguments) == 2 and _gain(run, best) > 0:
                break
            _search(run, hole, told)
            n_parts += 1
        note.summary = _summary(run, best, n_parts)


def _missing(run: Run, law: Candidate) -> float:
    """By how many nats a learned function tells the rows better than a law; 0 where it does not, or is not known."""
    return 0.0 if run.learned_cost is None else max(law.score.rows.cost - run.learned_cost, 0.0)


def _gain(run: Run, best: Candidate) -> float:
    """What the best law by now has gained on one, in nats."""
    return best.score.promise - min(one.score.promise for one in run.archive.candidates)


def _summary(run: Run, best: Candidate, n_parts: int) -> str:
    gain = _gain(run, best)
    better = f"{run.archive.best.equation} is better by {gain:.1f} nats" if gain > 0 else "nothing better was found"
    return f"{n_parts} parts of {best.law.equation} were searched again: {better}."


def _search(run: Run, hole: Hole, told: HoleProblem) -> None:
    """Every small formula of a part's one argument, or many formulas of two."""
    ranking = _small_forms(run, told) if len(hole.arguments) == 1 else _bred(run, told)
    close = [
        one
        for one in ranking.skeletons[: PIPELINE.n_offered]
        if one.score <= ranking.skeletons[0].score + PIPELINE.close_parts
    ]
    here = Reduction(told.data, hole.arguments, ONE, run.data.names, hole.filled)
    run.offer([Proposal(here.restore(one.in_group(0)), "a law with a part found again") for one in close])


def _small_forms(run: Run, told: HoleProblem) -> Ranking:
    search = run.search(ExhaustiveSearch(run.settings.operators, max_size=PIPELINE.small_forms), "parts")
    return search.search(noisy_curve(told.data), run.stop.budget(n_fits=PIPELINE.fits_of_a_part), rng=run.rng)


def _bred(run: Run, told: HoleProblem) -> Ranking:
    search = run.search(EvolutionSearch(operators=run.settings.operators), "parts of two arguments")
    return search.search(told.data.sweep(), run.stop.budget(n_fits=PIPELINE.fits_of_a_part), rng=run.rng)


def _worthwhile(found: list[Hole], run: Run) -> list[tuple[Hole, HoleProblem]]:
    """Parts that another could be better than, and what the rows say of them; those first that could gain most."""
    gains: list[tuple[float, int, Hole, HoleProblem]] = []
    for place, hole in enumerate(found):
        run.stop.check()
        told = told_of(hole, run.data)
        if told is None:
            continue
        gain = hole.excess + told.lack
        if gain >= LEAST_GAIN:
            gains.append((-gain, place, hole, told))
    return [(hole, told) for _, _, hole, told in sorted(gains, key=lambda one: one[:2])]
