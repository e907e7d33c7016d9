"""Constants of a new group."""

from dataclasses import replace

import numpy as np
import pytest

from scalesr.errors import DataError
from scalesr.expr.operators import Operators
from scalesr.expr.text import parse
from scalesr.groups.archive import GroupArchive
from scalesr.groups.calibrate import calibrated
from scalesr.records.dataset import Dataset
from tests.groups.tables import grouped, values


@pytest.fixture(scope="module")
def law():
    archive = GroupArchive(grouped("a*exp(-b*t)", n_groups=30, n_rows=8)[0], Operators("physics"))
    archive.offer(parse("C*exp(C*t)", ["t"]), "offered")
    return archive.law_of(archive.best)


def test_errors_are_those_of_the_rows_of_the_fit(law):
    rng = np.random.default_rng(0)
    off = []
    for _ in range(200):
        own = np.array([rng.uniform(1, 3), rng.uniform(0.5, 2)])
        t = rng.uniform(0.2, 3, 4)
        y = values("a*exp(-b*t)", t, np.tile(own, (4, 1))) + law.groups.noise * rng.standard_normal(4)
        found, covariance = calibrated(law, Dataset.from_table(t[:, np.newaxis], y, names=["t"]))
        truth = own * [1, -1]
        gap = found - truth
        off.append(float(gap @ np.linalg.solve(covariance, gap)))
    assert 1.4 < np.mean(np.minimum(off, 12)) < 2.6  # chi-square of two constants


def test_fewer_rows_than_constants_are_refused(law):
    with pytest.raises(DataError, match="1 row cannot determine the 2 constants"):
        calibrated(law, Dataset.from_table([[1.0]], [0.5], names=["t"]))


def test_rows_that_do_not_tell_a_constant_leave_no_error(law):
    _, covariance = calibrated(law, Dataset.from_table([[1.0], [1.0]], [0.5, 0.51], names=["t"]))
    assert np.isnan(covariance).any()


def test_a_noise_whose_square_is_no_number_leaves_no_error(law):
    """A file may hold any."""
    absurd = replace(law, groups=replace(law.groups, noise=1e200))
    found, covariance = calibrated(absurd, Dataset.from_table([[1.0], [2.0], [3.0]], [0.5, 0.3, 0.2], names=["t"]))
    assert np.isfinite(found).all()
    assert np.isnan(covariance).all()
