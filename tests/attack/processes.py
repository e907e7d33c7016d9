"""Runs of the command line that are killed, interrupted or left without room on the disk.

The runs are limited by counted work and short. Moments are drawn within the time that runs have taken so far, so that
they fall into every part of a run on a quiet machine and on a busy one.
"""

from __future__ import annotations

import json
import random
import shutil
import signal
import time
from pathlib import Path

import numpy as np

from tests.attack.command import Ended, Run
from tests.attack.tally import Tally

WORK = 5  # units for each law: about half a second
BATCHES = 0.25  # of the runs
FRESH = 0.05  # of the runs
STALLED = 0.2  # of the runs that get a signal: nobody takes their results
BEYOND = 1.1  # times the usual length of a run: the latest moment
RESUMED = 0.2  # of the kills
ENOUGH = 120.0  # seconds after which a process counts as hanging
FOUND = (0, 1)
CUT = (130, -signal.SIGINT, -signal.SIGTERM)
OLD = '{"old": true}\n'


def write_table(path: Path) -> None:
    """Rows that keep the search busy."""
    rng = np.random.default_rng(0)
    x = rng.uniform(0.5, 4, 25)
    y = x**1.3 * np.exp(-0.4 * x) + 0.1 * np.log(x) + 0.01 * rng.normal(size=25)
    np.savetxt(path, np.column_stack([x, y]), delimiter=",", header="x,y", comments="")


class Place:
    """A folder with a table and with all that a run writes, and how long runs take."""

    def __init__(self, folder: Path) -> None:
        self.table, self.law, self.kept = folder / "t.csv", folder / "law.json", folder / "run.ck"
        self.tables, self.laws = folder / "tables", folder / "laws"
        write_table(self.table)
        self.tables.mkdir()
        for name in ("a.csv", "b.csv"):
            shutil.copy(self.table, self.tables / name)
        self.expect()
        self._usual: dict[tuple[bool, bool], float] = {}

    def expect(self) -> None:
        """Take note of the table as it has to stay."""
        self._rows = self.table.read_bytes()

    def fit(self, *options: str | Path) -> list[str]:
        return ["fit", str(self.table), "--target", "y", "--max-work", str(WORK), *map(str, options)]

    def batch(self) -> list[str]:
        options = ["--target", "y", "--max-work", str(WORK), "--jobs", "1", "--output", str(self.laws)]
        return ["batch", str(self.tables), *options]

    def moment(self, draw: random.Random, command: list[str], *, fresh: bool) -> float:
        """Seconds after the start of such a run at which something happens to it."""
        kind = command[0] == "batch", fresh
        if kind not in self._usual:
            started = time.monotonic()
            with Run(command, fresh=fresh) as run:
                done = run.ended(ENOUGH)
            if done.code not in FOUND or not done.out:
                raise AssertionError(f"An undisturbed run ended with {done.code}: {done.err[-300:]}")
            self._usual[kind] = time.monotonic() - started
            self.clear()
        return draw.uniform(0, BEYOND * self._usual[kind])

    def clear(self) -> None:
        """As before any run; the law is an old one."""
        self.law.write_text(OLD)
        self.kept.unlink(missing_ok=True)
        shutil.rmtree(self.laws, ignore_errors=True)

    def check(self, tally: Tally, what: str) -> None:
        """No file is lost: each is what it was, or whole and new."""
        if any(path.read_bytes() != self._rows for path in (self.table, *sorted(self.tables.iterdir()))):
            tally.lost.append(f"{what}: a table has changed")
        for path in (self.law, self.kept, *self.laws.rglob("*.json")):
            if path.exists() and not path.name.startswith("."):
                try:
                    json.loads(path.read_text())
                except ValueError:
                    tally.lost.append(f"{what}: {path.name} is broken")


def attack_kills(draw: random.Random, n: int, tally: Tally, folder: Path) -> None:
    """SIGKILL at random moments: tables, the old law, checkpoints and batches are whole, and runs can be resumed."""
    place = Place(folder)
    for number in range(n):
        place.law.write_text(OLD)
        fresh, what = draw.random() < FRESH, f"kill {number}"
        single = place.fit("--save", place.law, "--checkpoint", place.kept)
        command = place.batch() if draw.random() < BATCHES else single
        moment = place.moment(draw, command, fresh=fresh)
        with tally.process(what), Run(command, fresh=fresh) as run:
            time.sleep(moment)
            run.signal(signal.SIGKILL)
            _check_words(run.ended(ENOUGH), tally, what)
        place.check(tally, what)
        if draw.random() < RESUMED:
            with Run(command) as again:
                done = again.ended(ENOUGH)
            if done.code not in FOUND:
                tally.lost.append(f"{what}: cannot be resumed: {done.err[-200:]!r}")
            place.check(tally, what)
            place.clear()


