"""The steps of the method: each asks a stage, notes what came of it and lets the rows decide."""

from __future__ import annotations

import math
from collections.abc import Callable, Container

import numpy as np
from numpy.typing import NDArray

from scalesr.chain.chain import ChainResult, run_chain
from scalesr.control.control import Control
from scalesr.expr.expression import Expression, apply, constant
from scalesr.generator.choose import make_generator, quick_generator
from scalesr.generator.oracle import OracleGenerator
from scalesr.pipeline.config import PIPELINE
from scalesr.pipeline.curve_rows import exact_curve, noisy_curve
from scalesr.pipeline.lifting import Lifted
from scalesr.pipeline.noise import first_look, given_weights
from scalesr.pipeline.run import Run
from scalesr.pipeline.searches import chosen_search
from scalesr.pipeline.starts import starting_forms
from scalesr.records.dataset import Dataset
from scalesr.records.interfaces import Generator, Learner, Search
from scalesr.records.outcome import Kind, Outcome
from scalesr.records.precision import CLEAN, WIDE
from scalesr.records.proposal import Proposal
from scalesr.records.skeleton import Ranking
from scalesr.records.sweep import Sweep
from scalesr.reduce.columns import drop_idle
from scalesr.reduce.config import REDUCE
from scalesr.reduce.dimension_reduction import reduce_dimension
from scalesr.reduce.leading import Leading, confirmed, leading
from scalesr.reduce.reduction import Key, Reduction, applied, untouched
from scalesr.reduce.relevance import bring_back, drop_irrelevant, left_out
from scalesr.reduce.scale import rescaling
from scalesr.reduce.sparse import sparse_laws
from scalesr.reduce.units import dimensionless, only_product
from scalesr.reduce.view import other_targets
from scalesr.search.evolution.search import EvolutionSearch
from scalesr.search.exhaustive import ExhaustiveSearch
from scalesr.search.linear import LinearSearch, select_terms
from scalesr.search.linear.ratios import RatioSearch

Floats = NDArray[np.float64]


def in_groups(run: Run) -> Reduction | None:
    """The rows in dimensionless groups of the columns, where units are known and allow it."""
    if run.data.dimensions is None:
        return None
    with run.stage("reduce") as note:
        transformation = dimensionless(run.data)
        if transformation is None:
            note.summary = "The units of the columns leave no dimensionless groups to search in."
            found = only_product(run.data)
            run.offer([] if found is None else [Proposal(apply("*", constant(1.0), found), "dimensional analysis")])
            return None
        start = untouched(run.data)
        groups = ", ".join(start.text(group) for group in transformation.new)
        note.summary = f"By their units the columns enter as {groups}, times {start.text(transformation.factor)}."
        return applied(transformation, start, weighted=True)


def in_usual_units(run: Run, start: Reduction) -> Reduction:
    """Columns and target of magnitudes near one, without columns that say nothing."""
    with run.stage("reduce") as note:
        here, idle = drop_idle(start)
        transformation = rescaling(here.data)
        scaled = None if transformation is None else applied(transformation, here)
        note.summary = f"{here.data.n_rows} rows of {here.told_names}."
        note.rejected = idle
        return here if scaled is None else scaled


class SparseLaws:
    """Sparse linear and rational laws of one problem, with the target as it is or transformed."""

    def __init__(self, run: Run, here: Reduction) -> None:
        self._run, self._here = run, here
        self.best: list[Expression] = []  # laws of the problem's own columns so far, the best first
        operators = run.settings.operators
        looks = sparse_laws(
            here.data,
            operators=operators,
            linear=run.search(LinearSearch(operators), "linear"),
            screen=run.search(LinearSearch.quick(operators), "screen"),
            ratios=run.search(RatioSearch(operators), "ratios"),
            stop=run.stop,
            rng=run.rng,
            learn=self._learned,
        )
        self._looks = looks if run.settings.plain_laws else iter(())

    def _learned(self, data: Dataset) -> Generator | None:
        """What tells the target without its noise, None as long as none is known."""
        return learner(self._run, self._run.rng)(data) if self._run.has_noise else None

    def look_once(self) -> None:
        """Take the next look, if there is one."""
        with self._run.stage("reduce") as note:
            note.summary = f"Sparse linear and rational laws of {self._here.told_names}."
            self._offer(next(self._looks, []))

    def look_quickly(self) -> None:
        """Take the quick looks: at functions of the target, and at ratios."""
        for _ in range(PIPELINE.n_quick_looks):
            self.look_once()

    def look_fully(self) -> None:
        """Take all looks that are left."""
        with self._run.stage("reduce") as note:
            note.summary = f"More sparse laws of {self._here.told_names}."
            for found in self._looks:
                self._offer(found)

    def _offer(self, found: list[Proposal]) -> None:
        self.best = [proposal.expression for proposal in found] or self.best
        self._run.offer([_restored(self._here, proposal) for proposal in found])


