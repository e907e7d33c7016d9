"""Searches in processes of their own: stopped, paused, killed and gone on with."""

import json
import os
import signal

import pytest

pytest.importorskip("filelock")

from scalesr import load
from scalesr.errors import DataError
from scalesr.runs.exports import EXPORTS, export
from scalesr.runs.judged import judged, propose
from scalesr.runs.plan import Plan
from scalesr.runs.process import Processes
from scalesr.runs.project import Project
from scalesr.runs.state import Phase
from scalesr.runs.work import main
from tests.runs.tables import LINE, noisy
from tests.runs.waiting import until

LONG = Plan(target="y", time_limit=3000)


@pytest.fixture
def project(tmp_path):
    return Project.opened(tmp_path)


@pytest.fixture
def processes(project):
    started = Processes(project, most=1)
    yield started
    for child in started.children:
        child.kill()
        child.wait()


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """A finished run, found once."""
    project = Project.opened(tmp_path_factory.mktemp("found"))
    processes = Processes(project, most=1)
    run = read(processes, project, LINE)
    run.set_plan(Plan(target="y"))
    processes.find(run)
    until(lambda: run.state.phase is Phase.DONE, "a law")
    for child in processes.children:
        child.wait()
    return run


def read(processes, project, content):
    run = project.create("table.csv", [content])
    processes.read(run)
    until(lambda: run.state.phase is not Phase.READING, "the table is read")
    return run


def begun(processes, project):
    """A search that has a law so far and will not end by itself."""
    run = read(processes, project, noisy())
    run.set_plan(LONG)
    go_on(processes, run)
    return run


def go_on(processes, run):
    (run.path / "progress.json").unlink(missing_ok=True)
    processes.find(run)
    until(lambda: ((run.values("progress") or {}).get("error") or 1.0) < 0.9, "a law so far that is not a constant")


def test_from_a_table_to_a_law_and_everything_that_can_be_taken_away(found):
    assert found.values("understood")["n_rows"] == 40
    assert str(load(found.law).equation_) == "3*x + 2"
    view = found.values("view")
    assert view["names"] == ["x"]
    assert len(view["X"]) == len(view["y"]) == 40
    assert found.values("summary")["law"] == "y = 3*x + 2"
    for form in set(EXPORTS) - {"report"}:
        assert export(found, form)
    assert json.loads(export(found, "json"))["law"] == "3*x + 2"
    assert export(found, "excel").startswith(b"=")
    with pytest.raises(DataError, match="no export"):
        export(found, "../../etc/passwd")


def test_a_table_that_cannot_be_read_fails_with_a_sentence(project, processes):
    run = read(processes, project, b"PK\x03\x04 no workbook")
    assert run.state.phase is Phase.FAILED
    assert "table.csv" in run.state.message


def test_pause_keeps_what_was_finished_and_stop_keeps_the_best_law(project, processes):
    run = begun(processes, project)
    processes.pause(run)
    until(lambda: run.state.phase is Phase.PAUSED, "the pause")
    assert not run.law.exists()
    assert run.state.seconds > 0
    spent = run.state.seconds
    go_on(processes, run)
    processes.stop(run)
    until(lambda: run.state.phase is Phase.DONE, "the end")
    assert run.state.seconds > spent
    assert "stopped" in run.state.message
    assert load(run.law).discovery_.was_interrupted


def test_a_killed_search_is_seen_and_goes_on(project, processes):
    run = begun(processes, project)
    os.kill(processes.children[-1].pid, signal.SIGKILL)
    until(lambda: run.state.phase is Phase.CUT, "the kill is seen")
    processes.advance()
    other = Processes(project, most=1)  # as a server that was started later
    go_on(other, run)
    other.stop(run)
    until(lambda: run.state.phase is Phase.DONE, "the end")
    assert run.law.exists()
    for child in other.children:
        child.wait()


def test_a_search_waits_for_a_free_place_and_who_does_not_want_to_wait_is_not_begun(project, processes):
    first = begun(processes, project)
    second = read(processes, project, LINE)
    second.set_plan(Plan(target="y"))
    processes.find(second)
    processes.advance()
    assert second.state.phase is Phase.WAITING
    processes.stop(second)
    assert second.state.phase is Phase.READY
    processes.find(second)
    processes.stop(first)
    until(lambda: processes.advance() or second.state.phase is Phase.DONE, "its turn")
    assert first.state.phase is Phase.DONE


def test_typed_formulas_are_judged_beside_the_found_law(found):
    run = found
    propose(run, "C*x + C")
    propose(run, "C*x^2")
    propose(run, "log(x - 5)")
    assert main(["judge", str(run.path)]) == 0
    right, wrong, nowhere = judged(run)
    assert (right["verdict"], wrong["verdict"]) == ("exact", "approximate")
    assert wrong["advantage"] < -10
    assert "no finite value" in nowhere["fault"]
    with pytest.raises(ValueError, match=r"Unknown|unknown"):
        propose(run, "__import__('os')")
    with pytest.raises(ValueError, match="characters"):
        propose(run, "x+" * 2000 + "x")


def test_a_notebook_finds_the_law_again(found, tmp_path, monkeypatch):
    run = found
    notebook = json.loads(export(run, "notebook"))
    (tmp_path / "table.csv").write_bytes(LINE)
    monkeypatch.chdir(tmp_path)
    source = "\n".join("".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code")
    space = {}
    exec(compile(source, "law.ipynb", "exec"), space)  # noqa: S102 - running what was exported is the test
    assert str(space["model"].equation_) == "3*x + 2"


def test_values_for_new_rows(found, tmp_path):
    run = found
    (tmp_path / "new").write_text("x,y\n100,302\n,1\n")
    assert main(["predict", str(run.path), str(tmp_path / "new"), str(tmp_path / "out.csv")]) == 0
    assert (tmp_path / "out.csv").read_text() == 'y\n302.0\n""\n'
    assert "1 of 2 rows have no value" in (tmp_path / "out.txt").read_text()
    (tmp_path / "new").write_text("z,w\n1,2\n")
    assert main(["predict", str(run.path), str(tmp_path / "new"), str(tmp_path / "out.csv")]) == 2
