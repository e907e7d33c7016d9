"""The genetic search finds small laws, keeps to its budget and repeats itself."""

from __future__ import annotations

import numpy as np
import pytest

from scalesr.expr.canonical import canonical_key
from scalesr.expr.evaluate import evaluate
from scalesr.expr.fitting import Effort
from scalesr.expr.operators import Operators
from scalesr.expr.text import parse
from scalesr.records.budget import Budget, Progress
from scalesr.records.interfaces import Search
from scalesr.records.skeleton import Ranking
from scalesr.records.sweep import Sweep
from scalesr.search.genetic.coefficients import with_coefficients, without_coefficients
from scalesr.search.genetic.population import Nursery, Population, children, first_members, random_members
from scalesr.search.genetic.reduction import reductions
from scalesr.search.genetic.search import GeneticSearch
from scalesr.search.genetic.symbols import Symbols
from scalesr.search.genetic.variation import SizeLimits

X = np.linspace(0.2, 3.0, 25)
QUICK = GeneticSearch(population=60, patience=5, effort=Effort(n_screened=8, n_polished=2))
TARGET = Budget(n_fits=4000, target_error=1e-9)
PHYSICS = Symbols.over(Operators("physics"), 2)


def curve(text: str, x: np.ndarray = X) -> Sweep:
    return Sweep.from_groups([x], [evaluate(parse(text), x[:, np.newaxis])])


def ranked(search: Search, sweep: Sweep, budget: Budget, seed: int = 0) -> Ranking:
    return search.search(sweep, budget, rng=np.random.default_rng(seed))


@pytest.mark.parametrize(
    "law",
    ["2.5*x0^2 - x0 + 0.3", "2*sin(x0)*exp(x0) + 1", "3*exp(-0.8*x0)", "sqrt(x0)", "1.7*x0/(x0 + 0.6)", "x0^1.37"],
)
def test_a_small_law_is_found_to_rounding(law: str) -> None:
    ranking = ranked(QUICK, curve(law), TARGET)
    assert ranking.best is not None
    assert ranking.best.error < 1e-9
    assert ranking.ended == "The target error of 1e-09 was reached."
    fresh = np.linspace(0.25, 2.9, 77)[:, np.newaxis]
    np.testing.assert_allclose(evaluate(ranking.best.in_group(0), fresh), evaluate(parse(law), fresh), atol=1e-7)


def test_what_carries_nothing_is_taken_away() -> None:
    ranking = ranked(QUICK, curve("sqrt(x0)"), TARGET)
    assert ranking.best is not None
    assert str(ranking.best.expression) == "sqrt(x0)"


def test_one_skeleton_serves_three_groups_with_constants_of_their_own() -> None:
    laws = ["1.5*sin(2*x0) + 1", "-0.4*sin(2.5*x0) + 2", "3*sin(1.2*x0)"]
    targets = [evaluate(parse(law), X[:, np.newaxis]) for law in laws]
    ranking = ranked(QUICK, Sweep.from_groups([X] * 3, targets), Budget(n_fits=12000, target_error=1e-9))
    assert ranking.best is not None
    assert ranking.best.error < 1e-9
    assert ranking.best.constants.shape == (3, ranking.best.expression.n_open)
    assert ranking.n_fits == 3 * ranking.n_scored


def test_a_law_of_two_variables_is_found() -> None:
    table = np.random.default_rng(0).uniform(0.5, 2.0, (40, 2))
    law = parse("2*x0*x1 + sin(x1)")
    ranking = ranked(QUICK, Sweep.from_groups([table], [evaluate(law, table)]), TARGET)
    assert ranking.best is not None
    assert ranking.best.error < 1e-9
    assert ranking.best.expression.variables == (0, 1)


def test_noise_does_not_buy_a_larger_law() -> None:
    y = 2 * X**2 + 1 + np.random.default_rng(3).normal(0, 0.05, len(X))
    ranking = ranked(QUICK, Sweep.from_groups([X], [y], noise=0.05), Budget(n_fits=800))
    assert ranking.best is not None
    assert ranking.best.within_noise
    assert ranking.best.expression.n_open <= 3


