"""The paper's preset as a whole: its network, or a function that is asked in its place."""

import numpy as np
import pytest

from scalesr.paper.method import discover_as_in_the_paper
from scalesr.paper.settings import LiteralSettings
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Verdict
from scalesr.records.oracle import Oracle

X = np.random.default_rng(0).uniform(0.5, 2.0, (400, 2))
SMALL = LiteralSettings(n_points=25, n_groups=25, n_fits=150, n_steps=20)


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


def test_the_network_of_the_paper_is_trained_for_as_many_steps_as_asked():
    pytest.importorskip("torch")
    found = discovered()
    assert "the paper's network, 20 steps" in found.trace[0].summary
    assert found.verdict is Verdict.APPROXIMATE
    assert found.noise.scale > 1e-3 * law(X).std()
