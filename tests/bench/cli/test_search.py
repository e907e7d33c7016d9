import json

import pytest

from scalesr_bench.cli import main
from tests.bench.cli.commands import bench

STUBS = "tests.bench.stub_search:ListSearch,tests.bench.stub_search:BrokenSearch"


def test_a_benchmark_prints_a_table_stores_it_and_resumes(tmp_path):
    options = ("--methods", STUBS, "--suite", "nguyen", "--limit", "4", "--noise", "0,0.01", "--seeds", "1")
    first = bench(tmp_path, "search", *options, "--time-limit", "5", "--json", "result.json")
    assert first.returncode == 0, first.stderr
    assert "Recovered laws" in first.stdout
    assert "part of the suite" in first.stdout
    assert "ValueError: no luck today" in first.stdout
    assert "16 of 16 runs" in first.stderr

    stored = json.loads((tmp_path / "result.json").read_text())
    assert stored.keys() >= {"commit", "machine", "versions", "settings", "summary", "failures", "notes"}
    assert [line["n_runs"] for line in stored["summary"]] == [4, 4, 4, 4]
    assert {line["n_errors"] for line in stored["summary"]} == {0, 4}

    # stale runs count, so that an edit of the code between the two calls breaks nothing
    again = bench(tmp_path, "search", *options, "--time-limit", "5", "--json", "-", "--accept-stale")
    assert json.loads(again.stdout)["summary"] == stored["summary"]
    assert len((tmp_path / "r.jsonl").read_text().splitlines()) == 16


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--methods", "nonsense"), "Unknown method 'nonsense'"),
        (("--suite", "nonsense"), "Unknown suite 'nonsense'"),
        (("--noise", "much"), "Levels of noise"),
        (("--noise", "2"), "Levels of noise"),
        (("--time-limit", "0"), "time limit"),
    ],
)
def test_bad_input_is_refused_before_anything_runs(tmp_path, capsys, options, message):
    with pytest.raises(SystemExit) as stop:
        main(["search", "--runs", str(tmp_path / "runs.jsonl"), *options])
    assert stop.value.code == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "runs.jsonl").exists()