def same(a: Ranking, b: Ranking) -> bool:
    return [s.expression for s in a.skeletons] == [s.expression for s in b.skeletons] and all(
        np.array_equal(s.constants, t.constants) for s, t in zip(a.skeletons, b.skeletons, strict=True)
    )


def test_the_same_seed_gives_the_same_ranking_with_one_thread_and_two() -> None:
    sweep, budget = curve("log(x0 + 1.3) + 0.2*x0^3"), Budget(n_fits=400)
    two = GeneticSearch(population=60, patience=5, effort=QUICK.effort, n_threads=2)
    first = ranked(QUICK, sweep, budget, seed=4)
    assert same(first, ranked(QUICK, sweep, budget, seed=4))
    assert same(first, ranked(two, sweep, budget, seed=4))
    assert not same(first, ranked(QUICK, sweep, budget, seed=5))


def test_the_limit_of_fits_is_kept_and_said() -> None:
    ranking = ranked(QUICK, curve("tanh(x0) + x0^0.3"), Budget(n_fits=200))
    assert ranking.ended == "The limit of 200 fits was reached."
    assert 200 <= ranking.n_fits < 200 + 64
    assert ranking.skeletons


def test_a_target_of_zero_is_reached_by_an_exact_law() -> None:
    assert ranked(QUICK, curve("x0"), Budget(target_error=0)).ended == "The target error of 0 was reached."


@pytest.mark.parametrize(
    "limits", [SizeLimits(max_nodes=1), SizeLimits(max_open=0), SizeLimits(max_nodes=2, nesting=0)]
)
def test_the_narrowest_limits_leave_a_formula(limits: SizeLimits) -> None:
    ranking = ranked(GeneticSearch(limits=limits, population=10, max_generations=5), curve("x0^2"), Budget(n_fits=100))
    assert ranking.best is not None


@pytest.mark.parametrize("option", ["population", "patience", "max_generations"])
def test_an_option_of_zero_is_refused(option: str) -> None:
    with pytest.raises(ValueError, match="1 or more"):
        GeneticSearch(**{option: 0})


def test_no_time_at_all_gives_an_empty_ranking() -> None:
    ranking = ranked(QUICK, curve("x0^2"), Budget(seconds=0))
    assert ranking.ended == "The time limit of 0 s was reached."
    assert ranking.best is None


def test_generations_end_a_search_without_a_budget() -> None:
    ranking = ranked(GeneticSearch(population=20, max_generations=3), curve("tan(x0/3) + x0^0.3"), Budget())
    assert ranking.ended == "The search came to its end."
    assert 0 < ranking.n_scored < 500


def test_a_search_ends_when_nothing_is_left_to_find() -> None:
    small = GeneticSearch(operators=Operators("+"), limits=SizeLimits(max_nodes=3, max_open=1), population=10)
    ranking = ranked(small, curve("x0^3"), Budget())
    assert ranking.ended == "The search came to its end."
    assert ranking.best is not None


def test_an_interrupt_returns_the_best_so_far() -> None:
    reports: list[Progress] = []

    def interrupt(progress: Progress) -> None:
        reports.append(progress)
        if len(reports) == 3:
            raise KeyboardInterrupt

    rng = np.random.default_rng(0)
    ranking = QUICK.search(curve("tanh(x0) + x0^0.3"), Budget(), rng=rng, progress=interrupt)
    assert ranking.ended == "The search was interrupted."
    assert ranking.best is not None
    assert ranking.n_scored == reports[-1].n_scored
    assert reports[-1].stage.startswith("generation ")


def test_functions_are_nested_only_when_asked() -> None:
    sweep, operators = curve("sin(exp(x0))"), Operators("+", "*", "sin", "exp")
    for nesting, is_found in ((1, False), (2, True)):
        search = GeneticSearch(
            operators=operators, limits=SizeLimits(max_nodes=15, max_open=5, nesting=nesting), population=60
        )
        best = ranked(search, sweep, Budget(n_fits=600, target_error=1e-9)).best
        assert best is not None
        assert (best.error < 1e-9) == is_found


