import json

import pytest

from scalesr.cli import main


def scaling(capsys, *options):
    with pytest.raises(SystemExit) as stop:
        main(["bench", "scaling", "--methods", "tests.bench.stub_method:plane", *options])
    out, err = capsys.readouterr()
    return stop.value.code, out, err


def test_scaling_prints_a_table_and_a_chart_and_stores_them(capsys, tmp_path):
    path = tmp_path / "scaling.json"
    code, out, err = scaling(capsys, "--max-rows", "1000", "--max-variables", "2", "--json", str(path))
    assert code == 0
    assert "peak memory" in out
    assert "█" in out
    assert "1,000 rows x 2 variables" in err
    stored = json.loads(path.read_text())
    assert stored.keys() >= {"commit", "machine", "versions", "seed", "time_limit", "points"}
    assert [(point["n_rows"], point["n_variables"]) for point in stored["points"]] == [(1000, 2)]
    assert all(point["peak_bytes"] > 0 for point in stored["points"])


def test_a_time_limit_is_above_zero(capsys):
    code, _, err = scaling(capsys, "--time-limit", "0")
    assert code == 2
    assert "time limit" in err
