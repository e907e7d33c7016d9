"""`scalesr fit`, `predict` and `show` in one process: what they print and what they leave behind."""

import json
import subprocess
import sys

import numpy as np
import pytest

import scalesr
from scalesr.cli import main

PLANE = "name,x,y,z\n" + "".join(f"r{i},{i % 7},{i * i % 11},{3 * (i % 7) + 2 * (i * i % 11)}\n" for i in range(40))


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as stop:
        main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return stop.value.code, out, err


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("a folder ü")
    (path / "plane.csv").write_text(PLANE)
    with pytest.raises(SystemExit) as stop:
        main(["fit", str(path / "plane.csv"), "--target", "z", "--save", str(path / "law.json"), "--quiet"])
    assert stop.value.code == 0
    return path


def test_the_law_goes_to_standard_output_and_the_rest_to_standard_error(capsys, folder):
    code, out, err = run(capsys, "fit", folder / "plane.csv", "--target", "z")
    assert code == 0
    assert "z = 3*x + 2*y" in out
    assert "Exact: " in out
    assert "Next: keep the law with --save" in out
    lines = err.splitlines()
    assert lines[0] == "plane.csv: 40 rows, 4 columns (name: text, x, y, z), comma separated, header"
    assert lines[1] == "  name: text, left out."
    assert "reduce" in err


def test_quiet_prints_the_result_alone(capsys, folder):
    code, out, err = run(capsys, "fit", folder / "plane.csv", "--target", "z", "--quiet")
    assert (code, err) == (0, "")
    assert "z = 3*x + 2*y" in out


@pytest.mark.parametrize("option", [["--json"], ["--json", "-"], ["--json=-"]])
def test_json_is_all_that_is_printed(capsys, folder, option):
    code, out, _ = run(capsys, "fit", folder / "plane.csv", "--target", "z", *option, "--seed", 1)
    found = json.loads(out)
    assert code == 0
    assert (found["law"], found["verdict"], found["notes"]) == ("3*x + 2*y", "exact", ["name: text, left out."])
    assert found["table"].startswith("plane.csv: 40 rows")


def test_features_drop_and_operators_are_obeyed(capsys, folder):
    code, out, _ = run(
        capsys, "fit", folder / "plane.csv", "--target", "z", "--drop", "x", "--max-work", 20, "--operators", "+,*",
        "--json",
    )  # fmt: skip
    found = json.loads(out)
    assert "x" not in found["law"]
    assert found["verdict"] != "exact"
    assert code == (1 if found["verdict"] == "no law found" else 0)


def test_a_table_without_a_law_is_exit_code_1(capsys, tmp_path):
    noise = np.random.default_rng(0).normal(size=(12, 2))
    np.savetxt(tmp_path / "noise.txt", noise, header="x y")
    code, out, _ = run(capsys, "fit", tmp_path / "noise.txt", "--target", "y", "--max-work", 20)
    assert code == 1
    assert "No law found" in out
    assert "\nNext: " in out


def test_a_saved_law_is_the_one_that_was_printed(folder):
    model = scalesr.load(folder / "law.json")
    assert str(model.equation_) == "3*x + 2*y"
    assert model.verbose == 0


def test_show_prints_what_fit_printed(capsys, folder):
    code, out, _ = run(capsys, "show", folder / "law.json")
    assert code == 0
    assert out.startswith("z = 3*x + 2*y\n")
    assert "Exact: " in out
    assert json.loads(run(capsys, "show", folder / "law.json", "--json")[1])["law"] == "3*x + 2*y"
    assert "reduce" in run(capsys, "show", folder / "law.json", "--story")[1]


def test_show_prints_source_that_runs(capsys, folder, tmp_path):
    _, source, _ = run(capsys, "show", folder / "law.json", "--python")
    (tmp_path / "law.py").write_text(source)
    code = "import law; print(float(law.z(2.0, 5.0)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert done.stdout == "16.0\n"
    assert run(capsys, "show", folder / "law.json", "--latex")[1] == "3 x + 2 y\n"
    assert run(capsys, "show", folder / "law.json", "--sympy")[1] == "3*x + 2*y\n"
    assert "double z(const double *row)" in run(capsys, "show", folder / "law.json", "--c")[1]


