"""The work on a run, in a process of its own.

    python -m scalesr.runs.work read|find|judge|report FOLDER
    python -m scalesr.runs.work predict FOLDER TABLE VALUES

Whoever wants it to stop or to pause writes so into the folder; signals are not needed, so it works alike for
the server that started it, for one that was started later, and on every system.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Final

from scalesr.atomic import write_atomically
from scalesr.errors import ScaleSRError
from scalesr.runs.run import PAUSE, STOP, RunFolder
from scalesr.runs.state import Phase

LOCK_WAIT: Final = 20.0  # seconds for the lock of a run: others hold it for moments, to see whether somebody works
LOOKS: Final = 0.2  # seconds between two looks at what is asked


class Paused(BaseException):
    """Somebody wants the process to end here; nothing but its checkpoint is to be kept."""


def main(arguments: Sequence[str]) -> int:
    """Do one piece of work; the exit code is 0 where it was done."""
    what, folder, *files = arguments
    run = RunFolder(Path(folder))
    warnings.simplefilter("ignore")  # whoever watches reads the run's own sentences
    try:
        with run.lock().acquire(timeout=LOCK_WAIT):
            write_atomically(run.path / "pid", str(os.getpid()).encode("ascii"))  # for people who look for it
            return _done(run, what, [Path(file) for file in files])
    except Exception:
        traceback.print_exc()
        run.set_state(Phase.FAILED, "It could not be worked on; the log of the run says more.")
        return 1


def _done(run: RunFolder, what: str, files: Sequence[Path]) -> int:
    if what in ("read", "find"):
        return _told(run, _read if what == "read" else _find)
    try:
        if what == "judge":
            from scalesr.runs.judged import judge_typed

            judge_typed(run)
        elif what == "report":
            from scalesr.runs.exports import write_run_report

            write_run_report(run)
        else:
            from scalesr.runs.exports import write_predictions

            write_predictions(run, *files)
    except ScaleSRError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _told(run: RunFolder, work: Callable[[RunFolder], None]) -> int:
    """Work whose end is the run's state, whatever happens."""
    try:
        work(run)
    except Paused:
        run.set_state(Phase.PAUSED)
    except KeyboardInterrupt:
        run.set_state(Phase.PAUSED, "It was stopped before there was a law.")
    except ScaleSRError as error:
        run.set_state(Phase.FAILED, str(error))
    except MemoryError:
        run.set_state(Phase.FAILED, "There is not enough memory; give fewer rows or columns.")
    except Exception as error:
        traceback.print_exc()
        run.set_state(Phase.FAILED, f"Something went wrong that should not have: {type(error).__name__}: {error}")
    return 0 if run.state.phase in (Phase.DONE, Phase.READY, Phase.PAUSED) else 1


def _read(run: RunFolder) -> None:
    from scalesr.runs.understood import understood
    from scalesr.tables import read_table

    run.set_state(Phase.READING)
    run.set_values("understood", understood(read_table(run.table, run.name)))
    run.set_state(Phase.READY)


def _find(run: RunFolder) -> None:
    from scalesr.runs.find import find_law, find_motion

    run.set_state(Phase.RUNNING)
    plan = run.plan
    assert plan is not None
    (find_law if plan.kind == "table" else find_motion)(run, plan, listening)


@contextmanager
def listening(run: RunFolder) -> Iterator[None]:
    """A block that ends by KeyboardInterrupt where somebody asks to stop, by Paused where he asks to pause.

    It hears one wish and no other, as the search needs a moment to hand over what it has found.
    """
    ended = threading.Event()

    def interrupt(number: int, frame: FrameType | None) -> None:
        del number, frame
        raise Paused if run.asked == PAUSE else KeyboardInterrupt

    def listen() -> None:
        while not ended.wait(LOOKS):
            if run.asked in (STOP, PAUSE):
                signal.raise_signal(signal.SIGINT)
                return

    before = signal.signal(signal.SIGINT, interrupt)
    ear = threading.Thread(target=listen, daemon=True)
    ear.start()
    try:
        yield
    finally:
        ended.set()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        ear.join()
        signal.signal(signal.SIGINT, before)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
