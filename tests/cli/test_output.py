"""What the command line writes: the law first, files whole or not at all, and nothing over what is the user's."""

import json
import os
import resource
import signal
import subprocess
import sys
from contextlib import contextmanager
from functools import partial

import pytest

import scalesr
from scalesr.cli import main, output
from tests.attack.command import ran
from tests.cli.killing import write_table

SCALESR = [sys.executable, "-m", "scalesr.cli"]
PLANE = "x,y,z\n" + "".join(f"{i % 7},{i * i % 11},{3 * (i % 7) + 2 * (i * i % 11)}\n" for i in range(40))
ESCAPE = "\x1b]52;c;aGk=\x07"


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as stop:
        main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return stop.value.code, out, err


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "plane.csv"
    path.write_text(PLANE)
    return path


@pytest.fixture
def law(tmp_path, table, capsys):
    assert run(capsys, "fit", table, "--target", "z", "--save", tmp_path / "law.json", "--quiet")[0] == 0
    return tmp_path / "law.json"


@pytest.mark.parametrize("option", ["--save", "--report", "--json", "--checkpoint"])
def test_the_table_is_not_written_over_by_any_name_it_has(capsys, table, tmp_path, option):
    (tmp_path / "soft").symlink_to(table)
    os.link(table, tmp_path / "hard")
    for name in ("plane.csv", "soft", "hard"):
        code, out, err = run(capsys, "fit", table, "--target", "z", option, tmp_path / name, "--quiet")
        assert (code, out) == (2, "")
        assert "is the file that is read; nothing is written over it" in err
    assert table.read_text() == PLANE


@pytest.mark.parametrize("option", ["--save", "--json", "--checkpoint"])
@pytest.mark.parametrize("given", ["parts", "parts/*.parquet"])
def test_nothing_is_written_over_the_parts_of_a_table(capsys, tmp_path, option, given):
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    part = tmp_path / "parts" / "a.parquet"
    part.parent.mkdir()
    parquet.write_table(pa.table({"x": [1.0, 2.0, 3.0], "y": [2.0, 4.0, 6.0]}), part)
    before = part.read_bytes()
    code, out, err = run(capsys, "fit", tmp_path / given, "--target", "y", option, part, "--max-work", "1")
    assert (code, out) == (2, "")
    assert "that is read" in err
    assert part.read_bytes() == before


def test_a_checkpoint_that_is_begun_anew_takes_no_name_of_another_file(capsys, table, tmp_path):
    kept, other = tmp_path / "run", tmp_path / "run.before"
    fit = ["fit", table, "--target", "z", "--quiet", "--max-work", "20", "--checkpoint", kept]
    assert run(capsys, *fit)[0] == 0
    other.write_text("mine")
    assert run(capsys, *fit, "--restart")[0] == 0
    assert other.read_text() == "mine"


@pytest.mark.parametrize("choice", ["9" * 5000, "²", "x\x1b[2J"])
def test_a_choice_that_is_no_number_is_a_sentence(capsys, law, choice):
    code, _, err = run(capsys, "show", law, "--choose", choice)
    assert code == 2
    assert "is neither a complexity nor one of" in err
    assert "\x1b" not in err


def test_a_file_that_fails_costs_no_other_file_of_a_saved_law(capsys, law, tmp_path):
    told = tmp_path / "told.json"
    with small_disk_for(tmp_path / "short.json"):
        code, out, err = run(capsys, "show", law, "--save", tmp_path / "short.json", "--json", told)
    assert code == 2
    assert "z = 3*x + 2*y" in out
    assert "short.json cannot be written" in err
    assert json.loads(told.read_text())["law"] == "3*x + 2*y"


@contextmanager
def small_disk_for(path):
    """A block in which one file becomes a folder after it was checked."""
    check = output.require_writable

    def checked(asked):
        check(asked)
        if asked == path:
            path.mkdir()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(output, "require_writable", checked)
        yield


def test_what_cannot_be_written_is_refused_before_the_search(capsys, table, tmp_path):
    for options, message in (
        (["--save", tmp_path], "it is a folder"),
        (["--report", tmp_path / "no" / "r.html"], "there is no folder"),
        (["--save", tmp_path / "one", "--report", tmp_path / "one"], "name the same file"),
        (["--save", "/proc/law.json"], "/proc/law.json cannot be written"),
        (["--save", "-"], "only --json and --output can be printed with -"),
    ):
        code, out, err = run(capsys, "fit", table, "--target", "z", *options)
        assert (code, out) == (2, "")
        assert message in err
        assert "reduce" not in err  # the first stage


