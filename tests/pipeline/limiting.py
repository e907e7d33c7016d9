"""Fits with random time limits, in the main thread, in other threads and in processes, and how late each one ends.

    python -m tests.pipeline.limiting 200 --json limits.json

A limit is kept if a fit ends within a tenth of it and one second more.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import numpy as np

from scalesr import ScaleSRRegressor
from scalesr.records.engine import ready_engine

LEAST, MOST = 0.2, 20.0  # seconds
PLACES = ("main thread", "thread", "forked process", "spawned process")


def table(number: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows without a law that could be found in time: 50 kinds by rows, columns and noise."""
    rng = np.random.default_rng(number % 50)
    n_rows, n_columns = int(10 ** rng.uniform(1.3, 4.7)), int(rng.integers(1, 12))
    X = rng.uniform(0.5, 3, (n_rows, n_columns))
    waves = np.sin(X @ rng.normal(size=(n_columns, 6)) * 2 + np.arange(6)) @ rng.normal(size=6)
    return X, waves * X[:, 0] ** 1.3 + 0.1 * rng.normal(size=n_rows)


def lateness(number: int, place: str) -> dict[str, object]:
    """One fit: its limit, the seconds it took and by how many it was late."""
    limit = float(np.exp(np.random.default_rng(1000 + number).uniform(np.log(LEAST), np.log(MOST))))
    X, y = table(number)
    ready_engine()
    started = time.monotonic()
    found = ScaleSRRegressor(time_limit=limit, random_state=number).fit(X, y).discovery_
    seconds = time.monotonic() - started
    return {
        "place": place, "rows": len(X), "columns": X.shape[1], "limit": limit, "seconds": seconds,
        "late": seconds - limit, "kept": seconds <= 1.1 * limit + 1.0, "ending": str(found.ending),
    }  # fmt: skip


def measured(n_fits: int, n_workers: int) -> list[dict[str, object]]:
    """The fits, a quarter of them in each place."""
    numbers = {place: range(at, n_fits, len(PLACES)) for at, place in enumerate(PLACES)}
    done = [lateness(number, PLACES[0]) for number in numbers[PLACES[0]]]
    with ThreadPoolExecutor(1) as pool:
        done += pool.map(lateness, numbers["thread"], ["thread"] * n_fits)
    for place in PLACES[2:]:
        context = multiprocessing.get_context({"forked process": "fork", "spawned process": "spawn"}[place])
        with ProcessPoolExecutor(n_workers, mp_context=context) as pool:
            done += pool.map(lateness, numbers[place], [place] * n_fits)
    return done


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("n_fits", type=int)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    done = measured(given.n_fits, given.workers)
    late = [one for one in done if not one["kept"]]
    print(f"{len(done)} fits, {len(late)} later than a tenth and a second", *late, sep="\n")
    print("latest", max(done, key=lambda one: float(str(one["late"]))))
    if given.json:
        given.json.write_text(json.dumps({"command": " ".join(sys.argv), "fits": done}, indent=1) + "\n")


if __name__ == "__main__":
    main()
