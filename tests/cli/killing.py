"""Runs of the command line that are killed at random moments and resumed, beside one that is not.

    python -m tests.cli.killing 10

kills ten runs, one moment each, and says whether each ended in the same law after it was resumed.
"""

from __future__ import annotations

import json
import random
import signal
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from tests.attack.command import UNHURRIED, Run

LIMIT = ["--max-work", "5", "--quiet"]  # no clock cuts these runs


def write_table(path: Path) -> None:
    """Rows of a curve that keeps the search busy for some seconds."""
    rng = np.random.default_rng(0)
    x = rng.uniform(0.5, 4, 25)
    y = x**1.3 * np.exp(-0.4 * x) + 0.1 * np.log(x) + 0.01 * rng.normal(size=25)
    np.savetxt(path, np.column_stack([x, y]), delimiter=",", header="x,y", comments="")


def command(table: Path, *options: str | Path) -> list[str]:
    return ["fit", str(table), "--target", "y", *LIMIT, *map(str, options)]


def result(table: Path, *options: str | Path) -> dict[str, object]:
    """All of the result of a run that nobody kills."""
    told = table.with_name("told.json")
    with Run(command(table, "--json", told, *options)) as run:
        code, _, err = run.ended(UNHURRIED)
    assert code in (0, 1), err  # with a law and without
    return json.loads(told.read_text())


def without_time(values: dict[str, object]) -> dict[str, object]:
    """All of a result that is not about time."""
    return {name: value for name, value in values.items() if not name.startswith("seconds")}


def unbroken(table: Path) -> tuple[dict[str, object], float]:
    """The result of a run that nobody kills, and its seconds of work."""
    values = result(table)
    return without_time(values), float(str(values["seconds"]))


def killed(table: Path, checkpoint: Path, seconds: float) -> bool:
    """Start or resume a run and kill it so many seconds after its work began; whether it was still at work."""
    before = checkpoint.stat().st_mtime_ns if checkpoint.exists() else 0
    with Run(command(table, "--checkpoint", checkpoint)) as run:
        while run.is_at_work and (not checkpoint.exists() or checkpoint.stat().st_mtime_ns == before):
            time.sleep(0.005)  # the file is written first when the work begins
        time.sleep(seconds)
        is_at_work = run.is_at_work
        run.signal(signal.SIGKILL)
    return is_at_work


def resumed(table: Path, checkpoint: Path) -> dict[str, object]:
    return without_time(result(table, "--checkpoint", checkpoint))


def main(n_kills: int) -> None:
    """Kill so many runs, each at its own random moment, and compare."""
    draw = random.Random(0)
    with tempfile.TemporaryDirectory() as folder:
        table, checkpoint = Path(folder) / "table.csv", Path(folder) / "run.json"
        write_table(table)
        expected, seconds = unbroken(table)
        print(f"unbroken: {expected['law']} in {seconds:.1f} s")
        for place in range(n_kills):
            moment = draw.uniform(0, seconds)
            checkpoint.unlink(missing_ok=True)
            was_hit = killed(table, checkpoint, moment)
            size = checkpoint.stat().st_size
            found = resumed(table, checkpoint)
            outcome = "same" if found == expected else f"ANOTHER RESULT: {found['law']}"
            print(
                f"kill {place + 1} after {moment:.2f} s ({'hit' if was_hit else 'too late'}), {size} bytes: {outcome}"
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10)