def test_predict_writes_a_value_per_row_and_none_where_a_cell_is_missing(capsys, folder, tmp_path):
    (tmp_path / "new.csv").write_text("y;x;z\n1,5;1;6\n;2;7\n2,5;3;14\n")
    code, out, err = run(capsys, "predict", folder / "law.json", tmp_path / "new.csv")
    assert (code, out) == (0, 'z\n6.0\n""\n14.0\n')
    assert "1 of 3 rows have no value" in err
    assert "on 2 rows the law errs by 0" in err
    target = tmp_path / "out.csv"
    assert run(capsys, "predict", folder / "law.json", tmp_path / "new.csv", "-o", target, "-q") == (0, "", "")
    assert target.read_text() == out
    assert json.loads(run(capsys, "predict", folder / "law.json", tmp_path / "new.csv", "--json")[1]) == {
        "z": [6.0, None, 14.0]
    }


def test_a_law_that_is_off_by_more_than_can_be_squared_is_told(capsys, folder, tmp_path):
    (tmp_path / "far.csv").write_text("x,y,z\n1e300,1,-1e300\n2e300,2,-1e300\n3e300,1,1\n")
    code, out, err = run(capsys, "predict", folder / "law.json", tmp_path / "far.csv")
    assert (code, out.splitlines()[1]) == (0, "3e+300")
    assert "on 3 rows the law errs by 6.98e+300" in err


