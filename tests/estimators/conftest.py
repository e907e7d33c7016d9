"""Randomness of the tests of estimators: other numbers than those that their tables are made of."""

from __future__ import annotations

import numpy as np
import pytest


@pytest.fixture
def rng() -> np.random.Generator:
    """A source of a test's own, so that its numbers do not depend on which tests ran before."""
    return np.random.default_rng(100)
