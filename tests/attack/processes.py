"""Runs of the command line that are killed, interrupted or left without room on the disk."""

from __future__ import annotations

import json
import random
import resource
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import numpy as np

from tests.attack.tally import Tally

SCALESR = [sys.executable, "-m", "scalesr.cli"]
LATEST = 8.0  # seconds after a start at which signals come; a run takes less, so that some come too late
ENOUGH = 60.0  # seconds after which a process counts as hanging
FOUND = (0, 1)
OLD = '{"old": true}\n'


def write_table(path: Path) -> None:
    """Rows that keep the search busy for some seconds."""
    rng = np.random.default_rng(0)
    x = rng.uniform(0.5, 4, 25)
    y = x**1.3 * np.exp(-0.4 * x) + 0.1 * np.log(x) + 0.01 * rng.normal(size=25)
    np.savetxt(path, np.column_stack([x, y]), delimiter=",", header="x,y", comments="")


def fit(table: Path, *options: str | Path, limit: float = 4.0) -> list[str]:
    return [*SCALESR, "fit", str(table), "--target", "y", "--time-limit", str(limit), *map(str, options)]


def attack_kills(draw: random.Random, n: int, tally: Tally, folder: Path) -> None:
    """SIGKILL at random moments: the table, the old law and the checkpoint are whole, and the run can be resumed."""
    table, law, kept = folder / "t.csv", folder / "law.json", folder / "run.ck"
    write_table(table)
    rows = table.read_bytes()
    for place in range(n):
        law.write_text(OLD)
        with tally.process(f"kill {place}"):
            command = fit(table, "--save", law, "--checkpoint", kept)
            with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
                time.sleep(draw.uniform(0.0, LATEST))
                process.kill()
                _, err = process.communicate(timeout=ENOUGH)
            _check_words(err, tally, f"kill {place}")
        _check_files(tally, f"kill {place}", table=(table, rows), law=law, checkpoint=kept)
        if draw.random() < 0.2:
            done = subprocess.run(fit(table, "--checkpoint", kept), capture_output=True, timeout=ENOUGH, check=False)
            if done.returncode not in FOUND:
                tally.lost.append(f"kill {place}: cannot be resumed: {done.stderr[-200:]!r}")
            kept.unlink(missing_ok=True)


def attack_signals(draw: random.Random, n: int, tally: Tally, folder: Path) -> None:
    """SIGINT and SIGTERM, one to three of them: what is known is printed once and kept, without a traceback."""
    table, law = folder / "t.csv", folder / "law.json"
    write_table(table)
    rows = table.read_bytes()
    for place in range(n):
        law.write_text(OLD)
        what = f"signal {place}"
        numbers = [draw.choice((signal.SIGINT, signal.SIGTERM)) for _ in range(draw.choice((1, 1, 2, 3)))]
        with tally.process(what):
            code, out, err, seconds = _signalled(fit(table, "--save", law), draw, numbers)
            tally.time(f"{what}, {numbers}", seconds)
            _check_words(err, tally, what)
            _check_end(code, out.decode(), law, tally, what)
        _check_files(tally, what, table=(table, rows), law=law)


def _signalled(
    command: list[str], draw: random.Random, numbers: list[signal.Signals]
) -> tuple[int, bytes, bytes, float]:
    """How a process ends that gets signals at a random moment, and the seconds from the first of them."""
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=_hear_interrupts,  # noqa: PLW1509 - it takes no lock
    ) as process:
        time.sleep(draw.uniform(0.7, LATEST))
        asked = time.monotonic()
        for number in numbers:
            if process.poll() is None:
                process.send_signal(number)
                time.sleep(draw.choice((0.0, 0.01, 0.1)))
        try:
            out, err = process.communicate(timeout=ENOUGH)
        finally:
            process.kill()
    return process.returncode, out, err, time.monotonic() - asked


def _hear_interrupts() -> None:
    """Processes that are started in the background ignore interrupts, and so do those that they start."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _check_end(code: int, out: str, law: Path, tally: Tally, what: str) -> None:
    """A law is printed once and saved, or nothing is and the exit code says so."""
    if code in FOUND:
        if out.count("\nNext: ") != 1 or json.loads(law.read_text()).get("format") != "scalesr-law":
            tally.lost.append(f"{what}: exit code {code} without its law, or with two")
    elif code not in (130, -signal.SIGINT, -signal.SIGTERM) or out:
        tally.lost.append(f"{what}: exit code {code} after {out[-100:]!r}")


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
        with tally.process(f"{what} of {size} bytes"):
            done = subprocess.run(
                fit(table, "--save", law, "--report", report, "--checkpoint", kept),
                capture_output=True,
                timeout=ENOUGH,
                check=False,
                preexec_fn=partial(_small_disk, size),
            )
            _check_words(done.stderr, tally, what)
            is_whole = law.read_text() != OLD and report.read_text() != OLD
            if done.returncode != (0 if is_whole else 2):
                tally.crashes.append(f"{what}: exit code {done.returncode}: {done.stderr[-300:]!r}")
            if b"y = 3*x + 2" not in done.stdout and b"checkpoint" not in done.stderr and b"run.ck" not in done.stderr:
                tally.lost.append(f"{what}: no law on the screen: {done.stderr[-300:]!r}")
        _check_files(tally, what, table=(table, rows), law=law, checkpoint=kept)
        if report.read_text() != OLD and not report.read_text().endswith("</html>\n"):
            tally.lost.append(f"{what}: half a report")


def _small_disk(size: int) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def _check_words(err: bytes, tally: Tally, what: str) -> None:
    if b"Traceback" in err:
        tally.crashes.append(f"{what}: {err[-300:]!r}")


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
