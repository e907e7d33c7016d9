"""Runs of the command line that are killed, interrupted or left without room on the disk."""

from __future__ import annotations

import json
import random
import signal
import time
from pathlib import Path

import numpy as np

from tests.attack.command import Ended, Run
from tests.attack.tally import Tally

LIMIT = 2.0  # seconds for a fit
LATEST = {False: 3.0, True: 6.0}  # seconds after a start at which signals come, by whether the interpreter starts too
FRESH = 0.1  # of the runs
ENOUGH = 60.0  # seconds after which a process counts as hanging
FOUND = (0, 1)
OLD = '{"old": true}\n'


def write_table(path: Path) -> None:
    """Rows that keep the search busy for some seconds."""
    rng = np.random.default_rng(0)
    x = rng.uniform(0.5, 4, 25)
    y = x**1.3 * np.exp(-0.4 * x) + 0.1 * np.log(x) + 0.01 * rng.normal(size=25)
    np.savetxt(path, np.column_stack([x, y]), delimiter=",", header="x,y", comments="")


def fit(table: Path, *options: str | Path) -> list[str]:
    return ["fit", str(table), "--target", "y", "--time-limit", str(LIMIT), *map(str, options)]


def attack_kills(draw: random.Random, n: int, tally: Tally, folder: Path) -> None:
    """SIGKILL at random moments: the table, the old law and the checkpoint are whole, and the run can be resumed."""
    table, law, kept = folder / "t.csv", folder / "law.json", folder / "run.ck"
    write_table(table)
    rows = table.read_bytes()
    for place in range(n):
        law.write_text(OLD)
        fresh = draw.random() < FRESH
        command = fit(table, "--save", law, "--checkpoint", kept)
        with tally.process(f"kill {place}"), Run(command, fresh=fresh) as run:
            time.sleep(draw.uniform(0.0, LATEST[fresh]))
            run.signal(signal.SIGKILL)
            _check_words(run.ended(ENOUGH), tally, f"kill {place}")
        _check_files(tally, f"kill {place}", table=(table, rows), law=law, checkpoint=kept)
        if draw.random() < 0.2:
            with Run(fit(table, "--checkpoint", kept)) as again:
                done = again.ended(ENOUGH)
            if done.code not in FOUND:
                tally.lost.append(f"kill {place}: cannot be resumed: {done.err[-200:]!r}")
            kept.unlink(missing_ok=True)


def attack_signals(draw: random.Random, n: int, tally: Tally, folder: Path) -> None:
    """SIGINT and SIGTERM, one to three of them: what is known is printed once and kept, without a traceback."""
    table, law = folder / "t.csv", folder / "law.json"
    write_table(table)
    rows = table.read_bytes()
    for place in range(n):
        law.write_text(OLD)
        fresh, what = draw.random() < FRESH, f"signal {place}"
        numbers = [draw.choice((signal.SIGINT, signal.SIGTERM)) for _ in range(draw.choice((1, 1, 2, 3)))]
        with tally.process(what), Run(fit(table, "--save", law), fresh=fresh) as run:
            time.sleep(draw.uniform(0.7 if fresh else 0.0, LATEST[fresh]))
            asked = time.monotonic()
            for number in numbers:
                run.signal(number)
                time.sleep(draw.choice((0.0, 0.01, 0.1)))
            done = run.ended(ENOUGH)
            tally.time(f"{what}, {numbers}", time.monotonic() - asked)
            _check_words(done, tally, what)
            _check_end(done, law, tally, what)
        _check_files(tally, what, table=(table, rows), law=law)


def _check_end(done: Ended, law: Path, tally: Tally, what: str) -> None:
    """A law is printed once and saved, or nothing is and the exit code says so."""
    if done.code in FOUND:
        if done.out.count("\nNext: ") != 1 or json.loads(law.read_text()).get("format") != "scalesr-law":
            tally.lost.append(f"{what}: exit code {done.code} without its law, or with two")
    elif done.code not in (130, -signal.SIGINT, -signal.SIGTERM) or done.out:
        tally.lost.append(f"{what}: exit code {done.code} after {done.out[-100:]!r}")


def attack_disks(draw: random.Random, n: int, tally: Tally, folder: Path) -> None:
    """Disks of a random small size: the law is on the screen, old files are whole, and the exit code says what is lost.

    The size is a limit on each file that the process writes, which needs no rights: as on a full disk, a
    write fails in the middle.
    """
    table, law, report, kept = folder / "t.csv", folder / "law.json", folder / "report.html", folder / "run.ck"
    table.write_text("x,y\n" + "".join(f"{i},{3 * i + 2}\n" for i in range(1, 30)))
    rows = table.read_bytes()
    for place in range(n):
        for path in (law, report):
            path.write_text(OLD)
        kept.unlink(missing_ok=True)
        size, what = int(10 ** draw.uniform(0, 5.5)), f"disk {place}"
        options = "--save", law, "--report", report, "--checkpoint", kept
        with tally.process(f"{what} of {size} bytes"), Run(fit(table, *options), disk=size) as run:
            done = run.ended(ENOUGH)
            _check_words(done, tally, what)
            is_whole = law.read_text() != OLD and report.read_text() != OLD
            if done.code != (0 if is_whole else 2):
                tally.crashes.append(f"{what}: exit code {done.code}: {done.err[-300:]!r}")
            if "y = 3*x + 2" not in done.out and "checkpoint" not in done.err and "run.ck" not in done.err:
                tally.lost.append(f"{what}: no law on the screen: {done.err[-300:]!r}")
        _check_files(tally, what, table=(table, rows), law=law, checkpoint=kept)
        if report.read_text() != OLD and not report.read_text().endswith("</html>\n"):
            tally.lost.append(f"{what}: half a report")


def _check_words(done: Ended, tally: Tally, what: str) -> None:
    if "Traceback" in done.err:
        tally.crashes.append(f"{what}: {done.err[-300:]!r}")


def _check_files(
    tally: Tally, what: str, *, table: tuple[Path, bytes], law: Path, checkpoint: Path | None = None
) -> None:
    """No file is lost: each is what it was, or whole and new."""
    if table[0].read_bytes() != table[1]:
        tally.lost.append(f"{what}: the table has changed")
    for path in (law, checkpoint):
        if path is not None and path.exists():
            try:
                json.loads(path.read_text())
            except ValueError:
                tally.lost.append(f"{what}: {path.name} is broken")
