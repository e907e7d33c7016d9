from __future__ import annotations

import numpy as np

from scalesr.polish.finish import finish
from scalesr.records.stop import Stop
from tests.evidence.tables import archive_of, dataset


def test_a_noisy_law_with_idle_terms_comes_out_clean() -> None:
    data = dataset(lambda x, y: 2 * np.sin(x) + x * y, 3000, (-2.0, 2.0), (-2.0, 2.0), noise=0.05)
    archive = archive_of(data, "1.8*sin(x0) + 0.9*x0*x1 + 0.1*x1^2 + 0.1*cos(x0) + 0.05")
    finish(archive)
    assert str(archive.best.equation) == "x0*x1 + 2*sin(x0)"
    assert archive.best in archive.front


def test_finishing_twice_changes_nothing() -> None:
    data = dataset(lambda x: 1.7 * x + np.cos(x), 500, (-2.0, 2.0), noise=0.02)
    archive = archive_of(data, "1.5*x0 + cos(x0) + 0.1*x0^3")
    finish(archive)
    first = str(archive.best.equation)
    finish(archive)
    assert str(archive.best.equation) == first


def test_no_law_is_worse_for_it() -> None:
    data = dataset(lambda x: np.exp(x) + 0.2 * x, 500, (-2.0, 2.0), noise=0.02)
    archive = archive_of(data, "exp(x0) + 0.1*x0 + 0.1*x0^4", "x0", "x0^2")
    before = archive.best.score
    finish(archive)
    assert archive.best.score <= before


def test_a_passed_deadline_leaves_the_pool_as_it_is() -> None:
    data = dataset(lambda x: x, 100, (-2.0, 2.0), noise=0.1)
    archive = archive_of(data, "0.9*x0 + 0.1*x0^3")
    before = archive.candidates
    finish(archive, Stop(seconds=0.0))
    assert archive.candidates == before