def test_predict_needs_only_the_columns_that_the_law_uses(capsys, folder, tmp_path):
    (tmp_path / "new.csv").write_text("x,other\n1,2\n3,4\n")
    code, _, err = run(capsys, "predict", folder / "law.json", tmp_path / "new.csv")
    assert code == 2
    assert "no column 'y'; its columns are x, other" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fit", "plane.csv"], "Say which column the law is for: --target COLUMN; plane.csv has name, x, y, z."),
        (["fit", "plane.csv", "--target", "q"], "no column 'q'"),
        (["fit", "plane.csv", "--target", "name"], "holds text"),
        (["fit", "plane.csv", "--target", "z", "--operators", "fly"], "Unknown operator or preset 'fly'"),
        (["fit", "plane.csv", "--target", "z", "--search", "luck"], "search='luck' is unknown; known are 'default'"),
        (["fit", "plane.csv", "--target", "z", "--save", "no/such/law.json"], "there is no folder"),
        (["fit", "gone.csv", "--target", "z"], "gone.csv cannot be read: No such file"),
        (["show", "plane.csv"], "plane.csv is not a model file that can be read"),
        (["predict", "gone.json", "plane.csv"], "gone.json cannot be read"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(capsys, folder, monkeypatch, arguments, message):
    monkeypatch.chdir(folder)
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err.splitlines()[-1].startswith("Error: ")
    assert message in err


@pytest.mark.parametrize("command", ["fit", "predict", "show"])
def test_help_has_examples(capsys, command):
    code, out, _ = run(capsys, command, "--help")
    assert code == 0
    assert f"Examples:\n    scalesr {command} " in out


def test_what_was_not_taken_as_it_stands_is_told(capsys, tmp_path):
    rows = "".join(f"{x};{2 * x}\n" for x in range(20))
    (tmp_path / "old.csv").write_bytes(f"größe;y\n{rows}oops;3\n7;\n".encode("latin-1"))
    code, out, err = run(capsys, "fit", tmp_path / "old.csv", "--target", "y")
    assert code == 0
    assert "y = 2*größe" in out
    assert "  Column 'größe': 1 cell that is not a number ('oops' in line 22) counts as missing.\n" in err
    assert "  old.csv is not UTF-8 and was read as Latin-1" in err
    assert "  2 of 22 rows have a missing or infinite cell and were left out.\n" in err


def test_what_was_left_out_of_a_table_is_part_of_the_story(capsys, tmp_path):
    (tmp_path / "lab.csv").write_text("Lab 3\nx,y\n" + "".join(f"{k},{-999 if k == 4 else 2 * k}\n" for k in range(12)))
    law = tmp_path / "law.json"
    code, _, err = run(capsys, "fit", tmp_path / "lab.csv", "--target", "y", "--max-work", "1", "--save", law)
    assert code == 0
    line = "Column 'y': 1 cell of -999 counts as missing; --missing-values none keeps them."
    assert line in err
    _, out, _ = run(capsys, "show", law, "--story")
    assert out.splitlines()[0].endswith(
        f"'Lab 3'. {line} 1 of 12 rows has a missing or infinite cell and was left out."
    )
    code, _, err = run(capsys, "fit", tmp_path / "lab.csv", "--target", "y", "--missing", "error")
    assert code == 2
    assert "1 of 12 rows of lab.csv have a missing" in err


UNITS = "m,v,E\nkg,m/s,J\n" + "".join(f"{k},{k % 4 + 1},{0.5 * k * (k % 4 + 1) ** 2}\n" for k in range(1, 20))


def test_units_of_the_table_are_used_and_said(capsys, tmp_path):
    pytest.importorskip("pint")
    (tmp_path / "lab.csv").write_text(UNITS)
    code, out, err = run(capsys, "fit", tmp_path / "lab.csv", "--target", "E", "--json", tmp_path / "law.json")
    assert code == 0
    assert "E = 0.5*m*v^2" in out
    assert "  Units: m [kg], v [m/s], E [J]; --units none leaves them out.\n" in err
    (constant,) = json.loads((tmp_path / "law.json").read_text())["constants"]
    assert (constant["value"], constant["unit"], constant["name"]) == (0.5, "", "")
    _, _, err = run(capsys, "fit", tmp_path / "lab.csv", "--target", "E", "--units", "none", "--max-work", "1")
    assert "Units:" not in err


def test_units_that_are_given_are_printed_with_the_constants(capsys, tmp_path):
    pytest.importorskip("pint")
    rng = np.random.default_rng(0)
    rows = [(k / 7, 4.903325 * (k / 7) ** 2 + 1e-3 * rng.normal()) for k in range(1, 41)]
    (tmp_path / "fall.csv").write_text("t,h\n" + "".join(f"{t},{h}\n" for t, h in rows))
    options = [
        "--target",
        "h",
        "--units",
        "t=s,h=m",
        "--max-work",
        "20",
        "--choose",
        "3",
        "--save",
        tmp_path / "law.json",
    ]
    code, out, _ = run(capsys, "fit", tmp_path / "fall.csv", *options)
    assert code == 0
    assert "m/s²  g_n/2 (standard acceleration of gravity)" in out
    assert "m/s²  g_n/2" in run(capsys, "show", tmp_path / "law.json")[1]


@pytest.mark.parametrize(
    ("units", "message"),
    [
        ("m=s", "--units says that 'm' is in 's' and the table says 'kg', which measures something else"),
        ("m=kg,x=m", "A unit is given for 'x', which is not a column; these are m, v, E."),
        ("v=quux", "The unit of 'v', 'quux', is unknown"),
    ],
)
def test_units_that_do_not_go_together_name_their_columns(capsys, tmp_path, units, message):
    pytest.importorskip("pint")
    (tmp_path / "lab.csv").write_text(UNITS)
    code, out, err = run(capsys, "fit", tmp_path / "lab.csv", "--target", "E", "--units", units)
    assert (code, out) == (2, "")
    assert message in err


def test_known_errors_are_a_column_or_a_number(capsys, tmp_path):
    rng = np.random.default_rng(0)
    lines = [f"{x},{3 * x + s * rng.normal()},{s}\n" for x, s in zip(range(1, 41), [0.1, 2.0] * 20, strict=True)]
    (tmp_path / "lab.csv").write_text("x,y,s\n" + "".join(lines))
    for error in ("s", "0.5"):
        options = ["--target", "y", "--features", "x", "--y-error", error, "--max-work", "3", "--json"]
        code, out, _ = run(capsys, "fit", tmp_path / "lab.csv", *options)
        assert (code, json.loads(out)["noise"]["kind"]) == (0, "constant")
    code, _, err = run(capsys, "fit", tmp_path / "lab.csv", "--target", "y", "--y-error", "sigma")
    assert code == 2
    assert "--y-error 'sigma' is neither a column of lab.csv nor a number; its columns are x, y, s." in err
    code, out, _ = run(
        capsys, "fit", tmp_path / "lab.csv", "--target", "y", "--features", "x", "--loss", "relative", "--no-outliers",
        "--max-work", "3", "--json",
    )  # fmt: skip
    assert json.loads(out)["noise"]["kind"] == "proportional"