def test_a_file_that_fails_costs_no_law_and_no_other_file(capsys, table, tmp_path, monkeypatch):
    (tmp_path / "law.json").write_text("old")

    def full(path, page):
        raise scalesr.errors.DataError(f"{path} cannot be written: No space left on device.")

    monkeypatch.setattr("scalesr.report.page.write_page", full)
    code, out, err = run(
        capsys, "fit", table, "--target", "z", "--save", tmp_path / "law.json", "--report", tmp_path / "r.html",
    )  # fmt: skip
    assert code == 2
    assert "z = 3*x + 2*y" in out
    assert err.splitlines()[-1] == f"Error: {tmp_path / 'r.html'} cannot be written: No space left on device."
    assert str(scalesr.load(tmp_path / "law.json").equation_) == "3*x + 2*y"


def small_disk(size=100):
    """Files of at most so many bytes, as on a disk that is nearly full."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def test_a_full_disk_leaves_the_old_law_whole_and_the_new_one_on_the_screen(law, table, tmp_path):
    before = law.read_bytes()
    new = ["--save", law, "--json", tmp_path / "new.json"]
    done = ran(["fit", table, "--target", "z", "--seed", "1", *new], disk=100)
    assert done.code == 2
    assert "z = 3*x + 2*y" in done.out
    assert done.err.count("Error: ") == 2
    assert "Traceback" not in done.err
    assert law.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["law.json", "plane.csv"]


@pytest.mark.parametrize("wanted", ["error", "ignore"])
def test_a_disk_that_fills_during_a_run_is_a_warning_whatever_the_environment_wants_of_warnings(tmp_path, wanted):
    table, kept = tmp_path / "curve.csv", tmp_path / "run.ck"
    write_table(table)
    command = [*SCALESR, "fit", table, "--target", "y", "--checkpoint", kept, "--max-work", "3", "--quiet"]
    environment = {**os.environ, "PYTHONWARNINGS": wanted}
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, preexec_fn=partial(small_disk, 4000), env=environment
    )
    assert done.returncode in (0, 1), done.stderr
    assert "y = " in done.stdout
    assert kept.stat().st_size < 4000  # the last one for which there was room
    assert done.stderr.startswith(f"Warning: {kept} cannot be written: ")
    assert done.stderr.endswith("The fit goes on; its checkpoint stays as it was.\n")


def test_a_full_standard_output_is_said_and_costs_no_file(table, tmp_path):
    with open("/dev/full", "w") as full:  # noqa: PTH123 - a device
        fit = ["fit", table, "--target", "z", "--save", tmp_path / "law.json", "--quiet"]
        done = ran(fit, stdout=full.fileno())
        assert done.code == 2
        assert done.err == "Error: Standard output cannot be written: No space left on device.\n"
        assert str(scalesr.load(tmp_path / "law.json").equation_) == "3*x + 2*y"
        done = ran(["--help"], stdout=full.fileno())
        assert (done.code, done.err.count("\n")) == (2, 1)


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_no_file_takes_the_place_of_the_one_that_the_output_goes_to(law, table, tmp_path, stream):
    """Nor under the name that the system has for it."""
    for name in (tmp_path / "out", f"/dev/{stream}"):
        for arguments in (["fit", table, "--target", "z", "--save", name], ["show", law, "--json", name]):
            with (tmp_path / "out").open("w") as out:
                done = ran(arguments, **{stream: out.fileno()})
            assert done.code == 2
            shown = (tmp_path / "out").read_text()
            assert shown == "" if stream == "stdout" else "where the output of this command goes already" in shown


@pytest.mark.parametrize("option", ["--json", "--save"])
def test_a_law_goes_to_a_pipe_that_a_shell_has_numbered(capsys, law, option):
    there, here = os.pipe()
    code, *_ = run(capsys, "show", law, option, f"/dev/fd/{here}")
    os.close(here)
    with os.fdopen(there) as reader:
        assert (code, "3*x + 2*y" in reader.read()) == (0, True)


@pytest.mark.parametrize("closed", [[1], [2], [0, 1, 2]])
def test_closed_streams_are_no_error_and_no_file_takes_their_place(law, tmp_path, closed):
    written = tmp_path / "shown.json"
    close = "; ".join(f"os.close({number})" for number in closed)
    arguments = [sys.executable, "-m", "scalesr.cli", "show", str(law), "--json", str(written)]
    source = f"import os; {close}; os.execv({sys.executable!r}, {arguments!r})"
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(written.read_text())["law"] == "3*x + 2*y"


def test_a_reader_that_goes_away_is_not_the_exit_code_for_no_law(table):
    for arguments in (["fit", table, "--target", "z", "--quiet"], ["--help"], ["fit", "--help"]):
        there, here = os.pipe()
        os.close(there)
        done = ran(arguments, stdout=here)
        os.close(here)
        assert (done.code, done.err) == (0, "")


def test_predict_writes_over_neither_law_nor_table(capsys, law, table):
    kept = law.read_bytes()
    for path in (law, table):
        for option in ("--output", "--json"):
            code, out, err = run(capsys, "predict", law, table, option, path)
            assert (code, out) == (2, "")
            assert "nothing is written over it" in err
    assert run(capsys, "show", law, "--json", law)[0] == 2
    assert (law.read_bytes(), table.read_text()) == (kept, PLANE)


def test_control_characters_are_shown_and_not_obeyed(capsys, tmp_path):
    path, clear = tmp_path / f"a{ESCAPE}.csv", "\x1b[2J"
    rows = "".join(f"{i},{2 * i},{5 if i else clear}\n" for i in range(20))
    path.write_text(f"x{clear},y{clear},cell\n{rows}")
    code, out, err = run(capsys, "fit", path, "--target", f"y{clear}", "--save", tmp_path / "law.json")
    shown = [(code, out, err), run(capsys, "show", tmp_path / "law.json"), run(capsys, "fit", path, "--target", ESCAPE)]
    shown += [run(capsys, "predict", tmp_path / "law.json", path), run(capsys, "fit", path, f"--{ESCAPE}")]
    for _, out, err in shown:
        assert (out + err).replace("\n", "").isprintable()
    assert [code for code, *_ in shown] == [0, 0, 2, 0, 2]
    assert r"y\x1b[2J = 2*`x\x1b[2J`" in shown[0][1]
    assert scalesr.load(tmp_path / "law.json").feature_names_in_[0] == f"x{clear}"  # files keep what names are


def test_reports_show_control_characters_too(capsys, tmp_path):
    pytest.importorskip("matplotlib")
    path = tmp_path / "t.csv"
    path.write_text(f"x\x1b[2J,y\n{''.join(f'{i},{2 * i}' + chr(10) for i in range(20))}")
    assert run(capsys, "fit", path, "--target", "y", "--report", tmp_path / "r.html")[0] == 0
    page = (tmp_path / "r.html").read_text()
    assert r"x\x1b[2J" in page
    assert "\x1b" not in page


def test_a_second_interrupt_costs_no_law(capsys, table, tmp_path, monkeypatch):
    from scalesr.estimators.regressor import ScaleSRRegressor

    save = ScaleSRRegressor.save

    def interrupted(model, path):
        for _ in range(3):
            os.kill(os.getpid(), signal.SIGINT)
            os.kill(os.getpid(), signal.SIGTERM)
        save(model, path)

    monkeypatch.setattr(ScaleSRRegressor, "save", interrupted)
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    try:
        code, out, _ = run(capsys, "fit", table, "--target", "z", "--save", tmp_path / "law.json")
    finally:
        signal.signal(signal.SIGINT, before[0])
        signal.signal(signal.SIGTERM, before[1])
    assert code == 0
    assert out.count("\nNext: ") == 1
    assert json.loads((tmp_path / "law.json").read_text())["format"] == "scalesr-law"


@pytest.mark.parametrize("place", ["scalesr.cli.fit.show_progress", "scalesr.cli.output.Delivery.close"])
def test_an_interrupt_after_the_law_is_known_changes_nothing(capsys, table, monkeypatch, place):
    """At the end of the search, and when all is written."""
    interrupted = {
        "show_progress": contextmanager(lambda **_: _interrupted_after(None)),
        "close": lambda _: os.kill(os.getpid(), signal.SIGINT),
    }[place.rpartition(".")[2]]
    monkeypatch.setattr(place, interrupted)
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    try:
        code, out, err = run(capsys, "fit", table, "--target", "z", "--quiet")
    finally:
        signal.signal(signal.SIGINT, before[0])
        signal.signal(signal.SIGTERM, before[1])
    assert (code, err) == (0, "")
    assert out.count("\nNext: ") == 1


def _interrupted_after(told):
    yield told
    os.kill(os.getpid(), signal.SIGINT)


def test_an_interrupt_before_there_is_a_law_is_a_sentence(table):
    code = (
        "import os, signal, sys\n"
        "import scalesr.cli.table_given as given\n"
        "given.read_argument = lambda *_, **__: [os.kill(os.getpid(), n) for n in (2, 2, 15)]\n"
        f"sys.argv = ['scalesr', 'fit', {str(table)!r}, '--target', 'z']\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from scalesr.cli import main\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "Interrupted before there was a result.\n"
