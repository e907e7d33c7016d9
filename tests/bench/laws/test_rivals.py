import subprocess
import sys
import time

import numpy as np
import pytest

from scalesr.errors import DataError
from scalesr.expr.operators import Operators
from scalesr.records.budget import Budget
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Verdict
from scalesr.records.samples import Samples
from scalesr.search.genetic.search import GeneticSearch
from scalesr_bench.adapters.adapter import ExternalSearch
from scalesr_bench.laws.drawing import draw_table
from scalesr_bench.laws.measure import LawResult, LawSettings, check_methods
from scalesr_bench.laws.methods import check_method, is_own, make_method
from scalesr_bench.laws.rivals import RIVALS, RivalMethod
from scalesr_bench.laws.runs import LawJob, run_job
from scalesr_bench.laws.suites import select, suite_of
from scalesr_bench.problems.listing import read_listing

WAVES, SUM = read_listing("own", "waves | 2*sin(x)*cos(y) | x y [-3, 3] | 300\n sum | 3*x + sin(y) | x y [-3, 3] | 300")


def discover(method, law=WAVES, *, seconds):
    drawn = draw_table(law, seed=0)
    return make_method(method)(drawn.data, Settings(time_limit=seconds), rng=drawn.method_stream())


@pytest.mark.parametrize("method", ["genetic", "pyoperon", "pysindy"])
def test_a_rival_goes_from_the_table_to_the_law(method):
    pytest.importorskip({"pyoperon": "pyoperon", "pysindy": "pysindy"}.get(method, "numpy"))
    found = discover(method, SUM, seconds=60.0)
    assert str(found.equation) == "3*x + sin(y)"
    assert found.verdict is Verdict.EXACT
    assert set(found.timings) == {"search", "combine"}


@pytest.mark.parametrize("method", ["spl", "dsr", "nggp", "gplearn"])
def test_a_rival_runs_and_ends(method):
    pytest.importorskip({"dsr": "torch", "nggp": "torch", "gplearn": "gplearn"}.get(method, "numpy"))
    found = discover(method, seconds=1.0)
    assert {step.stage for step in found.trace} <= {"search", "combine"}  # without the first where time was short
    assert found.ended


def test_what_torch_loads_late_is_loaded_before_the_clock_starts():
    pytest.importorskip("torch")
    script = (
        "import sys; from scalesr_bench.laws.rivals import RIVALS; from scalesr.expr.operators import Operators; "
        "RIVALS['dsr'].make(Operators('paper')); assert 'torch._dynamo' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_a_rival_that_used_all_of_its_time_still_shows_its_law():
    class Late:
        def search(self, sweep, _, *, rng):
            """Search by a count of fits until the limit has passed, and not until the alarm."""
            until = time.monotonic() + 1.1
            ranking = GeneticSearch().search(sweep, Budget(n_fits=300), rng=rng)
            while time.monotonic() < until:
                ranking = GeneticSearch().search(sweep, Budget(n_fits=300), rng=rng)
            return ranking

    drawn = draw_table(WAVES, seed=0)
    found = RivalMethod(lambda _: Late(), "")(drawn.data, Settings(time_limit=1.0), rng=drawn.method_stream())
    assert found.equation.expression.variables
    assert "time limit" in found.ended


def test_a_rival_gets_the_operators_of_the_run():
    asked = []

    def make(operators):
        asked.append(operators)
        return ExternalSearch(lambda seed, seconds: _Nothing(), lambda regressor: [])

    data = np.random.default_rng(0).uniform(size=(50, 1))
    chosen = Settings(operators=Operators("paper"), time_limit=5.0)
    RivalMethod(make, "")(Dataset.from_table(data, data[:, 0]), chosen, rng=np.random.default_rng(0))
    assert asked == [Operators("paper")]


class _Nothing:
    def fit(self, *_):
        return self

    def predict(self, X):
        return X[:, 0]


def test_rivals_cannot_ask_an_oracle():
    record = run_job(LawJob("genetic", WAVES, seed=0, time_limit=2.0, oracle=True))
    assert record["finding"] == "error"
    assert "oracle" in record["found"]


def test_the_notes_say_what_a_method_cannot_write():
    notes = LawResult(LawSettings("paper", ("scalesr", "pysindy", "spl")), select(suite_of("paper")), ()).notes
    assert RIVALS["pysindy"].limits in notes
    assert RIVALS["spl"].limits in notes


def test_names_from_before_are_aliases():
    for short, name in (("default", "scalesr"), ("no-plain", "scalesr-no-plain"), ("paper", "scalesr-paper")):
        assert make_method(short) == make_method(name)


def test_the_numbers_of_the_papers_ablations_can_be_changed():
    assert make_method("scalesr-paper@M=50") == make_method("paper@M=50")
    assert make_method("scalesr-paper@M=50") != make_method("scalesr-paper@K=50")
    assert make_method("no-plain@M=50") == make_method("scalesr-no-plain@M=50") != make_method("scalesr@M=50")
    check_methods(
        LawSettings(
            "paper", ("scalesr-paper@K=100", "scalesr-paper@steps=900", "scalesr@K=100", "scalesr-no-plain@M=6")
        )
    )
    for wrong in (
        "spl@M=50",
        "scalesr-paper@N=50",
        "scalesr-paper@M=x",
        "scalesr-paper@K=1",
        "scalesr@M=5",
        "scalesr@steps=9",
    ):
        with pytest.raises(DataError):
            check_method(wrong)


@pytest.mark.parametrize(
    ("name", "samples"),
    [("scalesr@M=37", Samples(n_points=37)), ("no-plain@K=50", Samples(n_groups=50)), ("scalesr", Samples())],
)
def test_the_pipeline_is_told_how_densely_to_sample(monkeypatch, name, samples):
    told = []
    monkeypatch.setattr("scalesr.pipeline.discover", lambda data, settings, *, rng: told.append(settings))
    make_method(name)(None, Settings(), rng=None)
    assert told[0].samples == samples
    assert told[0].plain_laws is not name.startswith("no-plain")


def test_our_methods_are_told_from_others():
    assert is_own("scalesr")
    assert is_own("paper@K=50")
    assert not is_own("spl")
