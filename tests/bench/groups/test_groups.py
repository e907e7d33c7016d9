"""The suite of laws in groups, and its judge."""

import json

import numpy as np
import pytest

from scalesr.expr.text import parse
from scalesr.records.discovery import Discovery, Law, Verdict
from scalesr.records.equation import Equation
from scalesr.records.groups import GroupConstants
from scalesr_bench.cli import main
from scalesr_bench.groups.drawing import draw_groups
from scalesr_bench.groups.judging import judge_groups
from scalesr_bench.groups.problems import PROBLEMS, SEEN, UNSEEN


def test_thirty_laws_half_of_them_put_aside_and_half_with_five_rows():
    assert (len(SEEN), len(UNSEEN), len(PROBLEMS)) == (15, 15, 30)
    assert sum(one.rows == (5, 5) for one in PROBLEMS.values()) >= 15
    assert all(10 <= one.n_groups <= 200 for one in PROBLEMS.values())


@pytest.mark.parametrize("name", list(PROBLEMS))
def test_every_law_has_values_on_its_rows(name):
    drawn = draw_groups(PROBLEMS[name], seed=0, noise=0.01)
    assert np.isfinite(drawn.rows.data.y).all()
    assert drawn.fresh.n_groups == PROBLEMS[name].n_groups
    again = draw_groups(PROBLEMS[name], seed=0, noise=0.01)
    np.testing.assert_array_equal(drawn.rows.data.y, again.rows.data.y)


def discovery(text, letters, drawn, values):
    names = (*drawn.problem.columns, *letters)
    expression = parse(text, names)
    covariance = np.diag(np.full(len(expression.constants), 0.01))
    own = np.asarray(values, float).reshape(drawn.problem.n_groups, len(letters))
    errors = np.tile(0.01 * np.eye(len(letters)), (len(own), 1, 1))
    groups = GroupConstants("group", drawn.rows.labels, letters, own, errors)
    law = Law(Equation(expression, names, covariance), 0.0, 0.0, 0.0, "made up", groups=groups)
    return Discovery(law, Verdict.WITHIN_NOISE, "", (law,), (), 0.0)


def test_the_judge_knows_a_right_form_and_a_right_split():
    drawn = draw_groups(PROBLEMS["decay with background"], seed=0, noise=0.01)
    n = drawn.problem.n_groups
    right = judge_groups(discovery("a*exp(-0.72*t) + 0.41", ("a",), drawn, np.full(n, 2.0)), drawn)
    assert (right.form, right.split) == (True, True)
    assert right.n_constants == n + 2
    two = judge_groups(discovery("a*exp(-0.72*t) + b", ("a", "b"), drawn, np.tile([2.0, 0.4], (n, 1))), drawn)
    assert (two.form, two.split) == (True, False)
    none = judge_groups(discovery("2*exp(-0.72*t) + 0.4", (), drawn, np.empty((n, 0))), drawn)
    assert (none.form, none.split) == (False, False)
    spare = judge_groups(discovery("a*exp(-0.72*(t - 0.01*t^2)) + 0.41", ("a",), drawn, np.full(n, 2.0)), drawn)
    assert not spare.form
    other = judge_groups(discovery("a/(1 + t)", ("a",), drawn, np.full(n, 2.0)), drawn)
    assert not other.form


def test_the_suite_runs_and_resumes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    options = ["--laws", "scaling", "--max-work", "60", "--runs", "r.jsonl", "--json", "g.json"]
    main_code(["groups", *options])
    stored = json.loads((tmp_path / "g.json").read_text())
    assert stored["summary"]["n_laws"] == 1
    assert stored["runs"][0]["form"]
    main_code(["groups", *options])
    assert len((tmp_path / "r.jsonl").read_text().splitlines()) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [(["--part", "half"], "There is no part 'half'"), (["--laws", "nonsense"], "There is no law 'nonsense'")],
)
def test_bad_input_is_refused(tmp_path, capsys, options, message):
    with pytest.raises(SystemExit) as stop:
        main(["groups", *options, "--runs", str(tmp_path / "r.jsonl")])
    assert stop.value.code == 2
    assert message in capsys.readouterr().err


def main_code(arguments):
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert not stop.value.code
