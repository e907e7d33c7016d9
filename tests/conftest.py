"""Hypothesis settings for all tests, and one thread of linear algebra for each of their processes.

The default profile repeats the same examples in every run, so that a failure belongs to a change;
HYPOTHESIS_PROFILE=explore draws new ones. No deadline: a first call compiles.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when numpy is first imported

from hypothesis import settings

settings.register_profile("repeat", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeat"))
