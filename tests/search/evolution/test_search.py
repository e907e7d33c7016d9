"""Evolution finds laws of several variables under noise, repeats itself and keeps to its budget."""

from __future__ import annotations

import numpy as np
import pytest

from scalesr.expr.evaluate import evaluate
from scalesr.expr.text import parse
from scalesr.records.budget import Budget
from scalesr.records.skeleton import Ranking
from scalesr.records.stop import Stop
from scalesr.records.sweep import Sweep
from scalesr.search.evolution.search import EvolutionSearch


def table(law: str, n_variables: int, *, noise: float = 0.0, n_rows: int = 400) -> Sweep:
    rng = np.random.default_rng(0)
    x = rng.uniform(0.5, 2.5, (n_rows, n_variables))
    y = evaluate(parse(law), x)
    y = y + noise * y.std() * rng.normal(size=n_rows)
    return Sweep.from_groups([x], [y])


def bred(sweep: Sweep, *, n_fits: int, seed: int = 0, n_threads: int = 1) -> Ranking:
    search = EvolutionSearch(n_threads=n_threads)
    return search.search(sweep, Budget(n_fits=n_fits), rng=np.random.default_rng(seed))


@pytest.mark.parametrize(
    ("law", "n_variables"),
    [("x0/(1 + x1*x2)", 3), ("x0*exp(-0.7*x1/x2)", 3), ("x0/(1 + 0.8*x0*sin(0.5*x1)^2)", 2)],
)
def test_under_noise_no_formula_is_preferred_to_the_law_by_much(law: str, n_variables: int) -> None:
    noise = 0.1
    ranking = bred(table(law, n_variables, noise=noise), n_fits=30_000)
    best = ranking.best
    assert best is not None
    x = np.random.default_rng(9).uniform(0.5, 2.5, (500, n_variables))
    truth = evaluate(parse(law), x)
    found = evaluate(best.in_group(0), x)
    assert np.sqrt(np.mean((found - truth) ** 2)) < 0.25 * noise * truth.std()


def test_a_law_without_noise_ends_the_search() -> None:
    ranking = bred(table("x0*x1/(x0 + x1)", 2), n_fits=200_000)
    assert ranking.best is not None
    assert ranking.best.error < 1e-12
    assert ranking.n_fits < 200_000


def test_the_same_seed_gives_the_same_ranking_with_any_number_of_threads() -> None:
    sweep = table("x0*sin(x1) + x2", 3, noise=0.05)
    one, two = bred(sweep, n_fits=4_000, n_threads=1), bred(sweep, n_fits=4_000, n_threads=2)
    assert [str(skeleton.expression) for skeleton in one.skeletons] == [str(s.expression) for s in two.skeletons]
    assert all((a.constants == b.constants).all() for a, b in zip(one.skeletons, two.skeletons, strict=True))
    other = bred(sweep, n_fits=4_000, seed=1)
    assert [str(skeleton.expression) for skeleton in other.skeletons] != [str(s.expression) for s in one.skeletons]


def test_a_given_formula_is_where_it_begins() -> None:
    law = "x0*tanh(0.3*x1^2 - x2/x3)/(1 + 0.2*x3^1.7)"
    sweep = table(law, 4)
    search = EvolutionSearch(start=(parse(law),))
    ranking = search.search(sweep, Budget(n_fits=300), rng=np.random.default_rng(0))
    assert ranking.best is not None
    assert ranking.best.error < 1e-9


def test_a_stop_keeps_the_best_so_far_and_counts_the_work() -> None:
    stop = Stop(work=500)
    ranking = EvolutionSearch().search(table("x0/(1 + x1)", 2, noise=0.1), stop.budget(), rng=np.random.default_rng(0))
    assert ranking.best is not None
    assert "500 units of work" in ranking.ended
    assert 500 <= stop.spent < 700


def test_few_rows_allow_few_constants() -> None:
    rng = np.random.default_rng(3)
    sweep = Sweep.from_groups([rng.normal(size=(12, 2))], [rng.normal(size=12)])
    ranking = bred(sweep, n_fits=3_000)
    assert max(skeleton.expression.n_open for skeleton in ranking.skeletons) <= 12 // 3 + 1


def test_groups_with_constants_of_their_own_are_refused() -> None:
    x = np.linspace(0, 1, 9)
    sweep = Sweep.from_groups([x, x], [x, 2 * x])
    with pytest.raises(ValueError, match="2"):
        bred(sweep, n_fits=10)
