import json

import pytest

from scalesr.errors import MissingExtra
from scalesr_bench.cli import main
from scalesr_bench.public.packages import check_package
from tests.bench.cli.commands import bench


@pytest.fixture(autouse=True)
def packages():
    try:
        check_package("pydataset")
    except MissingExtra:
        pytest.skip("pydataset is not installed")


def test_public_tables_are_measured_stored_and_resumed(tmp_path):
    methods = "tests.bench.stub_method:plane,linear"
    options = ("public-tables", "--tables", "trees,cats", "--methods", methods, "--time-limit", "1")
    first = bench(tmp_path, *options, "--json", "p.json", "--write-tables", "tables")
    assert first.returncode == 0, first.stderr
    assert "20 of 20 runs" in first.stderr
    assert "R2 per table" in first.stdout
    stored = json.loads((tmp_path / "p.json").read_text())
    assert {(line["table"], line["method"].split(":")[-1]) for line in stored["problems"]} == {
        ("trees", "plane"), ("trees", "linear"), ("cats", "plane"), ("cats", "linear"),
    }  # fmt: skip
    assert (tmp_path / "tables/public-tables.md").exists()
    again = bench(tmp_path, *options, "--json", "-", "--accept-stale")
    assert json.loads(again.stdout)["problems"] == stored["problems"]
    assert len((tmp_path / "r.jsonl").read_text().splitlines()) == 20


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--methods", "nonsense"), "Unknown method 'nonsense'"),
        (("--tables", "nonsense"), "No table is called 'nonsense'"),
        (("--time-limit", "0"), "time limit"),
    ],
)
def test_bad_input_is_refused_before_anything_runs(tmp_path, capsys, options, message):
    with pytest.raises(SystemExit) as stop:
        main(["public-tables", *options, "--runs", str(tmp_path / "r.jsonl")])
    assert stop.value.code == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "r.jsonl").exists()
