"""The search of a run, in this process."""

from contextlib import contextmanager, nullcontext

import pytest

pytest.importorskip("filelock")

from scalesr import load
from scalesr.errors import DataError, SettingError
from scalesr.runs.find import find_law, require_sense
from scalesr.runs.plan import Plan
from scalesr.runs.project import Project
from scalesr.runs.state import Phase
from scalesr.runs.understood import understood
from scalesr.tables import read_table
from tests.runs.tables import noisy


def test_a_search_that_gets_more_time_goes_on_when_its_own_is_up(tmp_path):
    run = Project.opened(tmp_path).create("noisy.csv", [noisy()])
    plan = Plan(target="y", time_limit=0.5)
    run.set_plan(plan)

    @contextmanager
    def listening(run):
        run.give_time(1.0)  # while the search is under way, for all that it knows
        yield

    find_law(run, plan, listening)
    assert run.state.phase is Phase.DONE
    assert run.state.message == "Its time is up: 1.5 s."
    assert load(run.law).time_limit == 1.5
    errors = [error for _, error in run.values("progress")["history"]]
    assert errors == sorted(errors, reverse=True)  # the page does not fall back while the search catches up


def test_groups_are_in_the_view_of_their_law_and_need_no_checkpoint(tmp_path):
    rows = [f"{'abc'[k % 3]},{k % 8},{(2 + k % 3) * (k % 8) + 1}" for k in range(24)]
    run = Project.opened(tmp_path).create("t.csv", ["\n".join(["batch,x,y", *rows]).encode()])
    run.set_values("understood", understood(read_table(run.table, run.name)))
    for plan in (Plan(target="y", groups="batch"), Plan(target="y")):
        run.restart(plan)
        assert not run.can_go_on
        find_law(run, plan, lambda _: nullcontext())
        view = run.values("view")
        assert view["groups"]
        assert view["error"] < 1e-4
        assert len(view["X"][0]) == len(view["names"]) > 1  # the constants of each row's group are among its cells
    run.set_plan(Plan(target="y", features=("x",)))
    assert run.can_go_on


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"template": "f(x"}, "f\\(x"),
        ({"template": "f(x)", "groups": "g"}, "groups"),
        ({"operators": ("sin", "fly")}, "fly"),
        ({"start": ("1+",)}, "1\\+"),
        ({"constraints": ("increasing in q",)}, "q"),
    ],
)
def test_settings_that_cannot_be_followed_are_refused_before_a_search(change, words):
    with pytest.raises((SettingError, DataError, ValueError), match=words):
        require_sense(Plan(target="y", **change), ["x"])
    require_sense(Plan(target="y", start=("k*x",), units="x=m,y=s"), ["x"])
