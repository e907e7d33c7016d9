import json

import pytest

from scalesr_bench.cli import main


def scaling(capsys, *options):
    with pytest.raises(SystemExit) as stop:
        main(["scaling", "--methods", "tests.bench.stub_method:plane", *options])
    out, err = capsys.readouterr()
    return stop.value.code, out, err


def test_scaling_prints_a_table_and_a_chart_stores_them_and_draws_them_again_without_measuring(capsys, tmp_path):
    pytest.importorskip("matplotlib")
    path, picture = tmp_path / "scaling.json", tmp_path / "pictures" / "scaling.svg"
    code, out, err = scaling(capsys, "--max-rows", "1000", "--max-variables", "2", "--json", str(path))
    assert code == 0
    assert "peak memory" in out
    assert "█" in out
    assert "1,000 rows x 2 variables" in err
    stored = json.loads(path.read_text())
    assert stored.keys() >= {"commit", "machine", "versions", "seed", "time_limit", "points"}
    assert [(point["n_rows"], point["n_variables"]) for point in stored["points"]] == [(1000, 2)]
    assert all(point["peak_bytes"] > 0 for point in stored["points"])
    before = path.read_text()
    code, out, err = scaling(capsys, "--stored", str(path), "--figure", str(picture))
    assert (code, err) == (0, "")
    assert "peak memory" in out
    assert picture.read_text().lstrip().startswith("<?xml")
    assert path.read_text() == before


def test_a_time_limit_is_above_zero(capsys):
    code, _, err = scaling(capsys, "--time-limit", "0")
    assert code == 2
    assert "time limit" in err


@pytest.mark.parametrize(("name", "content"), [("other.json", '{"suite": 1}'), ("torn.json", '{"points": [')])
def test_a_file_that_is_no_result_of_scaling_is_refused(capsys, tmp_path, name, content):
    (tmp_path / name).write_text(content)
    code, _, err = scaling(capsys, "--stored", str(tmp_path / name))
    assert code == 2
    assert "stored result" in err


def test_a_picture_of_no_known_kind_is_refused_before_anything_is_measured(capsys):
    code, _, err = scaling(capsys, "--figure", "scaling.docx")
    assert code == 2
    assert ".svg" in err
