import json
from dataclasses import replace

import pytest

from scalesr.errors import DataError
from scalesr_bench.laws.methods import METHODS, make_method
from scalesr_bench.laws.runs import LawJob, LawRun, run_job
from scalesr_bench.problems.listing import read_listing
from scalesr_bench.problems.no_law import tables_without_law

PLANE, CURVE = read_listing("own", "plane | 2*x - 3*y + 1 | x y [0, 1] | 400\n curve | sin(3*x) + y | x y [0, 1] | 400")
STUB = "tests.bench.stub_method:"


def run(source=PLANE, method="plane", **rest):
    record = run_job(LawJob(STUB + method, source, seed=0, time_limit=5.0, **rest))
    return LawRun.from_record(json.loads(json.dumps(record, allow_nan=False)))


def test_a_run_tells_what_was_found():
    found = run()
    assert (found.suite, found.problem, found.truth, found.n_rows) == ("own", "plane", "2*x - 3*y + 1", 400)
    assert (found.finding, found.verdict, found.numeric) == ("right", "exact", True)
    assert found.is_right
    assert found.verdict_right
    assert found.stages == {"search": 1.5, "combine": 0.25}
    assert found.seconds > 0
    assert found.n_asked == 0


def test_extra_columns_in_the_law_are_told():
    assert not run(n_extra=4).extra_used
    assert run(n_extra=4).is_right
    noisy = run(n_extra=4, noise=0.5)
    assert noisy.extra_used
    assert all(name.startswith("extra") for name in noisy.extra_used)


def test_an_oracle_is_handed_over_and_its_rows_are_counted():
    found = run(method="asking", oracle=True)
    assert found.is_right
    assert found.n_asked == found.n_rows + 7  # the rows of the table are asked for, too
    assert run(method="plane").n_asked == 0


def test_a_wrong_exact_is_counted():
    assert run(CURVE, "boaster").wrong_exact
    assert run(tables_without_law()[0], "boaster").wrong_exact
    assert not run(CURVE).wrong_exact
    assert run(CURVE).finding == "form"


def test_an_error_is_a_finding_with_its_place():
    found = run(method="broken")
    assert found.finding == "error"
    assert found.found.startswith("ValueError: no luck today (stub_method.py, line ")


def test_jobs_that_differ_have_keys_that_differ():
    job = LawJob("default", PLANE, 0, 5.0)
    changes = ({"method": "paper"}, {"source": CURVE}, {"seed": 1}, {"noise": 0.1}, {"n_rows": 9}, {"n_extra": 1})
    others = [replace(job, **change) for change in (*changes, {"oracle": True}, {"noise_kind": "counts"})]
    assert len({other.key for other in [job, *others]}) == len(others) + 1


@pytest.mark.parametrize("method", METHODS)
def test_every_named_method_can_be_made(method):
    assert callable(make_method(method))


@pytest.mark.parametrize("method", ["nonsense", "tests.bench.stub_method:missing", "no.such.module:method"])
def test_an_unknown_method_is_refused(method):
    with pytest.raises(DataError, match=r"Unknown method|cannot be loaded"):
        make_method(method)
