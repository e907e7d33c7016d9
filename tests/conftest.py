"""Hypothesis settings and random numbers for all tests, and one thread of linear algebra and OpenMP per process.

Threads that wait for each other by spinning cost more on a busy machine than the work that they share.

The default profile repeats the same examples in every run, so that a failure belongs to a change;
HYPOTHESIS_PROFILE=explore draws new ones. No deadline: a first call compiles.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when numpy is first imported
os.environ.setdefault("OMP_NUM_THREADS", "1")  # read when scikit-learn or torch is

import numpy as np
import pytest
from hypothesis import settings

settings.register_profile("repeat", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeat"))


@pytest.fixture
def rng() -> np.random.Generator:
    """A source of randomness of a test's own, so that its numbers do not depend on which tests ran before."""
    return np.random.default_rng(0)
