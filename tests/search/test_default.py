"""The default search: complete first, then tree search, one account for both."""

from __future__ import annotations

import numpy as np
import pytest

from scalesr.expr.operators import Operators
from scalesr.records.budget import Budget, Progress
from scalesr.records.stop import Stop
from scalesr.records.sweep import Sweep
from scalesr.search.default import DefaultSearch

X = np.linspace(0.2, 3, 80)


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep lists out of the user's folder."""
    monkeypatch.setenv("SCALESR_CACHE", str(tmp_path_factory.getbasetemp().parent / "lists"))


def test_a_small_law_needs_no_tree_search() -> None:
    sweep = Sweep.from_groups([X], [2 * np.exp(-X) + 1], noise=0.0, names=["x"])
    ranking = DefaultSearch().search(sweep, Budget(), rng=np.random.default_rng(0))
    assert ranking.sentence == "C*exp(C*x) + C fits within the noise."
    assert ranking.ended == "A formula fits within the noise."


def test_where_the_complete_search_ends_the_tree_search_goes_on() -> None:
    law = np.sin(X) + X**2 * np.exp(-X) + np.log(X) / (X**2 + 1.3) + np.cos(X**2)
    sweep = Sweep.from_groups([X], [law], noise=0.0, names=["x"])
    stages: list[str] = []
    stop = Stop()

    def follow(progress: Progress) -> None:
        stages.append(progress.stage)
        if sum("tree search" in stage for stage in stages) == 20:  # it has been seen to go on
            stop.cancel()

    search = DefaultSearch(Operators("+", "sin"))
    ranking = search.search(sweep, stop.budget(), rng=np.random.default_rng(0), progress=follow)
    assert any("size" in stage for stage in stages)
    assert any("tree search" in stage for stage in stages)
    assert ranking.complete_up_to == 8
    assert ranking.interrupted
    assert ranking.best is not None
    assert ranking.best.error < 0.5
