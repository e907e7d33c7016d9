"""Runs that are interrupted or killed at random moments: none loses a file, and resumed ones end in the same law."""

from __future__ import annotations

import json
import os
import signal
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

from scalesr import ScaleSRRegressor, load
from scalesr.atomic import write_atomically
from scalesr.errors import ScaleSRError
from scalesr.model_files.checkpoint import read_checkpoint
from scalesr.records.discovery import Discovery
from scalesr.records.engine import ready_engine
from scalesr_bench.clock.kept import KeptRecords
from scalesr_bench.clock.tables import hard_table, small_table
from scalesr_bench.runner import worker_context

WORK = 15.0  # units of work of a run that is killed: some seconds
BEYOND = 1.1  # of the time of an unbroken run: kills come until then, so that some come too late
SOON = 2.0  # seconds within which an interrupted run has to end
LATEST = 4.0  # seconds after a start at which interrupts come
ENOUGH = 60.0  # seconds after which a process counts as hanging


@dataclass(frozen=True, slots=True)
class Interrupted:
    """A run that got a signal after some seconds."""

    after: float
    seconds: float  # from the signal to the end
    processor: float  # seconds of the processors from when the signal was heard to the law's being saved
    has_law: bool  # in a file that can be read


@dataclass(frozen=True, slots=True)
class Killed:
    """A run that was killed after some seconds and resumed."""

    after: float
    had_file: bool
    is_readable: bool  # the checkpoint that it left, if any
    is_same: bool  # law, verdict and constants as in the unbroken run


def measure_interrupts(
    n: int, seed: int, told: Callable[[str], None], kept: KeptRecords | None = None
) -> dict[str, Any]:
    """Interrupts of fits in processes of their own, which answer with the best law so far."""
    moments = np.random.default_rng(seed).uniform(0, LATEST, n).tolist()
    told(f"{n} interrupts at random moments")
    jobs = {f"interrupt {place} of seed {seed}": (after, seed + place) for place, after in enumerate(moments)}

    def make(missing: Mapping[str, tuple[float, int]]) -> Iterator[tuple[str, dict[str, Any]]]:
        for name, job in missing.items():
            with tempfile.TemporaryDirectory() as folder:
                yield name, asdict(_interrupted(Path(folder), *job))

    found = [Interrupted(**record) for record in (kept or KeptRecords(None)).all(jobs, make, told)]
    slowest = max((one.seconds for one in found), default=0.0)
    return {
        "interrupts": n,
        "without_a_law": sum(not one.has_law for one in found),
        "later_than_2_s": sum(one.seconds > SOON for one in found),
        "slowest_seconds": round(slowest, 3),
        "most_processor_seconds": round(max((one.processor for one in found), default=0.0), 3),
    }


def measure_kills(
    n: int, seed: int, told: Callable[[str], None], kept: KeptRecords | None = None, *, work: float = WORK
) -> dict[str, Any]:
    """Kills of fits with counted work, each of which is resumed in another process."""
    told(f"{n} kills at random moments, each run resumed")
    with tempfile.TemporaryDirectory() as folder:
        law = Path(folder) / "unbroken.json"
        process, started = _started(_fit_to_the_end, law, None, work), time.monotonic()
        _ended(process)
        unbroken, seconds = law.read_text(), time.monotonic() - started
    shares = np.random.default_rng(seed).uniform(0, BEYOND, n).tolist()
    jobs = {f"kill {place} of seed {seed} within {work:g} units": share for place, share in enumerate(shares)}

    def make(missing: Mapping[str, float]) -> Iterator[tuple[str, dict[str, Any]]]:
        for name, share in missing.items():
            with tempfile.TemporaryDirectory() as folder:
                yield name, asdict(_killed(Path(folder), share * seconds, unbroken, work))

    found = [Killed(**record) for record in (kept or KeptRecords(None)).all(jobs, make, told)]
    return {
        "kills": n,
        "units_of_work": work,
        "seconds_unbroken": round(seconds, 3),
        "left_a_checkpoint": sum(one.had_file for one in found),
        "unreadable_files": sum(not one.is_readable for one in found),
        "other_laws": sum(not one.is_same for one in found),
        "law": json.loads(unbroken)["law"],
    }


def _interrupted(folder: Path, after: float, seed: int) -> Interrupted:
    law = folder / "law.json"
    process = _started(_fit_until_interrupted, law, seed)
    time.sleep(after)
    asked = time.monotonic()
    os.kill(process.pid, signal.SIGINT)
    _ended(process)
    seconds, told = time.monotonic() - asked, law.with_name("processor.txt")
    return Interrupted(after, seconds, float(told.read_text()) if told.exists() else 0.0, _is_law(law))


def _killed(folder: Path, after: float, unbroken: str, work: float) -> Killed:
    law, kept = folder / "law.json", folder / "run.ck"
    process = _started(_fit_to_the_end, law, kept, work)
    time.sleep(after)
    process.kill()
    _ended(process)
    had_file, is_readable = kept.exists(), not kept.exists() or _is_checkpoint(kept)
    law.unlink(missing_ok=True)
    _ended(_started(_fit_to_the_end, law, kept, work))
    return Killed(after, had_file, is_readable, law.exists() and law.read_text() == unbroken)


def _started(work: Callable[..., None], *given: object) -> Any:
    """A process that begins at once, as it is forked from one that has loaded everything where that is possible."""
    context = worker_context()
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_begun, args=(there, work, *given))
    process.start()
    there.close()
    here.poll(ENOUGH)
    here.close()
    return process


def _begun(ready: Any, work: Callable[..., None], *given: object) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    ready_engine()
    work(*given, ready)


def _fit_until_interrupted(law: Path, seed: int, ready: Any) -> None:
    X, y = hard_table(seed)
    heard: list[float] = []

    def hear(number: int, frame: FrameType | None) -> None:
        heard.append(time.process_time())
        signal.default_int_handler(number, frame)

    signal.signal(signal.SIGINT, hear)
    model = ScaleSRRegressor(time_limit=None, random_state=seed, verbose=lambda _: ready.close())
    model.fit(X, y).set_params(verbose=0).save(law)
    law.with_name("processor.txt").write_text(str(time.process_time() - heard[0] if heard else 0.0))


def _fit_to_the_end(law: Path, kept: Path | None, work: float, ready: Any) -> None:
    X, y = small_table()
    ready.close()
    model = ScaleSRRegressor(time_limit=None, max_work=work, random_state=0, checkpoint=kept).fit(X, y)
    found = model.discovery_
    assert isinstance(found, Discovery)  # y is one target
    numbers = [constant.hex() for constant in found.equation.constants.tolist()]
    told = {"law": str(found.equation), "constants": numbers, "verdict": str(found.verdict), "ended": found.ended}
    write_atomically(law, json.dumps(told).encode())


def _ended(process: Any) -> None:
    """Wait for the end; a process that does not end is killed, and has left nothing then."""
    process.join(ENOUGH)
    process.kill()
    process.join()


def _is_law(path: Path) -> bool:
    try:
        load(path)
    except (ScaleSRError, OSError):
        return False
    return True


def _is_checkpoint(path: Path) -> bool:
    try:
        read_checkpoint(path)
    except ScaleSRError:
        return False
    return True
