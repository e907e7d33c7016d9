"""`--choose` for showing, saving, predicting and reports."""

import contextlib
import io
import json

import pytest

import scalesr
from scalesr.cli import main
from tests.cli.test_output import run

ROWS = [(a / 7, (a * a) % 5, (37 * a * a) % 11 / 100) for a in range(5, 45)]
TABLE = "x,k,z\n" + "".join(f"{x},{k},{3 * x * x + 0.2 * k + noise}\n" for x, k, noise in ROWS)


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(TABLE)
    return path


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """The file of a law with a front, found once."""
    folder = tmp_path_factory.mktemp("found")
    (folder / "table.csv").write_text(TABLE)
    fit = ["fit", folder / "table.csv", "--target", "z", "--save", folder / "law.json", "--quiet", "--max-work", 3]
    with pytest.raises(SystemExit) as stop, contextlib.redirect_stdout(io.StringIO()):
        main([str(argument) for argument in fit])
    assert stop.value.code == 0
    return (folder / "law.json").read_bytes()


@pytest.fixture
def law(tmp_path, found):
    path = tmp_path / "law.json"
    path.write_bytes(found)
    return path


def sizes(path):
    return scalesr.load(path).equations_["complexity"].tolist()


def test_a_law_of_the_front_is_shown_and_saved(capsys, law, tmp_path):
    size = sizes(law)[1]
    code, out, _ = run(capsys, "show", law, "--choose", size, "--save", tmp_path / "short.json")
    assert code == 0
    assert "Chosen by the user: it errs by" in out
    assert scalesr.load(tmp_path / "short.json").equation_.complexity == size
    code, out, _ = run(capsys, "show", tmp_path / "short.json", "--choose", "evidence", "--json")
    assert json.loads(out)["law"] == json.loads(out)["preferred"] == scalesr.load(law).equation_.text()


def test_a_law_of_the_front_predicts(capsys, law, table):
    model = scalesr.load(law)
    code, out, _ = run(capsys, "predict", law, table, "--choose", sizes(law)[0], "--quiet")
    assert code == 0
    values = [float(line) for line in out.splitlines()[1:]]
    assert values == [model.equations_["equation"].iloc[0].predict([[1.0, 1.0]])[0]] * len(ROWS)


def test_a_fit_saves_and_reports_the_chosen_law(capsys, table, tmp_path):
    arguments = ["fit", table, "--target", "z", "--max-work", 3, "--choose", "0", "--save", tmp_path / "c.json"]
    assert run(capsys, *arguments, "--quiet")[0] == 0
    assert scalesr.load(tmp_path / "c.json").equation_.complexity == 0


def test_a_report_of_a_saved_law_shows_the_chosen_one(capsys, law, table, tmp_path):
    pytest.importorskip("matplotlib")
    code, _, err = run(capsys, "report", law, table, tmp_path / "short.html", "--choose", sizes(law)[1])
    assert (code, err.splitlines()[-1]) == (0, f"Saved in {tmp_path / 'short.html'}.")
    page = (tmp_path / "short.html").read_text()
    assert "Chosen by the user" in page
    assert scalesr.load(law).equations_["equation"].iloc[1].text() in page


@pytest.mark.parametrize(
    ("choose", "message"),
    [("999", "No law of complexity 999 is on the Pareto front"), ("short", "neither a complexity nor one of evidence")],
)
def test_a_law_that_is_not_there_is_refused(capsys, law, choose, message):
    code, out, err = run(capsys, "show", law, "--choose", choose)
    assert (code, out) == (2, "")
    assert message in err


@pytest.mark.parametrize(
    ("option", "begins"),
    [("--torch", "import torch"), ("--jax", "import jax.numpy as np"), ("--latex-table", r"\begin{tabular}")],
)
def test_laws_are_printed_for_other_libraries(capsys, law, option, begins):
    code, out, _ = run(capsys, "show", law, option)
    assert code == 0
    assert out.startswith(begins)


def test_no_law_is_longer_than_max_complexity(capsys, table):
    code, out, _ = run(
        capsys, "fit", table, "--target", "z", "--max-work", 3, "--max-complexity", 3, "--quiet", "--json"
    )
    assert code in (0, 1)
    assert max(one["complexity"] for one in json.loads(out)["front"]) <= 3
