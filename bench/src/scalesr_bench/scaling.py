"""Time and memory of whole discoveries against the number of rows and of variables.

Every point is measured in a process of its own, so that the peak of its memory belongs to it alone.
The laws are drawn: as many terms of one variable as there are variables, and as many of two (or all).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, fields
from multiprocessing import get_context
from typing import Any, Final

import numpy as np

from scalesr.errors import DataError
from scalesr.records.config import Settings
from scalesr_bench.laws.drawing import draw_table
from scalesr_bench.laws.judging import RIGHT, judge
from scalesr_bench.laws.methods import make_method
from scalesr_bench.laws.runs import warm_up
from scalesr_bench.memory import peak_bytes
from scalesr_bench.problems.many_variables import LawShape, random_law
from scalesr_bench.problems.problem import Problem

KIND: Final = "sincosinv"
ROWS: Final = (1_000, 10_000, 100_000, 1_000_000)
VARIABLES: Final = (2, 3, 4, 5, 6, 7, 8, 9, 10)
ROWS_OF_ALL: Final = 10_000  # where the number of variables is what changes
VARIABLES_OF_ALL: Final = 3  # where the number of rows is
BAR_WIDTH: Final = 40


@dataclass(frozen=True, slots=True)
class ScalePoint:
    """One table to be measured."""

    method: str
    n_rows: int
    n_variables: int
    seed: int
    time_limit: float  # seconds

    @property
    def problem(self) -> Problem:
        """The law of this many variables."""
        n = self.n_variables
        shape = LawShape(n, n, min(n, n * (n - 1) // 2))
        return random_law(KIND, shape, f"scaling-{n}", rng=np.random.default_rng([n, self.seed]))


@dataclass(frozen=True, slots=True)
class ScaleLine:
    """What a point took."""

    method: str
    n_rows: int
    n_variables: int
    seconds: float
    peak_bytes: int  # of the whole process: code, table and method
    idle_bytes: int  # of the same process before the table was drawn, after a small discovery
    is_right: bool
    verdict: str
    stages: dict[str, float]  # seconds


def scale_points(
    *, methods: Sequence[str], seed: int, time_limit: float, most_rows: int = ROWS[-1], most_variables: int = 10
) -> list[ScalePoint]:
    """Rows at three variables, variables at 10 000 rows, and the largest of both together."""
    by_rows = [(n, min(VARIABLES_OF_ALL, most_variables)) for n in ROWS if n <= most_rows]
    by_variables = [(min(ROWS_OF_ALL, most_rows), n) for n in VARIABLES if n <= most_variables]
    sizes = dict.fromkeys([*by_rows, *by_variables, (most_rows, most_variables)])
    return [ScalePoint(method, *size, seed, time_limit) for method in methods for size in sizes]


def measure_scaling(
    points: Sequence[ScalePoint], *, progress: Callable[[ScalePoint], None] | None = None
) -> list[ScaleLine]:
    """Measure point after point, each in a new process."""
    lines = []
    for point in points:
        if progress:
            progress(point)
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            lines.append(pool.submit(measure_point, point).result())
    return lines


def measure_point(point: ScalePoint) -> ScaleLine:
    """Measure a point in this process."""
    warm_up(point.method)
    idle = peak_bytes()
    drawn = draw_table(point.problem, seed=point.seed, n_rows=point.n_rows)
    start = time.perf_counter()
    settings = Settings(time_limit=point.time_limit)
    discovery = make_method(point.method)(drawn.data, settings, rng=drawn.method_stream())
    seconds = time.perf_counter() - start
    peak = peak_bytes()
    return ScaleLine(
        point.method, point.n_rows, point.n_variables, seconds, peak, idle,
        judge(discovery, drawn).finding == RIGHT, str(discovery.verdict), discovery.timings,
    )  # fmt: skip


def as_json(lines: Sequence[ScaleLine]) -> list[dict[str, object]]:
    """A record per point."""
    return [asdict(line) for line in lines]


def from_json(result: Mapping[str, Any]) -> list[ScaleLine]:
    """The points of a stored result."""
    try:
        return [
            ScaleLine(**{field.name: point[field.name] for field in fields(ScaleLine)}) for point in result["points"]
        ]
    except (KeyError, TypeError) as error:
        raise DataError(f"This is not a stored result of scaling; it lacks {error}.") from error


def chart(labels: Sequence[str], values: Sequence[float]) -> list[str]:
    """Bars on a logarithmic scale: the least value has one mark, every further mark is the same factor."""
    logs = np.log(np.maximum(values, 1e-3))
    share = (logs - logs.min()) / max(float(np.ptp(logs)), 1e-9)
    width = max(len(label) for label in labels)
    return [
        f"{label:>{width}} {'█' * (1 + round(s * (BAR_WIDTH - 1)))}" for label, s in zip(labels, share, strict=True)
    ]