@pytest.mark.parametrize(
    "y",
    [np.full(25, 3.0), np.zeros(25), 1e120 * X, 1e-120 * X**2],
    ids=["constant", "zero", "huge", "tiny"],
)
def test_constant_and_extreme_targets_are_described(y: np.ndarray) -> None:
    best = ranked(QUICK, Sweep.from_groups([X], [y]), TARGET).best
    assert best is not None
    assert best.error < 1e-9


@pytest.mark.parametrize(
    ("form", "fitted"),
    [
        ("x0", "C*x0 + C"),
        ("x0 - sin(x1)", "C*x0 + C*sin(x1) + C"),
        ("C + x0*x1", "C + C*x0*x1"),
        ("-(x0 + C) - x1", "C*x0 + C*x1 + C"),
        ("C", "C"),
    ],
)
def test_every_term_gets_a_factor_and_the_sum_a_constant(form: str, fitted: str) -> None:
    assert canonical_key(with_coefficients(parse(form), 10)) == canonical_key(parse(fitted))


def test_a_form_that_would_have_too_many_constants_is_fitted_as_it_is() -> None:
    form = parse("x0 + C*sin(C*x0) + exp(x0)")
    assert with_coefficients(form, 5) == form
    assert with_coefficients(form, 6).n_open == 6


def test_reductions_take_one_operator_away_or_make_a_power_whole() -> None:
    found = {canonical_key(form) for form in reductions(parse("C*x0^C + x1"), PHYSICS)}
    smaller = ["x1", "C*x0^C", "C + x1", "x0^C + x1", "C*x0 + x1", "C*x0^2 + x1", "C*x0^3 + x1", "C*sqrt(x0) + x1"]
    assert found == {canonical_key(parse(text)) for text in smaller}


def test_the_best_of_two_generations_go_on() -> None:
    a, b, c, d = (parse(text) for text in ("x0", "x1", "x0*x1", "x0 - x1"))
    population = Population((a, b), np.array([1.0, 5.0])).followed_by([c, d], np.array([3.0, np.inf]), 3)
    assert population.members == (a, c, b)
    assert population.scores.tolist() == [1.0, 3.0, 5.0]


def test_a_family_joins_a_population_once() -> None:
    nursery = Nursery(PHYSICS, SizeLimits(max_nodes=5), max_open=10)
    assert nursery.admits(parse("x0*x1"))
    assert not nursery.admits(parse("C - x1*x0"))  # the same with implicit coefficients
    assert not nursery.admits(parse("x0 + x1*x0*x0"))
    assert nursery.admits(parse("x0 + x1"))


def test_children_are_new_and_within_the_limits() -> None:
    rng, limits = np.random.default_rng(0), SizeLimits(max_nodes=9, max_open=2)
    nursery = Nursery(PHYSICS, limits, max_open=10)
    members = random_members(nursery, 40, rng)
    made = children(Population(tuple(members), np.arange(40.0)), nursery, 40, rng)
    assert len(members) == len(made) == 40
    assert all(limits.allow(child) for child in made)
    assert len({canonical_key(with_coefficients(one, 10)) for one in [*members, *made]}) == 80


@pytest.mark.parametrize(
    ("formula", "form"),
    [
        ("2*x0*x1 + 3", "x0*x1"),
        ("5 - 1.5*sin(2*x0)/4", "sin(C*x0)"),
        ("2*x0^2/(x1 + 3) + 7*x1", "x0^2/(x1 + C) + x1"),
        ("4/(x0 + 1)", "C/(x0 + C)"),
        ("C*x0 + C", "x0"),
    ],
)
def test_a_formula_is_bred_without_its_coefficients(formula: str, form: str) -> None:
    bare = without_coefficients(parse(formula))
    assert bare is not None
    assert canonical_key(bare) == canonical_key(parse(form))


def test_a_constant_is_nothing_to_breed() -> None:
    assert without_coefficients(parse("2 + C*3")) is None


def test_given_formulas_are_no_more_than_half_of_the_first_members() -> None:
    nursery = Nursery(PHYSICS, SizeLimits(), SizeLimits().max_open)
    given = [parse(f"x0^{n}") for n in range(2, 40)]
    made = first_members(nursery, 20, np.random.default_rng(0), given)
    assert made[:10] == given[:10]
    assert len(made) == 20
    assert not set(made[10:]) & set(given[10:])
