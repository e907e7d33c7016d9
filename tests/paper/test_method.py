"""The paper's preset as a whole: its network, or a function that is asked in its place."""

from dataclasses import replace

import numpy as np
import pytest

from scalesr.generator.config import GENERATOR
from scalesr.paper.method import discover_as_in_the_paper, run_as_in_the_paper, spl_program
from scalesr.paper.settings import LiteralSettings
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Verdict
from scalesr.records.oracle import Oracle

X = np.random.default_rng(0).uniform(0.5, 2.0, (400, 2))
SMALL = LiteralSettings(n_points=25, n_groups=25, n_fits=400, n_steps=20)


def law(X):
    return 2.5 * X[:, 0] + X[:, 1] ** 2


def discovered(**settings):
    data = Dataset.from_table(X, law(X), names=["x", "y"])
    given = Settings(preset="paper", time_limit=None, **settings)
    return discover_as_in_the_paper(data, given, rng=np.random.default_rng(1), literal=SMALL)


def test_with_a_function_that_makes_no_error_the_chain_finds_the_law():
    found = discovered(generator=Oracle(law))
    assert found.verdict is Verdict.EXACT, found.equation
    assert "given function" in found.trace[0].summary
    assert found.noise.scale == 0


def test_the_search_is_spls_published_program():
    search = spl_program(LiteralSettings())
    assert search.rules.measure(0.1, 10.0) == 1.0  # the mean squared error
    assert (search.rules.eta, search.schedule.enough) == (0.9999, 1e-5)
    assert (search.schedule.n_outer, search.schedule.n_episodes) == (20, 10_000)


def test_training_has_its_share_of_the_work_and_the_same_work_gives_the_same_law():
    pytest.importorskip("torch")
    data = Dataset.from_table(X, law(X), names=["x", "y"])
    numbers = replace(SMALL, n_steps=1000, training_time=0.25)
    given = Settings(preset="paper", time_limit=None, max_work=4 * 8 * GENERATOR.step_work * 0.32)  # 320 rows
    first, again = (
        discover_as_in_the_paper(data, given, rng=np.random.default_rng(1), literal=numbers) for _ in range(2)
    )
    assert "8 steps of cosine annealing, annealed to the end" in first.trace[0].summary
    assert first.equation.text() == again.equation.text()


def test_what_the_chain_went_through_is_told():
    data = Dataset.from_table(X, law(X), names=["x", "y"])
    given = Settings(preset="paper", time_limit=None, generator=Oracle(law))
    run = run_as_in_the_paper(data, given, rng=np.random.default_rng(1), literal=SMALL)
    first, second = run.chain.added
    assert first.groups.n_groups == second.groups.n_groups == len(second.values) == 25
    assert second.skeleton.n_open == second.coefficients.shape[1] == len(second.formulas)
    np.testing.assert_allclose(second.coefficients[:, 0], 2.5, atol=1e-3)
    assert second.law == run.chain.expression


def test_the_network_of_the_paper_is_trained_for_as_many_steps_as_asked():
    pytest.importorskip("torch")
    found = discovered()
    assert "the paper's network, 20 steps" in found.trace[0].summary
    assert found.verdict is Verdict.APPROXIMATE
    assert found.noise.scale > 1e-3 * law(X).std()
