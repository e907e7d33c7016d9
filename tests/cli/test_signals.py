"""Signals that ask for an end: heard whatever they fall into and whoever does not read."""

import subprocess
import sys

import pytest

UNHURRIED = 600  # seconds after which a process counts as hanging; nothing is decided by it
FULL_PIPE = """
import os, select
def fill(number):
    _, there = os.pipe()
    os.set_blocking(there, False)
    try:
        while True:
            os.write(there, b"." * select.PIPE_BUF)
    except BlockingIOError:
        os.set_blocking(there, True)
    os.dup2(there, number)
"""
LOST = """
import signal, threading
from scalesr.cli.signals import heard_once
class Callback:
    def __del__(self):
        signal.raise_signal(signal.SIGTERM)
with heard_once():
    try:
        Callback()
        threading.Event().wait()
    except KeyboardInterrupt:
        print("heard")
"""
SEARCHED = """
import signal, sys
from scalesr.cli.output import say, tell
from scalesr.cli.signals import heard_once, heard_until
from scalesr.errors import DataError
with heard_once():
    with heard_until(lambda: True):
        signal.raise_signal(signal.SIGTERM)
    tell(["Nobody has to hear this."])
    try:
        say("a law")
    except DataError as error:
        open(sys.argv[1], "w").write(str(error))
"""
HANDED_OVER = """
import os, signal, sys, threading
from scalesr.cli.output import say
from scalesr.cli.signals import heard_once, heard_until
from scalesr.errors import DataError
with heard_once():
    with heard_until(lambda: True):
        pass
    threading.Thread(target=lambda: [os.kill(os.getpid(), signal.SIGTERM) for _ in range(3)]).start()
    try:
        say("a law")
    except DataError as error:
        open(sys.argv[1], "w").write(str(error))
"""
HAMMERED = """
import os, signal, sys, threading
from scalesr.cli.output import say
from scalesr.cli.signals import heard_once, heard_until
from scalesr.errors import DataError
over = threading.Event()
def hammer():
    while not over.wait(0.05):
        os.kill(os.getpid(), signal.SIGTERM)
with heard_once():
    with heard_until(lambda: True):
        pass
    threading.Thread(target=hammer).start()
    try:
        say("a law")
    except DataError as error:
        open(sys.argv[1], "w").write(str(error))
    over.set()
"""


def ended(code, *arguments):
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=UNHURRIED, check=False)


def test_an_interrupt_that_falls_into_a_callback_is_not_lost():
    done = ended(LOST)
    assert (done.returncode, done.stdout, done.stderr) == (0, "heard\n", "")


@pytest.mark.parametrize("moment", [SEARCHED, HANDED_OVER, HAMMERED])
def test_a_reader_who_takes_nothing_holds_up_no_end_that_was_asked_for(tmp_path, moment):
    told = tmp_path / "told"
    done = ended(f"{FULL_PIPE}\nfill(1), fill(2)\n{moment}", told)
    assert done.returncode == 0
    assert told.read_text() == "Standard output cannot be written: its reader takes nothing."


@pytest.fixture
def folder(tmp_path):
    """A folder with a module that is interrupted where an exception becomes a RuntimeError."""
    (tmp_path / "hurt.py").write_text("""
import signal
class Field:
    def __set_name__(self, owner, name):
        signal.raise_signal(signal.SIGTERM)
class Holder:
    field = Field()
is_whole = True
""")
    return tmp_path


def test_an_interrupt_within_an_import_of_a_search_waits_for_its_end(folder):
    """The answer may need the module, and half of it would stay."""
    code = """
import sys, threading
sys.path.insert(0, sys.argv[1])
from scalesr.cli import end_with
from scalesr.cli.signals import heard_until
def run():
    with heard_until(lambda: True):
        import hurt
        threading.Event().wait()
    print(sys.modules["hurt"].is_whole)
    return 0
end_with(run)
"""
    done = ended(code, folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")


@pytest.mark.parametrize("program", ["end_with(run)", "end_with(lambda: run_app(app, []))"])
def test_an_interrupt_within_any_other_import_ends_the_program(folder, program):
    code = """
import sys
sys.path.insert(0, sys.argv[1])
import typer
from scalesr.cli import end_with
from scalesr.cli.running import run_app
app = typer.Typer()
@app.command()
def run():
    import hurt
"""
    done = ended(code + program, folder)
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr in ("", "Interrupted before there was a result.\n")


def test_the_program_hears_before_it_has_loaded_anything():
    """An interrupt and a second one while the first is answered are no traceback."""
    code = """
import signal
from scalesr.cli import end_with
def run():
    try:
        signal.raise_signal(signal.SIGTERM)
    finally:
        signal.raise_signal(signal.SIGTERM)
end_with(run)
"""
    done = ended(code)
    assert (done.returncode, done.stderr) == (130, "")


def test_other_exceptions_of_callbacks_are_told_as_ever():
    code = """
from scalesr.cli.signals import heard_once
class Callback:
    def __del__(self):
        raise ValueError("a fault")
with heard_once():
    Callback()
"""
    assert "ValueError: a fault" in ended(code).stderr