def weigh_rows(run: Run, data: Dataset, slopes: Floats | None = None) -> bool:
    """Look at the noise through a function learned of `data`; returns whether rows do not count alike from here on.

    `data` are the rows of the run, with other columns perhaps and perhaps with a function of the target, of which
    `slopes` (rows,) are the derivatives.
    """
    if run.was_weighed or run.data.n_rows < PIPELINE.enough_to_learn:
        return False
    if (given := run.data.given_noise) is not None and given.noise is not None and not given.outliers:
        return _weigh_as_given(run)
    with run.stage("noise") as note:
        apart = run.rng.spawn(1)[0]  # a look at clean rows leaves the numbers of the searches as they are
        found = first_look(data, learner(run, apart), rng=apart)
        note.summary = "A learned function shows no noise." if found.noise is None else found.noise.sentence
        run.has_noise, run.was_noise_looked_at = found.noise is not None, True
        run.learned_cost = found.cost if data is run.data and math.isfinite(found.cost) else None
        if found.weights is None:
            return False
        weights = found.weights if slopes is None else found.weights * (slopes / np.abs(slopes).max()) ** 2
        run.weigh(weights)
        return True


def _weigh_as_given(run: Run) -> bool:
    """Let the rows count by the noise that the user knows; no look at the rows tells more."""
    known = run.data.given_noise
    run.has_noise = known is not None and known.noise is not None and known.noise.kind != "exact"
    run.was_noise_looked_at = True
    weights = given_weights(run.data)
    if weights is None:
        return False
    run.weigh(weights)
    return True


def leading_columns(run: Run, here: Reduction) -> Leading:
    """The columns that are looked at first, where there are many."""
    if here.data.n_variables <= WIDE:
        return leading(here)
    with run.stage("reduce") as note:
        found = leading(here)
        note.summary = found.sentence
        return found


def with_enough_columns(run: Run, here: Reduction, few: Leading) -> Leading:
    """The leading columns, with more where they are not enough, and whether the rest can be left out."""
    if few.is_enough or here.data.n_rows < PIPELINE.enough_to_learn:
        return few
    with run.stage("reduce") as note:
        found = confirmed(here, few, learn=learner(run, run.rng), rng=run.rng)
        note.summary = found.sentence
        return found


def without_irrelevant(run: Run, here: Reduction) -> Reduction:
    """The columns that matter."""
    with run.stage("reduce") as note:
        if here.data.n_variables == 1 or here.data.n_rows < PIPELINE.enough_to_learn:
            note.summary = "All columns are kept."
            return here
        kept = drop_irrelevant(here, learn=learner(run, run.rng), rng=run.rng, stop=run.stop)
        note.summary, note.rejected = kept.sentence, kept.rejected
        return kept.reduction


def with_fewer_columns(run: Run, here: Reduction, known: Container[Key]) -> Reduction | None:
    """One variable fewer or more, where a symmetry that the rows confirm allows it; rather one that is not known."""
    if here.data.n_variables == 1:
        return None
    with run.stage("reduce") as note:
        if here.data.n_rows < PIPELINE.enough_to_transform:
            note.summary = f"{here.data.n_rows} rows are too few to learn symmetries from."
            return None
        operators = run.settings.operators
        found = reduce_dimension(
            here, operators=operators, learn=learner(run, run.rng), rng=run.rng, stop=run.stop,
            is_noisy=run.has_noise, known=known,
        )  # fmt: skip
        note.summary = found.sentence or "The rows confirm no symmetry."
        note.rejected = found.rejected
        return found.reduction


