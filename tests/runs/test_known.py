"""What the user knows goes into the runs of the page as it does on the command line."""

import json
import shlex
from contextlib import nullcontext

import pytest

pytest.importorskip("filelock")

from scalesr import load
from scalesr.errors import DataError
from scalesr.runs.find import find_law
from scalesr.runs.judged import propose
from scalesr.runs.notebook import notebook
from scalesr.runs.plan import Plan, plan_of
from scalesr.runs.project import Project
from scalesr.runs.state import Phase

KNOWN = Plan(
    target="y", units="x=m,y=m", start=("k*x", "k*x^2"), template="f(x)", constraints=("increasing in x",), groups="g"
)


def found(tmp_path, text, plan):
    run = Project.opened(tmp_path).create("table.csv", [text.encode()])
    run.set_plan(plan)
    find_law(run, plan, lambda run: nullcontext())
    assert run.state.phase is Phase.DONE
    return run


def test_a_plan_keeps_what_is_known_and_says_it_on_the_command_line():
    assert plan_of(KNOWN.values()) == KNOWN
    words = shlex.split(KNOWN.command("table.csv"))
    assert words[words.index("--units") + 1] == "x=m,y=m"
    assert words[words.index("--groups") + 1] == "g"
    assert words[words.index("--template") + 1] == "f(x)"
    assert [words[k + 1] for k, word in enumerate(words) if word == "--start"] == ["k*x", "k*x^2"]
    assert words[words.index("--constraint") + 1] == "increasing in x"


def test_groups_have_constants_of_their_own_on_the_page(tmp_path):
    factors = {"a": 2.37, "b": 4.19, "c": 1.61}
    rows = [f"{name},{x},{factor * x**2 + 1}" for name, factor in factors.items() for x in range(1, 9)]
    run = found(tmp_path, "\n".join(["kind,x,y", *rows]), Plan(target="y", features=("x",), groups="kind"))
    law = load(run.law)
    assert law.group_constants_.index.tolist() == ["a", "b", "c"]
    assert run.values("view")["names"] == ["x", "a"]
    with pytest.raises(DataError, match="not judged beside laws of groups"):
        propose(run, "x")


def test_starts_templates_and_units_reach_the_search(tmp_path):
    text = "\n".join(["x,y", *(f"{x},{2.5 * x**2}" for x in range(1, 40))])
    plan = Plan(target="y", features=("x",), units="x=m,y=m2", start=("k*x",), time_limit=20)
    run = found(tmp_path / "one", text, plan)
    told = json.dumps(run.values("view")["notes"])
    assert load(run.law).units is not None
    assert told == "[]"
    said = [step.summary for step in load(run.law).discovery_.trace if step.stage == "start"]
    assert said[0].startswith("k*x was fitted as ")
    other = found(tmp_path / "two", text, Plan(target="y", template="a*f(x)", constraints=("increasing in x",)))
    assert load(other.law).discovery_.taken.parts[0].title == "f(x)"


def test_the_notebook_asks_for_the_same():
    source = notebook(KNOWN, "table.csv")
    for part in ("groups='g'", "template='f(x)'", "start=['k*x', 'k*x^2']", "units_of(rows, 'x=m,y=m')"):
        assert part in source
