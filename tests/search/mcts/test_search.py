"""The tree search as a whole: it finds small laws, and keeps the promises of the interface."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from scalesr.expr.canonical import canonical_key
from scalesr.expr.expression import Expression
from scalesr.expr.operators import Operators
from scalesr.records.budget import Budget, Progress
from scalesr.records.skeleton import Ranking
from scalesr.records.sweep import Sweep
from scalesr.search.mcts import MctsSearch
from scalesr.search.mcts.explore import Rewards, outer_step
from scalesr.search.mcts.families import Family
from scalesr.search.mcts.grammar import A
from scalesr.search.mcts.productions import default_grammar, spl_grammar
from scalesr.search.mcts.rollout import Draws
from scalesr.search.mcts.screen import QuickFits, few_rows
from scalesr.search.scoring import Scorer

X = np.linspace(0.1, 2.0, 50)
FOUND = 1e-10


def one_curve(y: np.ndarray) -> Sweep:
    return Sweep.from_groups([X], [y])


def run(sweep: Sweep, *, search: MctsSearch | None = None, seed: int = 0, progress=None, **limits) -> Ranking:
    chosen = search or MctsSearch()
    return chosen.search(sweep, Budget(**limits), rng=np.random.default_rng(seed), progress=progress)


def as_data(ranking: Ranking) -> list[tuple[str, float, bytes]]:
    return [(str(s.expression), s.error, s.constants.tobytes()) for s in ranking.skeletons]


@pytest.mark.parametrize(
    "law",
    [lambda x: x**3 + x**2 + x, lambda x: np.exp(-x) * np.sin(3 * x), lambda x: 2 / (x + 0.5) + x, np.sqrt],
    ids=["polynomial", "damped wave", "ratio", "root"],
)
def test_small_laws_are_found(law):
    ranking = run(one_curve(law(X)), n_fits=4000, target_error=FOUND)
    assert ranking.best is not None
    assert min(skeleton.error for skeleton in ranking.skeletons) <= FOUND


def test_a_law_in_two_variables_is_found():
    table = np.random.default_rng(5).uniform(0.5, 2.0, (60, 2))
    y = table[:, 0] * table[:, 1] / (table[:, 0] + table[:, 1])
    ranking = run(Sweep.from_groups([table], [y]), n_fits=6000, target_error=FOUND)
    assert min(skeleton.error for skeleton in ranking.skeletons) <= FOUND


def test_a_law_with_constants_of_each_groups_own_is_found():
    sweep = Sweep.from_groups([X, X, X], [a * np.exp(-b * X) + a for a, b in [(1, 0.5), (2, 1.5), (3, 1.0)]])
    ranking = run(sweep, n_fits=6000, target_error=FOUND)
    best = min(ranking.skeletons, key=lambda skeleton: skeleton.error)
    assert best.error <= FOUND
    assert len(best.constants) == 3


def test_the_published_algorithm_finds_a_polynomial():
    ranking = run(one_curve(X**3 + X**2 + X), search=MctsSearch.spl(), n_fits=3000, target_error=FOUND)
    assert min(skeleton.error for skeleton in ranking.skeletons) <= FOUND


def test_the_published_settings_are_spls():
    search = MctsSearch.spl()
    rules, plan = search.rules, search.schedule
    assert rules.weight == pytest.approx(2**-0.5)
    assert (rules.greed, rules.n_rollouts, rules.max_productions) == (0.8, 10, 50)
    assert (rules.eta, rules.n_together, rules.revisit) == (0.9999, 1, True)
    assert (plan.n_outer, plan.n_episodes, plan.n_modules, plan.module_sizes) == (20, 10_000, 5, (10, 50))


@pytest.mark.parametrize(("enough", "n_outer"), [(1e-5, 1), (-1.0, 3)], ids=["met", "never met"])
def test_no_outer_step_is_begun_once_the_best_formula_errs_little_enough(enough, n_outer):
    spl, stages = MctsSearch.spl(), set()
    search = replace(spl, schedule=replace(spl.schedule, n_outer=3, n_episodes=60, enough=enough))
    search.search(
        one_curve(3 * X), Budget(), rng=np.random.default_rng(0), progress=lambda state: stages.add(state.stage)
    )
    assert len(stages) <= n_outer
    assert any(f"step {n_outer} of 3" in stage for stage in stages)


@pytest.mark.parametrize("search", [MctsSearch(), MctsSearch.spl()], ids=["default", "spl"])
def test_the_same_seed_gives_the_same_ranking_with_any_number_of_threads(search):
    sweep = one_curve(np.sin(X**2) + X)
    rankings = [run(sweep, search=replace(search, n_threads=n), n_fits=400) for n in (1, 1, 2)]
    assert as_data(rankings[0]) == as_data(rankings[1]) == as_data(rankings[2])
    other = run(sweep, search=search, n_fits=400, seed=1)
    assert as_data(other) != as_data(rankings[0])


def test_a_limit_of_fits_is_kept_to_within_a_batch():
    ranking = run(one_curve(np.tan(X / 2) + X**2), n_fits=200)
    assert 200 <= ranking.n_fits < 200 + 64
    assert "200 fits" in ranking.ended


def test_a_time_limit_is_kept_even_where_nothing_new_is_left_to_fit():
    small = MctsSearch(operators=Operators("+"), coefficients=False)
    sweep = one_curve(np.sin(X))
    run(sweep, search=small, n_fits=1)  # compiled by now
    ranking = run(sweep, search=replace(small, rules=replace(small.rules, revisit=True)), seconds=0.3)
    assert ranking.seconds >= 0.3
    assert "time limit" in ranking.ended


def test_a_reached_target_ends_the_search():
    ranking = run(one_curve(3 * X + 1), target_error=1e-6)
    assert ranking.best is not None
    assert ranking.best.error <= 1e-6
    assert "target error" in ranking.ended


def test_an_interrupt_returns_the_best_so_far():
    seen: list[Progress] = []

    def interrupt(progress: Progress) -> None:
        seen.append(progress)
        if len(seen) == 3:
            raise KeyboardInterrupt

    ranking = run(one_curve(np.sin(X**2) + X), progress=interrupt)
    assert ranking.best is not None
    assert "interrupted" in ranking.ended
    assert seen[-1].stage.startswith("tree search, outer step 1")


def test_a_finished_tree_ends_its_outer_step():
    tiny = MctsSearch(operators=Operators("+"), coefficients=False)
    tiny = replace(
        tiny, rules=replace(tiny.rules, max_productions=3), schedule=replace(tiny.schedule, n_outer=1, n_episodes=1000)
    )
    ranking = run(one_curve(X + 1), search=tiny)
    assert ranking.n_scored == 4  # C, x, x + x and x + C
    assert "came to its end" in ranking.ended


class BadFits:
    """Fits that are not finite for all but a few families."""

    def __init__(self) -> None:
        self._bad = iter([np.nan, np.inf, np.nan, 4.0] * 100_000)

    def fitted(self, families: Sequence[Family]) -> tuple[list[Expression], np.ndarray]:
        return [family.representative() for family in families], np.array([next(self._bad) for _ in families])


class NoScores(Scorer):
    """A scorer that finds nothing finite."""

    def score(self, skeletons: Sequence[Expression]) -> np.ndarray:
        return np.full(len(skeletons), np.nan)


def test_errors_that_are_not_finite_never_poison_the_search():
    search, sweep = MctsSearch(), one_curve(X)
    judge = Rewards(NoScores(sweep, Budget()), search.rules, 5, BadFits())
    judge.max_size = 50
    grammar, draws = default_grammar(Operators("physics"), 1), Draws(np.random.default_rng(0))
    tree = outer_step(grammar, search.rules, judge, draws, 50)
    assert np.isfinite(tree.totals).all()
    assert 0 <= judge.best <= 1
    assert all(np.isfinite(module.error) for module in judge.modules.best)


def test_a_first_group_that_tells_nothing_does_not_hide_the_law():
    laws = [0 * X + 2, np.exp(-1.5 * X) * np.sin(3 * X) + 1, 3 * np.exp(-X) * np.sin(5 * X)]
    ranking = run(Sweep.from_groups([X, X, X], laws), n_fits=20_000, target_error=FOUND)
    assert min(skeleton.error for skeleton in ranking.skeletons) <= FOUND


def test_every_distinct_skeleton_counts_once_whether_fitted_to_few_rows_or_to_all():
    sweep = one_curve(np.tan(X / 2) + X**2)
    scorer, screen = Scorer(sweep, Budget(n_fits=500)), Met(few_rows(sweep))
    with scorer.running():
        MctsSearch().explore(scorer, rng=np.random.default_rng(0), screen=screen)
    assert len(set(screen.keys)) == len(screen.keys)
    assert scorer.n_scored <= len(screen.keys) <= scorer.n_scored + 64  # the last batch may be cut
    assert scorer.n_fits >= len(screen.keys)


class Met(QuickFits):
    """Quick fits that note which families they have met."""

    def __init__(self, few: Sweep) -> None:
        super().__init__(few)
        self.keys: list[str] = []

    def fitted(self, families: Sequence[Family]) -> tuple[list[Expression], np.ndarray]:
        self.keys += [canonical_key(family.written()) for family in families]
        return super().fitted(families)


def test_an_outer_step_leaves_modules_for_the_next_grammar():
    search = MctsSearch.spl()
    scorer = Scorer(one_curve(np.exp(-X) * X), Budget())
    judge = Rewards(scorer, search.rules, 5, QuickFits(few_rows(scorer.sweep)))
    judge.max_size = 10
    base = spl_grammar(search.operators, 1)
    outer_step(base, search.rules, judge, Draws(np.random.default_rng(0)), 60)
    grown = base.with_modules(judge.modules.productions(1.0))
    assert len(grown.choices[A]) == len(base.choices[A]) + 5
    assert max(grown.sizes) <= 10
    assert len({module.error for module in judge.modules.best}) == 5


@pytest.mark.parametrize("y", [np.full(50, 3.0), X * 1e100, X * 1e-100], ids=["constant", "huge", "tiny"])
def test_extreme_targets_are_fitted_without_complaint(y):
    ranking = run(one_curve(y), n_fits=150)
    assert ranking.best is not None
    assert ranking.best.error < 1e-8


def test_two_points_are_enough_to_run():
    ranking = run(Sweep.from_groups([[1.0, 2.0]], [[1.0, 3.0]]), n_fits=100)
    assert ranking.best is not None
