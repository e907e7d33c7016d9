import json

import pytest

from scalesr_bench.cli import main
from tests.bench.cli.commands import bench

STUBS = "tests.bench.stub_method:plane,tests.bench.stub_method:boaster,tests.bench.stub_method:broken"
PROBLEMS = """name,variables,expression,ranges,sampling
plane,x y,2*x - 3*y + 1,"{""x"": [0, 1], ""y"": [0, 1]}","U[0,1,400]"
curve,x y,x*y,"{""x"": [0, 1], ""y"": [0, 1]}","U[0,1,400]"
"""


def test_a_benchmark_prints_tables_stores_them_and_resumes(tmp_path):
    (tmp_path / "problems.csv").write_text(PROBLEMS)
    options = ("mine", "--from-csv", "problems.csv", "--methods", STUBS, "--noise", "0,0.01", "--seeds", "1")
    first = bench(tmp_path, *options, "--time-limit", "5", "--json", "result.json", "--tables", "tables")
    assert first.returncode == 0, first.stderr
    assert "Recovered laws" in first.stdout
    assert "WRONG EXACT" in first.stdout
    assert "ValueError: no luck today" in first.stdout
    assert "12 of 12 runs" in first.stderr

    stored = json.loads((tmp_path / "result.json").read_text())
    assert (
        "| mine | tests.bench.stub_method:plane | 0 | - | 2 | 50 % (9–91) |"
        in (tmp_path / "tables/summary.md").read_text()
    )
    assert (tmp_path / "tables/problems.tex").exists()
    assert stored.keys() >= {"commit", "machine", "versions", "settings", "summary", "problems", "failures", "notes"}
    assert stored["settings"]["file"] == "problems.csv"
    assert [place["n_runs_there"] for place in stored["made"]] == [12]
    lines = {(line["method"].split(":")[1], line["noise"]): line for line in stored["summary"]}
    assert {line["suite"] for line in lines.values()} == {"mine"}
    assert {key: line["n_right"] for key, line in lines.items()} == {
        ("plane", 0.0): 1, ("plane", 0.01): 1, ("boaster", 0.0): 0, ("boaster", 0.01): 0, ("broken", 0.0): 0,
        ("broken", 0.01): 0,
    }  # fmt: skip
    assert lines["boaster", 0.0]["n_wrong_exact"] == 2
    assert lines["boaster", 0.0]["n_lost_by_search"] == 2
    assert {failure["lost_by"] for failure in stored["failures"]} == {"search", ""}  # "" where the method failed
    assert lines["broken", 0.0]["n_errors"] == 2

    # stale runs count, so that an edit of the code between the two calls breaks nothing
    again = bench(tmp_path, *options, "--time-limit", "5", "--json", "-", "--accept-stale")
    assert json.loads(again.stdout)["summary"] == stored["summary"]
    assert len((tmp_path / "r.jsonl").read_text().splitlines()) == 12


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("nonsense",), "Unknown suite 'nonsense'"),
        (("paper", "--methods", "nonsense"), "Unknown method 'nonsense'"),
        (("paper", "--problems", "Jin-7"), "No problem is called 'Jin-7'"),
        (("paper", "--noise", "much"), "Levels of noise"),
        (("paper", "--noise-kind", "pink"), "Unknown kind of noise 'pink'"),
        (("paper", "--rows", "10,many"), "Rows are whole numbers above 0 with commas"),
        (("paper", "--rows", "0"), "not '0'"),
        (("paper", "--part", "unseen"), "paper has no parts"),
        (("paper", "--figure", "curve.svg"), "say how many with --rows"),
        (("paper", "--rows", "10", "--figure", "curve.txt"), "names no kind of picture"),
        (("science", "--part", "hidden"), "Unknown part 'hidden'"),
        (("paper", "--time-limit", "0"), "time limit"),
        (("paper", "--from-csv", "missing.csv"), "missing.csv cannot be read"),
    ],
)
def test_bad_input_is_refused_before_anything_runs(tmp_path, capsys, options, message):
    with pytest.raises(SystemExit) as stop:
        main([*options, "--runs", str(tmp_path / "r.jsonl")])
    assert stop.value.code == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "r.jsonl").exists()


def test_with_an_oracle_every_value_is_asked_for_and_the_table_says_how_many(tmp_path):
    (tmp_path / "problems.csv").write_text(PROBLEMS)
    options = ("mine", "--from-csv", "problems.csv", "--methods", "tests.bench.stub_method:asking", "--seeds", "1")
    done = bench(tmp_path, *options, "--oracle", "--time-limit", "5", "--json", "result.json", "--tables", "tables")
    assert done.returncode == 0, done.stderr
    assert "median rows asked 407" in " ".join(done.stdout.split())
    stored = json.loads((tmp_path / "result.json").read_text())
    assert [line["median_asked"] for line in stored["summary"]] == [407]
    assert any("no rows" in note for note in stored["notes"])
    assert "| median rows asked |" in (tmp_path / "tables/summary.md").read_text()


def test_kinds_of_noise_and_numbers_of_rows_are_columns_and_skipped_laws_are_named(tmp_path):
    (tmp_path / "problems.csv").write_text(PROBLEMS)
    options = ("mine", "--from-csv", "problems.csv", "--methods", "tests.bench.stub_method:plane", "--seeds", "1")
    pytest.importorskip("matplotlib")
    kind = ("--noise-kind", "counts", "--rows", "50,100", "--time-limit", "5", "--json", "result.json")
    done = bench(tmp_path, *options, *kind, "--figure", "curve.svg")
    assert done.returncode == 0, done.stderr
    assert "skipped: plane." in " ".join(done.stdout.split())
    stored = json.loads((tmp_path / "result.json").read_text())
    lines = [(line["noise"], line["noise_kind"], line["given_rows"], line["n_runs"]) for line in stored["summary"]]
    assert lines == [(0.1, "counts", 50, 1), (0.1, "counts", 100, 1)]
    assert {failure["noise_kind"] for failure in stored["failures"]} == {"counts"}
    assert (tmp_path / "curve.svg").stat().st_size > 1000
