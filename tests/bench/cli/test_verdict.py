import json

import pytest

from scalesr_bench.cli import main
from tests.bench.cli.commands import bench

STUB = "tests.bench.verdict.stub_sure:sure"


def test_a_calibration_prints_tables_stores_draws_and_resumes(tmp_path):
    pytest.importorskip("matplotlib")
    options = ("verdict", "--methods", STUB, "--laws", "3", "--of-a-kind", "1", "--time-limit", "1")
    first = bench(tmp_path, *options, "--json", "v.json", "--figure", "v.svg", "--tables", "tables")
    assert first.returncode == 0, first.stderr
    assert "10 of 10 runs" in first.stderr
    assert "What verdicts and probabilities are worth" in first.stdout
    assert "median of three columns" in first.stdout
    stored = json.loads((tmp_path / "v.json").read_text())
    (line,) = stored["summary"]
    assert (line["n_runs"], line["n_claims"], line["n_sure"]) == (10, 10, 10)
    assert line["n_wrong_exact"] >= 7
    assert {"verdicts.md", "kinds.csv"} <= {path.name for path in (tmp_path / "tables").iterdir()}
    again = bench(tmp_path, *options, "--json", "-", "--accept-stale")
    assert json.loads(again.stdout)["summary"] == stored["summary"]
    assert len((tmp_path / "r.jsonl").read_text().splitlines()) == 10
    redrawn = bench(tmp_path, "verdict", "--stored", "v.json", "--figure", "again.svg")
    assert redrawn.returncode == 0, redrawn.stderr
    assert (tmp_path / "again.svg").stat().st_size > 1000


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--methods", "nonsense"), "Unknown method 'nonsense'"),
        (("--time-limit", "0"), "time limit"),
        (("--laws", "0", "--of-a-kind", "0"), "There is no table"),
        (("--figure", "v.txt"), "names no kind of picture"),
        (("--stored", "missing.json"), "say where with --figure"),
        (("--stored", "missing.json", "--figure", "v.svg"), "missing.json cannot be read"),
    ],
)
def test_bad_input_is_refused_before_anything_runs(tmp_path, capsys, options, message):
    with pytest.raises(SystemExit) as stop:
        main(["verdict", *options, "--runs", str(tmp_path / "r.jsonl")])
    assert stop.value.code == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "r.jsonl").exists()