def with_needed(run: Run, here: Reduction, wider: Reduction) -> Reduction:
    """The dataset after a transformation, with the columns left out before that it turns out to need."""
    if not left_out(here, wider):
        return here
    with run.stage("reduce") as note:
        back = bring_back(here, wider, learn=learner(run, run.rng), rng=run.rng, stop=run.stop)
        note.summary, note.rejected = back.sentence, back.rejected
        return back.reduction


def search_rows(run: Run, here: Reduction) -> None:
    """Formulas in the one variable that is left, fitted to the rows themselves."""
    _search_rows(run, here, run.search(chosen_search(run.settings), "curves"))


def search_small_forms(run: Run, here: Reduction) -> None:
    """The same up to a size that takes seconds: under noise the one variable may be owed to chance."""
    search = ExhaustiveSearch(run.settings.operators, max_size=PIPELINE.small_forms, n_threads=run.settings.n_jobs)
    _search_rows(run, here, run.search(search, "small curves"))


def _search_rows(run: Run, here: Reduction, search: Search) -> None:
    with run.stage("search") as note:
        sweep = _curve(run, here.data)
        budget = run.stop.budget(n_fits=min(PIPELINE.fits_of_a_curve, _most_of_a_curve(here)))
        ranking = search.search(sweep, budget, rng=run.rng, progress=run.watch("search"))
        note.summary = f"One variable is left, {here.data.names[0]}: {ranking.sentence}"
        run.rule_out(ranking)
        run.offer(
            _laws(
                here, ranking, "search in one variable", PIPELINE.n_offered_noisy if sweep.noise else PIPELINE.n_offered
            )
        )


def search_by_control_variables(run: Run, here: Reduction) -> ChainResult:
    """One variable after the other moves while the rest is held; once more where a budget was spent on the way."""
    could_ask = _may_ask(run)
    found = _search_by_control_variables(run, here)
    if could_ask and not _may_ask(run):
        return _search_by_control_variables(run, here)
    return found


def _search_by_control_variables(run: Run, here: Reduction) -> ChainResult:
    with run.stage("generator") as note:
        generator, rejected = _generator(run, here)
        note.summary, note.rejected = generator.description, rejected
        note.outcome = Outcome(Kind.GENERATOR, True, generator.noise / (here.data.std or 1.0))
    control = Control(here.data, generator, int(run.rng.integers(2**32)), samples=run.settings.samples)
    found = run_chain(
        here.data,
        control,
        search=run.search(chosen_search(run.settings), "curves"),
        linear=run.search(LinearSearch(run.settings.operators), "linear"),
        select=select_terms,
        rng=run.rng,
        deadline=run.stop,
        progress=run.watch("control"),
        tell=run.add_step,
    )
    run.offer([_restored(here, proposal) for proposal in found.proposals])
    run.check()
    run.stop_if_found()
    return found


