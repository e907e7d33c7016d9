"""Weights of rows: they count in every search as they do in weighted least squares."""

from __future__ import annotations

import numpy as np
import pytest

from scalesr.expr.canonical import canonical_key
from scalesr.expr.evaluate import evaluate
from scalesr.expr.fitting import Effort
from scalesr.expr.operators import Operators
from scalesr.expr.text import parse
from scalesr.records.budget import Budget
from scalesr.records.interfaces import Search
from scalesr.records.skeleton import Ranking, Skeleton
from scalesr.records.sweep import Sweep
from scalesr.search.exhaustive import ExhaustiveSearch
from scalesr.search.genetic.search import GeneticSearch
from scalesr.search.hybrid.search import NggpSearch
from scalesr.search.linear import LinearSearch
from scalesr.search.linear.ratios import RatioSearch
from scalesr.search.mcts import MctsSearch
from scalesr.search.policy.search import DsrSearch
from scalesr.search.residual import has_structure
from scalesr_bench.adapters.adapter import ExternalSearch

ARITHMETIC = Operators("+", "-", "*", "/")
QUICK = Effort(n_screened=4, n_polished=1, polish_trials=10, final_trials=30)
N_FITS = 150


class Guess:
    """Someone else's regressor, which always answers a straight line."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> None:
        """Learn nothing."""

    def predict(self, X: np.ndarray) -> np.ndarray:
        return X[:, 0]


SEARCHES: dict[str, Search] = {
    "exhaustive": ExhaustiveSearch(ARITHMETIC, max_size=4),
    "mcts": MctsSearch(ARITHMETIC, effort=QUICK),
    "gp": GeneticSearch(operators=ARITHMETIC, population=40, effort=QUICK),
    "dsr": DsrSearch(ARITHMETIC, batch_size=100, n_batches=3, effort=QUICK),
    "nggp": NggpSearch(ARITHMETIC, batch_size=60, n_batches=2, effort=QUICK),
    "linear": LinearSearch.quick(ARITHMETIC),
    "ratios": RatioSearch(ARITHMETIC),
    "external": ExternalSearch(lambda seed, seconds: Guess(), lambda _: [parse("2*x0 + 1")]),
}


def ranked(search: Search, sweep: Sweep, n_fits: int = N_FITS) -> Ranking:
    return search.search(sweep, Budget(n_fits=n_fits), rng=np.random.default_rng(0))


def numbers(ranking: Ranking) -> list[tuple[str, float, float, bool, list[float]]]:
    return [
        (str(s.expression), s.error, s.score, s.within_noise, s.constants.ravel().tolist()) for s in ranking.skeletons
    ]


def uneven(n_rows: int = 40, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A line whose rows have errors of sizes from 0.01 to 1: x, y and the right weights."""
    rng = np.random.default_rng(seed)
    x, sigma = np.linspace(0.5, 3.0, n_rows), 10 ** rng.uniform(-2, 0, n_rows)
    return x, 1.5 * x + 2 + sigma * rng.standard_normal(n_rows), sigma**-2


@pytest.mark.parametrize("name", SEARCHES)
def test_constants_and_errors_are_those_of_weighted_least_squares(name: str) -> None:
    x, y, weights = uneven()
    ranking = ranked(SEARCHES[name], Sweep.from_groups([x], [y], weights=[weights]))

    def loss(skeleton: Skeleton, factors: np.ndarray) -> float:
        values = evaluate(skeleton.expression.bind(skeleton.constants[0] * factors), x[:, np.newaxis])
        return float(weights @ (y - values) ** 2)

    plain = min(
        (s for s in ranking.skeletons if s.expression.n_open), key=lambda s: (s.expression.n_open, s.complexity)
    )
    n_open = plain.expression.n_open
    least = loss(plain, np.ones(n_open))
    spread = weights @ (y - np.average(y, weights=weights)) ** 2
    assert plain.error == pytest.approx(np.sqrt(least / spread), rel=1e-9)
    for change in 1e-3 * np.concatenate([np.eye(n_open), -np.eye(n_open)]):
        assert loss(plain, 1 + change) > least


@pytest.mark.parametrize("name", SEARCHES)
def test_equal_weights_are_no_weights_and_rows_of_weight_zero_are_absent(name: str) -> None:
    x, y, weights = uneven()
    plain = numbers(ranked(SEARCHES[name], Sweep.from_groups([x], [y], noise=0.3)))
    assert numbers(ranked(SEARCHES[name], Sweep.from_groups([x], [y], noise=0.3, weights=[np.ones(40)]))) == plain
    some = np.arange(40) % 3 > 0
    absent = Sweep.from_groups([x[some]], [y[some]], noise=0.3, weights=[weights[some]])
    nothing = Sweep.from_groups([x], [np.where(some, y, 1e6)], noise=0.3, weights=[weights * some])
    assert numbers(ranked(SEARCHES[name], absent)) == numbers(ranked(SEARCHES[name], nothing)) != plain


@pytest.mark.parametrize("name", ["exhaustive", "linear", "ratios"])
def test_a_law_under_uneven_errors_is_found_by_the_right_weights_only(name: str) -> None:
    law = "C*x0/(x0 + C)" if name == "ratios" else "C*x0^3 + C"
    found = {"right": 0, "none": 0}
    search: Search = {
        "exhaustive": ExhaustiveSearch(max_size=4), "linear": LinearSearch(), "ratios": RatioSearch(),
    }[name]  # fmt: skip
    for seed in range(3):
        rng = np.random.default_rng(seed)
        x = np.linspace(0.3, 3.0, 60)
        sigma = np.where(rng.random(60) < 0.5, 0.002, 3.0)
        y = (3 * x / (x + 0.7) if name == "ratios" else 0.1 * x**3 + 1) + sigma * rng.standard_normal(60)
        for kind, weights in (("right", sigma**-2.0), ("none", np.ones(60))):
            noise = float(1 / np.sqrt(np.mean(weights))) if kind == "right" else float(np.sqrt(np.mean(sigma**2)))
            ranking = ranked(search, Sweep.from_groups([x], [y], noise=noise, weights=[weights]), 2500)
            assert ranking.best is not None
            found[kind] += canonical_key(ranking.best.expression) == canonical_key(parse(law))
    assert found["right"] == 3 > found["none"]


def test_noise_of_the_right_weights_is_hardly_ever_called_structure_and_a_wrong_form_is() -> None:
    x, form = np.linspace(0.2, 3, 200), parse("C*exp(C*x0)")
    n_alarms = n_found = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        sigma = 10 ** rng.uniform(-3, -1, 200)
        noise = float(1 / np.sqrt(np.mean(sigma**-2)))
        y = 2 * np.exp(-x) + sigma * rng.standard_normal(200)
        sweep = Sweep.from_groups([x], [y], noise=noise, weights=[sigma**-2])
        n_alarms += has_structure(form, np.array([[2.0, -1.0]]), sweep)
        n_found += has_structure(form, np.array([[2.0, -1.01]]), sweep)
    assert n_alarms <= 1
    assert n_found == 200


def test_the_error_of_a_thinned_sweep_is_that_of_its_own_average_weight() -> None:
    x, y, weights = uneven(400)
    sweep = Sweep.from_groups([x, x], [y, 2 * y], noise=0.02, weights=[weights, weights])
    thin = sweep.thinned(1, 37)
    assert thin.weights is not None
    assert sweep.weights is not None
    rows = (np.arange(37) * 400) // 37
    assert thin.weights.mean() == pytest.approx(1.0)
    np.testing.assert_allclose(thin.noise / thin.roots, 0.02 / sweep.roots[rows], rtol=1e-12)
