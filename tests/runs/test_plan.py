import shlex
from dataclasses import replace

import pytest

from scalesr.errors import DataError, SettingError
from scalesr.runs.plan import Plan, plan_of

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