def attack_signals(draw: random.Random, n: int, tally: Tally, folder: Path) -> None:
    """SIGINT and SIGTERM, one to three of them: what is known is printed once and kept, without a traceback.

    Some have a reader who takes nothing: the end comes all the same, with the law in its file.
    """
    place = Place(folder)
    for number in range(n):
        place.clear()
        fresh, what = draw.random() < FRESH, f"signal {number}"
        command = place.batch() if draw.random() < BATCHES else place.fit("--save", place.law)
        stalled = draw.random() < STALLED
        numbers = [draw.choice((signal.SIGINT, signal.SIGTERM)) for _ in range(draw.choice((1, 1, 2, 3)))]
        moment = place.moment(draw, command, fresh=fresh)
        with tally.process(what), Run(command, fresh=fresh, stalled=stalled) as run:
            time.sleep(max(moment, STARTED) if fresh else moment)
            asked = time.monotonic()
            for one in numbers:
                run.signal(one)
                time.sleep(draw.choice((0.0, 0.01, 0.1)))
            done = run.ended(ENOUGH)
            tally.time(f"{what}, {numbers}", time.monotonic() - asked)
            _check_words(done, tally, what)
            if stalled:
                _check_unread(done, place, tally, what)
            else:
                (_check_batch if command[0] == "batch" else _check_law)(done, place, tally, what)
        place.check(tally, what)


STARTED = 0.7  # seconds that an interpreter may need before it hears signals at all


def _check_law(done: Ended, place: Place, tally: Tally, what: str) -> None:
    """A law is printed once and saved, or nothing is and the exit code says so."""
    if done.code in FOUND:
        if done.out.count("\nNext: ") != 1 or json.loads(place.law.read_text()).get("format") != "scalesr-law":
            tally.lost.append(f"{what}: exit code {done.code} without its law, or with two")
    elif done.code not in CUT or done.out:
        tally.lost.append(f"{what}: exit code {done.code} after {done.out[-100:]!r}")


def _check_unread(done: Ended, place: Place, tally: Tally, what: str) -> None:
    """What nobody reads is in the files, and the exit code says that it was not read; or there is nothing yet."""
    is_kept = place.law.read_text() != OLD or any((place.laws / "laws").glob("*.json"))
    if done.out or (done.code != UNREAD if is_kept else done.code not in (*CUT, UNREAD)):
        tally.lost.append(f"{what}: exit code {done.code}, unread, law kept: {is_kept}, {done.err[-200:]!r}")


UNREAD = 2


def _check_batch(done: Ended, place: Place, tally: Tally, what: str) -> None:
    """Each law that is printed is in its file, once; those that are not are nowhere."""
    printed = sorted(line.partition(":")[0] for line in done.out.splitlines() if ": y = " in line)
    kept = sorted(path.stem for path in (place.laws / "laws").glob("*.json"))
    if done.code not in (*FOUND, *CUT) or (printed != kept and (printed or done.code in FOUND)):
        tally.lost.append(f"{what}: exit code {done.code}, printed {printed}, kept {kept}, {done.err[-200:]!r}")


def attack_disks(draw: random.Random, n: int, tally: Tally, folder: Path) -> None:
    """Disks of a random small size: the law is on the screen, old files are whole, and the exit code says what is lost.

    The size is a limit on each file that the process writes, which needs no rights: as on a full disk, a
    write fails in the middle.
    """
    place, report = Place(folder), folder / "report.html"
    easy = "x,y\n" + "".join(f"{i},{3 * i + 2}\n" for i in range(1, 30))
    for table in (place.table, place.tables / "a.csv", place.tables / "b.csv"):
        table.write_text(easy)
    place.expect()
    for number in range(n):
        place.clear()
        report.write_text(OLD)
        size, is_batch = int(10 ** draw.uniform(0, 5.5)), draw.random() < BATCHES
        what = f"disk {number} of {size} bytes"
        options = "--save", place.law, "--report", report, "--checkpoint", place.kept
        with tally.process(what), Run(place.batch() if is_batch else place.fit(*options), disk=size) as run:
            done = run.ended(ENOUGH)
            _check_words(done, tally, what)
            written = (
                list(place.laws.rglob("*.*")) if is_batch else [one for one in (place.law, report) if _is_new(one)]
            )
            if done.code != (0 if len(written) == (BATCH_FILES if is_batch else 2) else 2):
                tally.crashes.append(f"{what}: exit code {done.code}: {done.err[-300:]!r}")
            if "y = 3*x + 2" not in done.out and "checkpoint" not in done.err and "run.ck" not in done.err:
                tally.lost.append(f"{what}: no law on the screen: {done.err[-300:]!r}")
        place.check(tally, what)
        if _is_new(report) and not report.read_text().endswith("</html>\n"):
            tally.lost.append(f"{what}: half a report")


BATCH_FILES = 6  # two laws, two lines and two summaries


def _is_new(path: Path) -> bool:
    return path.read_text() != OLD


def _check_words(done: Ended, tally: Tally, what: str) -> None:
    if "Traceback" in done.err:
        tally.crashes.append(f"{what}: {done.err[-300:]!r}")
