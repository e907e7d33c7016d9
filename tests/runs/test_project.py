import pytest

pytest.importorskip("filelock")

from scalesr.errors import DataError, SettingError
from scalesr.runs.judged import judged
from scalesr.runs.plan import Plan
from scalesr.runs.project import Project
from scalesr.runs.state import Phase


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("planets.csv", "planets.csv"),
        ("../../etc/passwd", "passwd"),
        ("C:\\tables\\a.csv", "a.csv"),
        ("/", "table"),
        ("", "table"),
        ("x" * 500, "x" * 120),
        ("a\x00b\n.csv", "a\x00b\n.csv"),
    ],
)
def test_a_tables_name_is_for_people_and_no_path(tmp_path, given, kept):
    project = Project.opened(tmp_path / "runs")
    run = project.create(given, [b"x,y\n", b"1,2\n"])
    assert run.name == kept
    assert run.path.parent == project.path
    assert run.table.read_bytes() == b"x,y\n1,2\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["runs"]


@pytest.mark.parametrize("key", ["..", "../runs", "", "table", "20260101-000000-zzzzzzzz", "20260101-000000-0a1b2c3d"])
def test_what_is_no_key_of_a_run_is_refused(tmp_path, key):
    with pytest.raises(DataError, match="no such run"):
        Project.opened(tmp_path).run(key)


def test_a_link_is_no_run(tmp_path):
    project = Project.opened(tmp_path / "runs")
    (tmp_path / "elsewhere").mkdir()
    (project.path / "20260101-000000-0a1b2c3d").symlink_to(tmp_path / "elsewhere")
    assert project.runs() == []
    with pytest.raises(DataError, match="no such run"):
        project.run("20260101-000000-0a1b2c3d")


@pytest.mark.parametrize(
    "state", ["", "{}", '{"phase": "running", "message": "", "seconds": 1e999}', '{"phase": "ready", "message": 1}']
)
def test_a_run_that_cannot_be_read_hinders_no_other(tmp_path, state):
    project = Project.opened(tmp_path)
    whole, broken = project.create("a", [b"x"]), project.create("b", [b"x"])
    whole.set_state(Phase.WAITING)
    (broken.path / "state.json").write_text(state)
    assert project.phases() == {whole: Phase.WAITING}


@pytest.mark.parametrize("number", ["1" + "0" * 400, "NaN", "-1", "[]"])
@pytest.mark.parametrize("name", ["seconds", "started"])
def test_numbers_of_a_state_that_are_none_are_no_crash(tmp_path, name, number):
    run = Project.opened(tmp_path).create("a", [b"x"])
    given = {"phase": '"ready"', "message": '""', "seconds": "1.0", "started": "null"} | {name: number}
    (run.path / "state.json").write_text("{" + ", ".join(f'"{key}": {value}' for key, value in given.items()) + "}")
    if name == "started":
        assert run.state.phase is Phase.READY
    else:
        with pytest.raises(DataError, match=r"state\.json of the run .* cannot be read"):
            run.state  # noqa: B018


def test_formulas_that_are_no_list_are_none(tmp_path):
    run = Project.opened(tmp_path).create("a", [b"x"])
    for values in ({"laws": 1.5}, {"laws": [3, {"formula": 2}]}, {}):
        run.set_values("judged", values)
        assert judged(run) == []


@pytest.mark.parametrize("limit", ["1" + "0" * 400, "-1" + "0" * 400, "NaN", "1e999"])
def test_a_plan_of_a_time_that_is_none_is_refused(tmp_path, limit):
    run = Project.opened(tmp_path).create("a", [b"x"])
    (run.path / "plan.json").write_text(f'{{"target": "y", "time_limit": {limit}}}')
    with pytest.raises(SettingError, match="The time for a run"):
        run.plan  # noqa: B018


def test_the_folder_is_for_its_owner_alone(tmp_path):
    project = Project.opened(tmp_path / "runs")
    assert project.path.stat().st_mode & 0o077 == 0
    assert project.create("a.csv", [b"1"]).path.stat().st_mode & 0o077 == 0


def test_a_run_without_a_process_was_cut_off(tmp_path):
    run = Project.opened(tmp_path).create("a.csv", [b"1"])
    assert run.state.phase is Phase.READING  # its process is on its way
    run.set_state(Phase.RUNNING, seconds=5.0)
    assert run.state.phase is Phase.CUT
    assert run.state.seconds == 5.0
    with run.lock():
        assert run.state.phase is Phase.RUNNING


def test_a_run_that_is_worked_on_is_not_deleted(tmp_path):
    run = Project.opened(tmp_path).create("a.csv", [b"1"])
    with run.lock(), pytest.raises(DataError, match="stop it first"):
        run.delete()
    run.delete()
    assert not run.path.exists()


def test_a_table_that_was_cut_short_is_no_table(tmp_path):
    run = Project.opened(tmp_path).begin("a.csv")

    def cut_short():
        with run.table_to_come() as file:
            file.write(b"x,y\n")
            raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        cut_short()
    assert not run.table.exists()
    assert not (run.path / "table.part").exists()


def test_another_plan_begins_anew_and_more_time_does_not(tmp_path):
    run = Project.opened(tmp_path).create("a.csv", [b"1"])
    run.restart(Plan(target="y", time_limit=10))
    run.checkpoint.write_text("kept")
    run.set_state(Phase.DONE, seconds=9.0)
    run.restart(Plan(target="y", time_limit=20))
    assert run.checkpoint.exists()
    assert run.state.seconds == 9.0
    run.restart(Plan(target="x", time_limit=20))
    assert not run.checkpoint.exists()
    assert run.state.seconds == 0.0


@pytest.mark.parametrize("content", ["", "[]", "{", "{" * 100_000, '{"phase": "flying", "message": "", "seconds": 0}'])
def test_broken_files_are_one_sentence(tmp_path, content):
    run = Project.opened(tmp_path).create("a.csv", [b"1"])
    (run.path / "state.json").write_text(content)
    with pytest.raises(DataError, match="remove the run"):
        _ = run.state
