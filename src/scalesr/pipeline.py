"""The method: from a table to its law."""

from __future__ import annotations

import time

import numpy as np

from scalesr.expr.fitting import fit
from scalesr.records.budget import Deadline, Report
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Discovery, Law, Step, Verdict
from scalesr.records.equation import Equation
from scalesr.search.linear import LinearSearch


def discover(
    data: Dataset, settings: Settings, *, rng: np.random.Generator, progress: Report | None = None
) -> Discovery:
    """Find the law behind a table."""
    started = time.monotonic()
    deadline = Deadline.after(settings.time_limit)
    ranking = LinearSearch(settings.operators).search(data.sweep(), deadline.budget(), rng=rng, progress=progress)
    laws = []
    for skeleton in ranking.front:
        done = fit(skeleton.expression, data.table, data.y, weights=data.weights, starts=skeleton.constants)
        equation = Equation.from_fit(done, data.names)
        loss = done.rss / data.n_rows
        laws.append(Law(equation, loss, loss, skeleton.score, "plain law"))
    best = min(laws, key=lambda law: law.score)
    is_exact = best.loss <= (1e-13 * float(np.abs(data.y).max())) ** 2
    verdict = Verdict.EXACT if is_exact else Verdict.APPROXIMATE
    step = Step("reduce", f"Plain laws: {best.equation}.", time.monotonic() - started)
    return Discovery(best, verdict, "Not judged yet.", tuple(laws), (step,), time.monotonic() - started)
