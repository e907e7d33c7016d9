import json
import shlex
from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("filelock")

from scalesr.cli.app import app
from scalesr.errors import DataError, SettingError
from scalesr.estimators.plugins import operators_of
from scalesr.estimators.regressor import ScaleSRRegressor
from scalesr.runs.find import find_law
from scalesr.runs.notebook import notebook
from scalesr.runs.plan import Plan, plan_of, units_text
from scalesr.runs.project import Project

TABLE = Plan(target="y", features=("a", "b,c"), weights="w", operators=("+", "exp"), time_limit=12.5, seed=3)
MOTION = Plan(kind="motion", time="t", trajectory="run", states=("u", "v"), order=2)


@pytest.mark.parametrize("plan", [TABLE, MOTION])
def test_a_plan_is_read_back_as_it_was_written(plan):
    assert plan_of(plan.values()) == plan


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"target": "y", "shell": "rm"}, "no setting 'shell'"),
        ({"target": ["y"]}, "'target' of a plan is a str"),
        ({"target": "y", "features": "ab"}, "list of names"),
        ({"target": "y", "features": [1]}, "list of names"),
        ({"target": "y", "time_limit": True}, "'time_limit' of a plan is a float"),
        ({"target": "y", "seed": 1.5}, "'seed' of a plan is a int"),
    ],
)
def test_values_of_another_kind_are_refused(values, words):
    with pytest.raises(DataError, match=words):
        plan_of(values)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"target": ""}, "which column"),
        ({"time_limit": 0.0}, "0.1 to"),
        ({"time_limit": float("nan")}, "0.1 to"),
        ({"seed": -1}, "seed"),
        ({"kind": "other"}, "of a table or of motion"),
        ({"kind": "motion"}, "holds the times"),
        ({"order": 3}, "order"),
    ],
)
def test_plans_that_cannot_be_followed_are_refused(change, words):
    with pytest.raises(SettingError, match=words):
        replace(TABLE, **change)


def test_the_command_line_asks_for_the_same():
    words = shlex.split(TABLE.command("my table.csv"))
    assert words[:5] == ["scalesr", "fit", "my table.csv", "--target", "y"]
    assert words[words.index("--features") + 1] == r"a,b\,c"
    assert words[words.index("--operators") + 1] == "+,exp"
    assert words[words.index("--time-limit") + 1] == "12.5"
    motion = shlex.split(MOTION.command("foxes.csv"))
    assert motion[:3] == ["scalesr", "dynamics", "foxes.csv"]
    assert motion[motion.index("--states") + 1] == "u,v"


FULL = Plan(
    target="y", features=("a", "b,c"), weights="w", groups="", units="a=m,b\\,c=1,y=m", y_error="sd",
    start=("k*a", "a^2"), constraints=("increasing in a",), operators=("+", "*", "exp"), time_limit=12.5, seed=3,
)  # fmt: skip


class Asked(Exception):
    """What a model was asked for, in the place of a search."""


def asked_of(what):
    """The parameters and rows of the fit that a piece of work would make."""
    with pytest.raises(Asked) as told:
        what()
    return told.value.args


@pytest.mark.parametrize(
    "plan", [FULL, Plan(target="y", groups="g"), Plan(target="y", template="f(a) + w", units="none")]
)
def test_page_command_line_and_notebook_ask_the_estimator_for_the_same(plan, tmp_path, monkeypatch):
    pytest.importorskip("pint")
    names = ["a", "b,c", "w", "sd", "y"]
    rows = np.random.default_rng(0).uniform(1, 2, (30, 5)).round(6).tolist()
    lines = [",".join([*(f'"{name}"' for name in names), "g"])]
    lines += [",".join([*map(str, row), "uv"[place % 2]]) for place, row in enumerate(rows)]
    run = Project.opened(tmp_path / "runs").create("table.csv", ["\n".join(lines).encode()])
    (tmp_path / "table.csv").write_bytes(run.table.read_bytes())
    monkeypatch.chdir(tmp_path)

    def fit(model, X, y, weights=None, **given):
        told = model.get_params() | dict.fromkeys(("checkpoint", "verbose", "n_jobs"))
        empty = {name: value or None for name, value in told.items() if name in ("start", "constraints", "template")}
        plain = [part for part in (X, y, weights, *given.values()) if part is not None]
        raise Asked(str(told | empty | {"operators": operators_of(model.operators).names}), str(list(map(str, plain))))

    monkeypatch.setattr(ScaleSRRegressor, "fit", fit)
    page = asked_of(lambda: find_law(run, plan, lambda _: nullcontext()))
    assert asked_of(lambda: app(shlex.split(plan.command("table.csv"))[1:], standalone_mode=False)) == page
    source = ["".join(cell["source"]) for cell in json.loads(notebook(plan, "table.csv"))["cells"][1:]]
    assert asked_of(lambda: exec("\n".join(source), {})) == page  # noqa: S102 - what was exported is the test


@pytest.mark.parametrize(
    ("given", "told", "text"),
    [
        ({"x": "", "y": ""}, {}, ""),
        ({"x": "m", "y": "s"}, {"x": "m", "y": "s"}, ""),
        ({"x": "", "y": ""}, {"x": "m"}, "none"),
        ({"x": "m", "y,z": ""}, {}, "x=m,y\\,z=1"),
    ],
)
def test_units_are_told_as_the_command_line_takes_them(given, told, text):
    assert units_text(given, told) == text
