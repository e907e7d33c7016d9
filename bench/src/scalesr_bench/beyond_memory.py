"""Rows beyond memory, measured: a table is made in parts on disk, and its law found in a process of its own."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.estimators.regressor import ScaleSRRegressor
from scalesr.records.engine import ready_engine
from scalesr.tables.streams import open_stream
from scalesr.tables.streams.parts import write_part
from scalesr_bench.memory import MemoryCurve, peak_bytes

Floats = NDArray[np.float64]

PART: Final = 1_000_000  # rows of a file
NAMES: Final = tuple("abcdefgh")
NOISE: Final = 0.1
TARGET: Final = "y"
BETWEEN: Final = 0.5  # seconds between two looks at the memory
SIGMAS: Final = 5.0  # that the law may be off the truth, in what this many rows leave open


@dataclass(frozen=True, slots=True)
class RowsPoint:
    """One measurement."""

    folder: str
    n_rows: int
    sample_rows: int
    seed: int
    max_work: float


@dataclass(frozen=True, slots=True)
class RowsLine:
    """What it took."""

    n_rows: int
    n_columns: int
    table_bytes: int
    law: str
    verdict: str
    reason: str
    is_right: bool
    relative_errors: list[float]  # standard errors of the fitted constants over their values
    seconds_reading: float  # one pass that only reads
    seconds: float  # in all
    seconds_in_passes: float  # of these, with the judging after them; the rest is the search of the sample
    n_passes: int
    idle_bytes: int  # of the same process before it read anything
    peak_bytes: int
    memory: list[tuple[float, int]]  # seconds, bytes


def true_law(columns: Sequence[Floats]) -> Floats:
    """A law of three of the columns."""
    return np.asarray(2.345 * columns[0] * np.exp(-0.7 * columns[1]) + columns[2] ** 2)


def make_table(folder: Path, n_rows: int, *, seed: int, progress: Callable[[str], None] | None = None) -> None:
    """Write a table in parts; those that are there already stay."""
    folder.mkdir(parents=True, exist_ok=True)
    for place, first in enumerate(range(0, n_rows, PART)):
        path = folder / f"part-{place:05}.parquet"
        if path.exists():
            continue
        if progress:
            progress(f"writing {path}")
        n = min(PART, n_rows - first)
        rng = np.random.default_rng([seed, place])
        columns = rng.uniform(1, 3, (len(NAMES), n))
        y = true_law(list(columns)) + NOISE * rng.normal(size=n)
        write_part(path, dict(zip((*NAMES, TARGET), (*columns, y), strict=True)))


def measure_rows(
    folder: Path, sizes: Sequence[int], *, sample_rows: int, seed: int, max_work: float,
    progress: Callable[[str], None] | None = None,
) -> list[RowsLine]:  # fmt: skip
    """Make each table in a folder of its own and find its law in a new process."""
    lines = []
    for n_rows in sizes:
        own = folder / f"rows-{n_rows}-seed-{seed}"
        make_table(own, n_rows, seed=seed, progress=progress)
        if progress:
            progress(f"{n_rows:,} rows: looking for the law")
        point = RowsPoint(str(own), n_rows, sample_rows, seed, max_work)
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            lines.append(pool.submit(measure_point, point).result())
    return lines


def measure_point(point: RowsPoint) -> RowsLine:
    """Measure one size in this process."""
    ready_engine()
    idle = peak_bytes()
    stream, passes = open_stream(point.folder), [0]
    read = stream.read

    def counted(names: Sequence[str]) -> Iterator[Floats]:
        passes[0] += 1
        return read(names)

    started = time.monotonic()
    for batch in stream.batches(stream.names):
        batch.sum()
    reading = time.monotonic() - started
    model = ScaleSRRegressor(
        random_state=point.seed, time_limit=None, max_work=point.max_work, sample_rows=point.sample_rows
    )
    with MemoryCurve(BETWEEN) as curve:
        started = time.monotonic()
        model.fit(replace(stream, read=counted), TARGET)
        seconds = time.monotonic() - started
    (found,) = model.discovery_ if isinstance(model.discovery_, tuple) else (model.discovery_,)
    law = found.equation
    fitted = law.standard_errors > 0
    rows = np.random.default_rng([point.seed, 10**9]).uniform(1, 3, (len(NAMES), 2000))
    off = float(np.sqrt(np.mean((law.predict(rows.T) - true_law(list(rows))) ** 2)))
    open_to_noise = NOISE * math.sqrt(max(int(fitted.sum()), 1) / point.n_rows)
    in_passes = sum(step.seconds for step in found.trace if _is_of_all_rows(step.summary))
    return RowsLine(
        point.n_rows, len(NAMES), sum(path.stat().st_size for path in Path(point.folder).iterdir()), law.text(),
        str(found.verdict), found.reason, off < SIGMAS * open_to_noise,
        (law.standard_errors[fitted] / np.abs(law.constants[fitted])).tolist(), reading, seconds, in_passes,
        passes[0], idle, peak_bytes(), curve.points,
    )  # fmt: skip


def _is_of_all_rows(summary: str) -> bool:
    return "was read once" in summary or summary.startswith("All ")


def as_json(lines: Sequence[RowsLine]) -> list[dict[str, object]]:
    """A record per size."""
    return [asdict(line) for line in lines]
