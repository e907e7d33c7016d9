import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
STUBS = "tests.bench.stub_search:ListSearch,tests.bench.stub_search:BrokenSearch"


def bench(folder, *options):
    command = [
        sys.executable,
        "-W",
        "error",
        "-m",
        "scalesr_bench.cli",
        "search",
        "--runs",
        str(folder / "runs.jsonl"),
    ]
    environment = os.environ | {"PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"}
    return subprocess.run(
        [*command, *options], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def test_a_benchmark_prints_a_table_stores_it_and_resumes(tmp_path):
    options = ("--methods", STUBS, "--suite", "nguyen", "--limit", "4", "--noise", "0,0.01", "--seeds", "1")
    first = bench(tmp_path, *options, "--time-limit", "5", "--json", "result.json")
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
    again = bench(tmp_path, *options, "--time-limit", "5", "--json", "-", "--accept-stale")
    assert json.loads(again.stdout)["summary"] == stored["summary"]
    assert len((tmp_path / "runs.jsonl").read_text().splitlines()) == 16


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
    from scalesr_bench.cli import main

    with pytest.raises(SystemExit) as stop:
        main(["search", "--runs", str(tmp_path / "runs.jsonl"), *options])
    assert stop.value.code == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "runs.jsonl").exists()
