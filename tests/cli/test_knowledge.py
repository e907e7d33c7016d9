"""`--template` and `--constraint`."""

import json

import pytest

import scalesr
from tests.cli.test_output import run

ROWS = [(a / 11, (7 * a % 13) / 5) for a in range(5, 65)]
TABLE = "x,y,z\n" + "".join(f"{x},{y},{(x * x + 1 / x) / (1 + y)!r}\n" for x, y in ROWS)


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(TABLE)
    return path


def fitted(capsys, table, *options):
    return run(capsys, "fit", table, "--target", "z", "--quiet", "--max-work", 2000, *options)


def test_a_template_is_filled_and_its_holes_are_printed_and_saved(capsys, table, tmp_path):
    law = tmp_path / "law.json"
    code, out, _ = fitted(capsys, table, "--template", "f(x)/(1 + y)", "--save", law)
    assert code == 0
    assert "  f(x) = x^2 + 1/x" in out.splitlines()
    code, out, _ = run(capsys, "show", law, "--json")
    assert json.loads(out)["parts"] == [{"hole": "f(x)", "law": "x^2 + 1/x"}]
    assert scalesr.load(law).template == "f(x)/(1 + y)"


def test_constraints_are_checked_and_told(capsys, table):
    code, out, _ = fitted(capsys, table, "--constraint", "positive", "--constraint", "decreasing in y")
    assert code == 0
    assert "positive: holds, by interval arithmetic on the box of the rows." in out
    assert "decreasing in y: holds, by interval arithmetic on the box of the rows." in out


def test_a_wrong_constraint_says_what_to_do(capsys, table):
    code, out, _ = fitted(capsys, table, "--constraint", "increasing in y")
    assert code == 1
    assert "No law with the constraint 'increasing in y' that was tried fits; without it: " in out
    assert "Next: leave a --constraint out" in out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--template", "d/dt f"), "asks for a derivative"),
        (("--template", "f(w)"), "not a column; these are x, y"),
        (("--constraint", "rising in x"), "is not understood. Possible are: positive;"),
    ],
)
def test_what_cannot_be_used_is_bad_input(capsys, table, options, message):
    code, _, err = fitted(capsys, table, *options)
    assert code == 2
    assert message in " ".join(err.split())
