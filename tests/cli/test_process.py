"""The command line as a process: pipes, signals, terminals, encodings."""

import json
import os
import pty
import select
import signal
import subprocess
import sys
import termios
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from tests.attack.command import UNHURRIED, Run

SCALESR = [sys.executable, "-m", "scalesr.cli"]
PLANE = "x,y,z\n" + "".join(f"{i % 7},{i * i % 11},{3 * (i % 7) + 2 * (i * i % 11)}\n" for i in range(40))


def scalesr(*arguments, content=b"", **options):
    return subprocess.run([*SCALESR, *map(str, arguments)], input=content, capture_output=True, check=False, **options)


def test_a_table_comes_in_by_a_pipe_and_the_law_goes_out_by_one():
    done = scalesr("fit", "-", "--target", "z", "--json", content=PLANE.encode())
    assert done.returncode == 0
    assert json.loads(done.stdout)["law"] == "3*x + 2*y"
    assert done.stderr.startswith(b"standard input: 40 rows, 3 columns (x, y, z), comma separated, header\n")
    assert b"\x1b" not in done.stderr


def test_a_reader_of_progress_that_goes_away_does_not_end_the_work(tmp_path):
    (tmp_path / "plane.csv").write_text(PLANE)
    there, here = os.pipe()
    with Run(["fit", str(tmp_path / "plane.csv"), "--target", "z"], stderr=here) as run:
        os.close(here)
        assert os.read(there, 1)
        os.close(there)
        code, out, _ = run.ended(UNHURRIED)
    assert "z = 3*x + 2*y" in out
    assert code == 0


def test_names_that_the_terminal_cannot_show_end_nothing(tmp_path):
    text = PLANE.replace("x,y,z", "Länge (µm),wind speed,Δφ")
    (tmp_path / "mein e täfel.csv").write_bytes(text.encode("utf-8"))
    done = scalesr(
        "fit", tmp_path / "mein e täfel.csv", "--target", "Δφ", env={**os.environ, "PYTHONIOENCODING": "latin-1"}
    )
    assert done.returncode == 0
    assert r"\u0394\u03c6 = 3*`Länge (µm)` + 2*`wind speed`" in done.stdout.decode("latin-1")


def test_a_line_of_two_gigabytes_is_refused_without_reading_it_whole():
    there, here = os.pipe()
    with Run(["fit", "-", "--target", "z"], stdin=there) as run:
        os.close(there)
        written = 0
        with suppress(BrokenPipeError):
            for _ in range(2048):
                written += os.write(here, b"a" * 2**20)
        os.close(here)
        code, _, err = run.ended(UNHURRIED)
    assert "Error: standard input has a line of more than 16 MiB" in err
    assert code == 2
    assert written < 2**26


@pytest.fixture
def hard_table(tmp_path):
    """Rows that keep the search busy for minutes."""
    rng = np.random.default_rng(0)
    X = rng.uniform(1, 3, (300, 3))
    y = np.sin(X[:, 0] * X[:, 1] + np.exp(0.3 * X[:, 2])) * X[:, 2] ** 1.7 + 0.05 * rng.normal(size=300)
    np.savetxt(tmp_path / "hard.csv", np.column_stack([X, y]), delimiter=",", header="a,b,c,y", comments="")
    return tmp_path / "hard.csv"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_prints_the_best_law_so_far(hard_table, tmp_path, number):
    command = ["fit", hard_table, "--target", "y", "--time-limit", "300", "--save", tmp_path / "law.json"]
    with Run([str(argument) for argument in command]) as run:
        for line in run.err:
            if b"best" in line and b"reduce" in line:
                break
        run.signal(number)
        code, out, err = run.ended(UNHURRIED)
    assert "Traceback" not in err
    assert "y = " in out
    assert "interrupted" in out
    assert code == (1 if "No law found" in out or "Not tried" in out else 0)
    assert (tmp_path / "law.json").exists()


def test_a_narrow_terminal_gets_a_live_view_that_fits(hard_table):
    main, other = pty.openpty()
    environment = {**os.environ, "COLUMNS": "30", "LINES": "20", "TERM": "xterm"}
    command = [*SCALESR, "fit", hard_table, "--target", "y", "--time-limit", "1"]
    with subprocess.Popen(command, stdout=other, stderr=other, env=environment) as process:
        os.close(other)
        seen = _all_of(main)
    os.close(main)
    text = seen.decode()
    assert process.returncode in (0, 1)
    assert "\x1b[?25l" in text  # the cursor hides while the view is drawn
    assert "stage" in text
    assert "y = " in text
    front = text[text.index("complexity") :].splitlines()
    assert all(len(line) <= 30 for line in front[1 : front.index("")])


def test_a_terminal_that_is_stopped_holds_up_no_end(hard_table, tmp_path):
    main, other = pty.openpty()
    command = [*SCALESR, "fit", hard_table, "--target", "y", "--time-limit", "300", "--save", tmp_path / "law.json"]
    with subprocess.Popen(command, stdout=other, stderr=other, env={**os.environ, "TERM": "xterm"}) as process:
        seen = b""
        while b"best" not in seen:
            seen += os.read(main, 2**16)
        termios.tcflow(other, termios.TCOOFF)  # as Ctrl-S does
        process.send_signal(signal.SIGTERM)
        assert process.wait(UNHURRIED) == 2  # the law could not be shown
    os.close(other)
    os.close(main)
    assert (tmp_path / "law.json").exists()


def _all_of(terminal):
    """What is written to a terminal until nobody writes to it any more."""
    parts = []
    while select.select([terminal], [], [], UNHURRIED)[0]:
        try:
            part = os.read(terminal, 2**16)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        parts.append(part)
    return b"".join(parts)


def test_completion_is_offered():
    asked = {"_SCALESR_COMPLETE": "complete_bash", "COMP_WORDS": "scalesr pre", "COMP_CWORD": "1"}
    script = Path(sys.executable).with_name("scalesr")
    done = subprocess.run([script], env={**os.environ, **asked}, capture_output=True, timeout=UNHURRIED, check=False)
    assert done.stdout.split() == [b"predict"]
