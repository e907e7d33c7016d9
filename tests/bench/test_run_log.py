"""Runs in a file: those of other code are told from ours, and each says where it was made."""

import pytest

from scalesr.errors import DataError
from scalesr_bench.machine import provenance
from scalesr_bench.run_log import Place, RunLog, code_stamp


def test_runs_of_other_code_count_only_if_asked(tmp_path):
    path = tmp_path / "deep" / "runs.jsonl"
    RunLog(path, "code 1").append("job", {"x": 1})
    other = RunLog(path, "code 2")
    assert (other.records, other.n_stale) == ({}, 1)
    assert RunLog(path, "code 2", accept_stale=True).records == {"job": {"x": 1}}
    other.append("job", {"x": 2})
    assert RunLog(path, "code 2", accept_stale=True).records == {"job": {"x": 2}}
    assert RunLog(path, "code 1").records == {"job": {"x": 1}}
    assert RunLog(path, "code 1", accept_stale=True).records == {"job": {"x": 1}}, "runs of this code come first"


def test_every_run_says_where_it_was_made(tmp_path):
    path = tmp_path / "runs.jsonl"
    path.write_text('{"stamp": "code 1", "job": "old", "record": {}}\n')
    log = RunLog(path, "code 1")
    log.append("new", {"x": 1})
    (here, n_here), (unknown, n_unknown) = sorted(
        RunLog(path, "code 1").places(["old", "new", "none"]), key=lambda found: found[0].cpu == "unknown"
    )
    assert (n_here, n_unknown) == (1, 1)
    assert here.cpu == provenance()["machine"]["cpu"]
    assert unknown == Place()
    assert log.places(["new"]) == [(here, 1)]


def test_a_place_that_cannot_be_written_is_refused(tmp_path):
    with pytest.raises(DataError, match="--runs"):
        RunLog(tmp_path, "code 1")


def test_the_stamp_is_that_of_the_code():
    assert code_stamp() == code_stamp()
    assert len(code_stamp()) == 16


def test_runs_with_another_time_limit_say_so(tmp_path):
    path = tmp_path / "runs.jsonl"
    RunLog(path, "code 1, 30 s").append("short", {})
    RunLog(path, "code 2, 60 s").append("long", {})
    log = RunLog(path, "code 3, 60 s", accept_stale=True)
    short, long = (log.places([job])[0][0] for job in ("short", "long"))
    assert short.phrase == f"{long.phrase}, with other settings: 30 s"
