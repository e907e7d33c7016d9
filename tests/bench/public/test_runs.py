import json

import numpy as np
import pytest

from scalesr.errors import DataError, MissingExtra
from scalesr.records.dataset import Dataset
from scalesr_bench.public.measure import PublicResult, PublicSettings, plan, summary_table, table_table
from scalesr_bench.public.packages import check_package
from scalesr_bench.public.predicting import predictor
from scalesr_bench.public.runs import PublicJob, PublicRun, run_job
from scalesr_bench.public.tables import choose_tables

STUB = "tests.bench.stub_method:"


@pytest.fixture(autouse=True)
def packages():
    try:
        check_package("pydataset")
    except MissingExtra:
        pytest.skip("pydataset is not installed")


def run(method, table="trees", split=0):
    (chosen,) = choose_tables((table,))
    record = run_job(PublicJob(method, chosen, split, 5, seed=0, time_limit=1.0))
    return PublicRun.from_record(json.loads(json.dumps(record, allow_nan=False)))


def test_a_line_is_ordinary_least_squares_on_the_rows_that_are_not_held_out():
    found, own = run("linear"), run(f"{STUB}plane")
    np.testing.assert_allclose(found.errors, own.errors, rtol=1e-6)  # the stub is least squares, too
    assert (len(found.errors), found.n_rows, found.n_variables, found.n_nodes) == (7, 24, 2, 9)
    assert own.verdict == "within noise"
    assert own.formula


def test_a_method_that_fails_predicts_the_mean():
    found = run(f"{STUB}broken", "boston")
    assert found.failed
    assert found.errors == found.deviations
    assert found.n_without_value == len(found.errors)
    assert found.formula.startswith("ValueError: no luck today")


@pytest.mark.parametrize("method", ["gplearn", "pyoperon"])
def test_other_tools_predict_with_a_formula_of_their_own(method):
    pytest.importorskip(method)
    rng = np.random.default_rng(0)
    X = rng.uniform(1, 2, (80, 2))
    data = Dataset.from_table(X, X[:, 0] * X[:, 1], names=["u", "v"])
    found = predictor(method)(data, X[:20], 1.0, 1)
    assert np.corrcoef(found.values, data.y[:20])[0, 1] > 0.5  # far better than nothing, however short its second
    assert found.n_nodes >= 3
    assert found.formula


def test_unknown_methods_and_settings_without_sense_are_refused():
    with pytest.raises(DataError, match="linear, gplearn, pyoperon are known, too"):
        predictor("nonsense")
    for bad in ({"time_limit": 0.0}, {"n_splits": 1}, {"tables": ("nonsense",)}):
        with pytest.raises(DataError, match=r"time limit|splits|No table"):
            PublicSettings(("linear",), **bad)


def test_a_plan_has_every_split_of_every_table_and_method():
    settings = PublicSettings(("linear", f"{STUB}plane"), ("trees", "swiss"))
    jobs = plan(settings)
    assert len(jobs) == 2 * 2 * 5
    assert not settings.is_whole


def test_tables_show_r2_nodes_and_what_tells_a_method_from_a_line():
    settings = PublicSettings(("linear", f"{STUB}boaster"), ("trees",))
    result = PublicResult(settings, tuple(run(job.method, split=job.split) for job in plan(settings)))
    (row,) = table_table(result).rows
    assert row[:3] == ("trees", "31", "2")
    assert row[3].startswith("0.9")
    assert row[4].endswith("(1) !")  # a constant
    assert [line[0] for line in summary_table(result).rows] == ["linear", f"{STUB}boaster"]
    stored = json.loads(json.dumps(result.as_json(), allow_nan=False))
    assert stored["summary"][1]["n_below_linear"] == 1
    assert "errors" not in stored["runs"][0]
