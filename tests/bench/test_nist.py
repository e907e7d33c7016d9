"""Certified values of NIST, from starts of our own."""

import numpy as np
import pytest

from scalesr import evaluate, fit, parse
from scalesr_bench.nist import NIST

SIX_DIGITS = 1e-6


@pytest.mark.parametrize("problem", NIST, ids=lambda problem: problem.name)
def test_fit_reaches_the_certified_residual_without_nists_starts(problem):
    table = problem.table()
    X, y = table[:, :1], table[:, 1]
    found = fit(parse(problem.skeleton, names=["x"]), X, y)
    assert found.rss == pytest.approx(problem.rss, rel=SIX_DIGITS)
    residual = y - evaluate(found.expression, X)
    assert np.dot(residual, residual) == pytest.approx(problem.rss, rel=SIX_DIGITS)


def test_the_tables_have_the_rows_nist_lists():
    rows = {problem.name: len(problem.table()) for problem in NIST}
    assert rows == {
        "misra1a": 14,
        "chwirut2": 54,
        "danwood": 6,
        "hahn1": 236,
        "thurber": 37,
        "boxbod": 6,
        "rat43": 15,
        "eckerle4": 35,
    }