def breed(run: Run, here: Reduction, plain: SparseLaws, n_fits: int = PIPELINE.bred_at_once) -> None:
    """Formulas in all variables for a while: what no sum, ratio or chain of one-variable searches would come upon."""
    _breed(run, here, _known_forms(plain, None), n_fits)
    run.stop_if_found(n_searches=max(n_fits // PIPELINE.bred_at_once, 1))


def search_all_variables(run: Run, here: Reduction, plain: SparseLaws, chain: ChainResult | None) -> None:
    """All variables at once, the last resort; it begins with what was found of the same problem.

    The target and what it is seen through take turns, each going on from what it had bred before.
    """
    start = _known_forms(plain, chain)
    if here.data.n_variables == 1:  # forms of a curve have been gone through by size
        _breed(run, here, start, min(PIPELINE.fits_of_a_turn, _most_of_a_curve(here)))
        return
    others = other_targets(here, run.settings.operators, _expected(run, here.data))
    for _ in range(PIPELINE.turns_of_a_table):
        _breed(run, here, start, PIPELINE.fits_of_a_turn)
        for other in others:
            _breed(run, other, (), PIPELINE.fits_of_a_turn)
        run.stop_if_found(n_searches=(1 + len(others)) * PIPELINE.fits_of_a_turn // PIPELINE.bred_at_once)


def _most_of_a_curve(here: Reduction) -> int:
    """Fits in one variable, where few rows cannot tell many formulas apart: the smallest have been tried by then."""
    return PIPELINE.fits_per_row * here.data.n_rows


def _expected(run: Run, data: Dataset) -> Floats | None:
    """The target without its noise, as a learned function tells it; None as long as no noise is known."""
    return learner(run, run.rng)(data).predict(data.table) if run.has_noise else None


def _breed(run: Run, here: Reduction, start: tuple[Expression, ...], n_fits: int) -> None:
    with run.stage("search") as note:
        transformation = rescaling(here.data, REDUCE.near_one)
        scaled = (None if transformation is None else applied(transformation, here)) or here
        sweep = scaled.data.thinned(PIPELINE.rows_of_a_table).sweep()
        start = (*run.bred.get(here.key, ()), *run.best_for(scaled, PIPELINE.n_offered), *start)
        inner = EvolutionSearch(operators=run.settings.operators, start=start, n_threads=run.settings.n_jobs)
        search = run.search(inner, f"table from {', '.join(map(str, start))}")
        budget = run.stop.budget(n_fits=n_fits)
        ranking = search.search(sweep, budget, rng=run.rng, progress=run.watch("search"))
        run.bred[here.key] = tuple(one.in_group(0) for one in ranking.skeletons[: PIPELINE.n_offered])
        note.summary = f"All variables at once: {ranking.sentence}"
        run.offer(_laws(scaled, ranking, "search in all variables"))


def _generator(run: Run, here: Reduction) -> tuple[Generator, tuple[str, ...]]:
    """The generator that is asked for, and what was not taken; an oracle as long as its budget lasts."""
    kind = run.settings.generator
    if isinstance(kind, str | Learner):
        return make_generator(here.data, kind, rng=run.rng, stop=run.stop)
    if run.questions is not None and _may_ask(run):
        is_whole = here.data.names == run.data.names
        answers = run.questions if is_whole else Lifted(run.questions, run.data, here)
        return OracleGenerator(answers, here.data), ()
    learned, rejected = make_generator(here.data, "auto", rng=run.rng, stop=run.stop)
    return learned, ("the given function: its budget is spent", *rejected)


def _may_ask(run: Run) -> bool:
    """Whether there is an oracle and its budget allows for curves."""
    return run.questions is not None and run.questions.may_ask(PIPELINE.enough_to_ask)


def learner(run: Run, rng: np.random.Generator) -> Callable[[Dataset], Generator]:
    """Quick generators that differ by nothing but their rows; none is begun, or gone on with, when the time is up."""
    seed = int(rng.integers(2**32))

    def learn(data: Dataset) -> Generator:
        run.stop.check()
        return quick_generator(data, rng=np.random.default_rng(seed), check=run.stop.check)

    return learn


def _known_forms(plain: SparseLaws, chain: ChainResult | None) -> tuple[Expression, ...]:
    """Laws of the chain and the best plain ones, and what the curves over single variables look like."""
    if chain is None:
        return starting_forms(plain.best, ())
    return starting_forms([*(one.expression for one in chain.proposals), *plain.best], chain.parts)


def _laws(here: Reduction, ranking: Ranking, origin: str, n_offered: int = PIPELINE.n_offered) -> list[Proposal]:
    """The best skeletons of one group and the Pareto front as laws of the original target."""
    chosen = dict.fromkeys([*ranking.skeletons[:n_offered], *ranking.front])
    return [Proposal(here.restore(skeleton.in_group(0)), origin) for skeleton in chosen]


def _restored(here: Reduction, proposal: Proposal) -> Proposal:
    return Proposal(here.restore(proposal.expression), proposal.origin)


def _curve(run: Run, data: Dataset) -> Sweep:
    """The rows of one variable, for a search."""
    if data.n_rows < PIPELINE.enough_to_learn:
        return exact_curve(data, None)  # too few to estimate their noise
    is_clean = learner(run, run.rng)(data).noise < CLEAN * data.std
    return exact_curve(data, 0.0) if is_clean else noisy_curve(data)
