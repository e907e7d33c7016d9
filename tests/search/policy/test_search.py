import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from scalesr.expr.operators import Operators
from scalesr.records.budget import Budget, Progress
from scalesr.records.sweep import Sweep
from scalesr.search.policy.rules import SequenceRules
from scalesr.search.policy.search import DsrSearch
from scalesr.search.policy.training import Training
from scalesr.search.scoring import SKELETONS_AT_ONCE
from tests.search.policy.sequences import PAPER, curve, nguyen_1

SMALL = DsrSearch(batch_size=200, n_batches=30, training=Training(device="cpu"))


@pytest.mark.parametrize(
    ("operators", "max_constants", "law", "n_variables"),
    [
        (Operators("paper", "powi"), 0, nguyen_1, 1),  # open constants would let other forms come close
        (Operators("+", "*", "sin", "exp"), 10, lambda x: 2.5 * np.sin(3 * x) + 1, 1),
        (PAPER, 10, lambda x, y: x * y, 2),
    ],
)
def test_small_laws_are_found(operators, max_constants, law, n_variables):
    pytest.importorskip("torch")
    search = replace(SMALL, operators=operators, rules=SequenceRules(max_constants=max_constants), n_batches=150)
    ranking = search.search(curve(law, n_variables), Budget(), rng=np.random.default_rng(3))
    assert ranking.best.within_noise
    assert ranking.best.error < 1e-10


def test_constants_are_free_in_every_group():
    pytest.importorskip("torch")
    x = np.linspace(0.1, 2, 20)
    sweep = Sweep.from_groups([x, x], [2 * np.exp(-x), 3 * np.exp(0.5 * x)], noise=0.0)
    ranking = SMALL.search(sweep, Budget(), rng=np.random.default_rng(0))
    assert ranking.best.within_noise
    assert ranking.best.constants.shape[0] == 2


def hard() -> Sweep:
    return curve(lambda x: np.sin(x**2) * np.cos(x) / (np.abs(x) + 0.3) - 1, noise=0.0)


def test_the_same_seed_gives_the_same_ranking_with_any_number_of_threads():
    pytest.importorskip("torch")
    searches = [DsrSearch(batch_size=100, n_batches=3, n_threads=n, training=Training(device="cpu")) for n in (1, 1, 2)]
    found = [search.search(hard(), Budget(), rng=np.random.default_rng(3)) for search in searches]
    lists = [[(str(s.expression), s.error) for s in ranking.skeletons] for ranking in found]
    assert lists[0] == lists[1] == lists[2]
    assert lists[0]
    other = searches[0].search(hard(), Budget(), rng=np.random.default_rng(4))
    assert [(str(s.expression), s.error) for s in other.skeletons] != lists[0]


def test_torch_is_left_as_it_was():
    torch = pytest.importorskip("torch")
    threads, state = torch.get_num_threads(), torch.get_rng_state()
    DsrSearch(batch_size=20, n_batches=1).search(hard(), Budget(), rng=np.random.default_rng(0))
    assert torch.get_num_threads() == threads
    assert torch.equal(torch.get_rng_state(), state)


def test_budgets_are_kept():
    pytest.importorskip("torch")
    ranking = SMALL.search(hard(), Budget(n_fits=300), rng=np.random.default_rng(0))
    assert 300 <= ranking.n_fits <= 300 + 2 * SKELETONS_AT_ONCE
    assert "300 fits" in ranking.ended
    assert ranking.skeletons
    ranking = SMALL.search(hard(), Budget(seconds=0.3), rng=np.random.default_rng(0))
    assert "time limit" in ranking.ended
    ranking = SMALL.search(hard(), Budget(target_error=0.5), rng=np.random.default_rng(0))
    assert "target error" in ranking.ended
    assert ranking.best.error <= 0.5


def test_an_interrupt_returns_the_best_so_far():
    pytest.importorskip("torch")
    stages = []

    def interrupt(progress: Progress) -> None:
        stages.append(progress.stage)
        if len(stages) == 5:
            raise KeyboardInterrupt

    ranking = SMALL.search(hard(), Budget(), rng=np.random.default_rng(0), progress=interrupt)
    assert ranking.ended == "The search was interrupted."
    assert ranking.skeletons
    assert stages[0] == "batch 1"


def test_torch_loads_only_for_a_search():
    code = "import scalesr.search.policy.search, scalesr.search.hybrid.search, sys; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_a_missing_torch_says_how_to_get_it(monkeypatch):
    from scalesr.errors import MissingExtra

    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "scalesr.search.policy.network", raising=False)
    with pytest.raises(MissingExtra, match=r"pip install 'scalesr\[torch\]'"):
        DsrSearch().search(hard(), Budget(), rng=np.random.default_rng(0))
