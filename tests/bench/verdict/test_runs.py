import json

import numpy as np
import pytest

from scalesr.errors import DataError
from scalesr.records.dataset import Dataset
from scalesr_bench.verdict.lawless import LAWLESS
from scalesr_bench.verdict.measure import VerdictResult, VerdictSettings, kind_table, plan, summary_table
from scalesr_bench.verdict.runs import VerdictJob, VerdictRun, probability_of, run_job
from scalesr_bench.verdict.summary import by_kind, claims_of, mistaken, summarise
from scalesr_bench.verdict.tables import LAW
from tests.bench.stub_method import boaster
from tests.bench.verdict.stub_sure import sure

STUB = "tests.bench.verdict.stub_sure:sure"


def run(kind=LAW, place=0, method=STUB):
    record = run_job(VerdictJob(method, kind, place, seed=0, time_limit=1.0))
    return VerdictRun.from_record(json.loads(json.dumps(record, allow_nan=False)))


def test_a_probability_is_read_where_one_is_given():
    X = np.random.default_rng(0).uniform(1, 2, (20, 1))
    data = Dataset.from_table(X, X[:, 0], names=["x"])
    assert probability_of(sure(data, None, rng=None)) == 0.95
    assert probability_of(boaster(data, None, rng=None)) is None


def test_a_run_tells_what_was_said_and_what_is_true():
    found = run(place=1)
    assert (found.kind, found.verdict, found.probability) == (LAW, "exact", 0.95)
    assert not found.is_law
    assert found.wrong_exact
    assert found.truth
    assert found.predictor_error > 0


@pytest.mark.parametrize("kind", LAWLESS)
def test_exact_is_wrong_of_a_table_without_a_law(kind):
    found = run(kind)
    assert (found.finding, found.is_law, found.wrong_exact) == ("verdict", False, True)
    assert run(kind, method="tests.bench.stub_method:plane").method.endswith("plane")


def test_an_error_is_a_finding():
    found = run(method="tests.bench.verdict.stub_sure:broken")
    assert (found.finding, found.probability) == ("error", None)
    assert found.found.startswith("ValueError: no luck today")
    assert mistaken(found)


def said(probability, *, is_law, verdict="within noise", **rest):
    return VerdictRun(
        "m", rest.pop("kind", LAW), 0, 0, "x", rest.pop("finding", "right"), 100, 2, "constant", 0.1, 1.0,
        verdict=verdict, probability=probability, is_law=is_law, **rest,
    )  # fmt: skip


def test_a_summary_counts_sure_laws_wrong_exacts_and_beaten_ones():
    runs = [
        said(0.95, is_law=True), said(0.99, is_law=False), said(0.2, is_law=False), said(None, is_law=True),
        said(0.9, is_law=False, verdict="no law found", kind="grid"),
        said(0.3, is_law=False, better="boosted trees"), said(0.3, is_law=False, verdict="approximate", better="trees"),
        said(0.3, is_law=False, verdict="exact", wrong_exact=True, kind="grid"),
    ]  # fmt: skip
    (line,) = summarise(runs)
    assert (line.n_runs, line.n_laws, line.n_found, line.n_claims) == (8, 6, 2, 6)
    assert (line.n_sure, line.n_sure_right) == (2, 1)  # no law found: nothing is claimed
    assert (line.n_exact, line.n_wrong_exact, line.n_within_noise, line.n_within_noise_beaten) == (1, 1, 5, 1)
    assert line.calibration_error == pytest.approx((2 * (0.97 - 0.5) + 0.2 + 3 * 0.3) / 6)
    assert len(claims_of(runs)) == 6
    assert [mistaken(run) for run in runs] == [False, True, False, False, False, True, False, True]
    assert [(line.kind, line.n_runs, line.n_sure) for line in by_kind(runs)] == [(LAW, 6, 2), ("grid", 2, 0)]


def test_without_probabilities_the_tables_say_so():
    result = VerdictResult(VerdictSettings(n_laws=1, n_of_a_kind=0), (said(None, is_law=True),))
    assert "m gives no probability; its calibration cannot be measured." in result.notes
    assert summary_table(result).rows[0][3:6] == ("0", "-", "-")
    assert kind_table(result).rows[0][1:3] == (LAW, "constant")
    json.dumps(result.as_json(), allow_nan=False)


def test_a_plan_has_every_table_once_and_mixes_laws_with_others():
    settings = VerdictSettings(n_laws=40, n_of_a_kind=3)
    jobs = plan(settings)
    assert len(jobs) == 40 + 3 * len(LAWLESS)
    assert len({(job.kind, job.place) for job in jobs}) == len(jobs)
    assert {job.kind for job in jobs[:30]} == {LAW, *LAWLESS}
    assert not settings.is_whole
    assert VerdictSettings().is_whole
    assert len(plan(VerdictSettings())) >= 400 + 200


@pytest.mark.parametrize("bad", [{"time_limit": 0.0}, {"n_laws": 0, "n_of_a_kind": 0}, {"methods": ("nonsense",)}])
def test_settings_that_make_no_sense_are_refused(bad):
    with pytest.raises(DataError, match=r"time limit|no table|Unknown method"):
        VerdictSettings(**bad)
