"""The measurement of tables that are read in passes, on small ones."""

import json

import pytest

from scalesr_bench.cli import main


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as stop:
        main(["rows-beyond-memory", *[str(argument) for argument in arguments]])
    return stop.value.code, capsys.readouterr()


def test_tables_are_made_in_parts_and_measured(capsys, tmp_path):
    pytest.importorskip("pyarrow")
    stored = tmp_path / "result.json"
    options = ["--rows", "3000", "--folder", tmp_path / "rows", "--sample-rows", "300", "--max-work", "50"]
    code, (printed, told) = run(capsys, *options, "--json", stored)
    assert code == 0
    (line,) = json.loads(stored.read_text())["points"]
    assert (line["n_rows"], line["n_columns"]) == (3000, 8)
    assert line["n_passes"] >= 2
    assert line["peak_bytes"] >= line["memory"][0][1] > 0
    assert printed.startswith("3,000 rows,")
    assert "writing" in told
    written = sorted(path.name for path in (tmp_path / "rows" / "rows-3000-seed-0").iterdir())
    assert written == ["part-00000.parquet"]


@pytest.mark.parametrize("rows", ["many", "10", ""])
def test_sizes_that_are_none_are_refused(capsys, tmp_path, rows):
    code, (_, told) = run(capsys, "--rows", rows, "--folder", tmp_path)
    assert code == 2
    assert "give some of 1000 or more" in told
