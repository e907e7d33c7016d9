"""Tables to try the page with: measured ones, and made ones whose law is stated."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from scalesr.demo.tables import kepler_file, sinking
from scalesr.runs.plan import Plan
from scalesr.tables import csv_text, read_columns, read_labels

NOISE: Final = 0.05  # of the target's standard deviation, in the noisy table


@dataclass(frozen=True, slots=True)
class Example:
    """A table under the name of a file."""

    file: str
    title: str
    origin: str
    make: Callable[[], bytes]
    plan: Plan | None = None  # what is asked for, where the columns alone do not say


def _csv(names: list[str], rows: NDArray[np.float64]) -> bytes:
    lines = ([f"{value:.10g}" for value in row] for row in rows.tolist())
    return csv_text([names, *lines]).encode()


def _sinking(noise: float) -> bytes:
    data = sinking().data
    error = noise * data.std * np.random.default_rng(1).normal(size=data.n_rows)
    return _csv([*data.names, data.target], np.column_stack([data.table, data.y + error]))


def _foxes() -> bytes:
    """Two trajectories of Lotka and Volterra's hares and foxes, with small errors."""

    def rates(_: float, state: NDArray[np.float64]) -> list[float]:
        hares, foxes = state
        return [1.1 * hares - 0.4 * hares * foxes, 0.1 * hares * foxes - 0.4 * foxes]

    parts, rng = [], np.random.default_rng(2)
    for run, start in enumerate(([10.0, 5.0], [6.0, 2.0])):
        times = np.linspace(0, 20, 201)
        done = solve_ivp(rates, (0, 20), start, t_eval=times, rtol=1e-9, atol=1e-9)
        counted = done.y.T + 0.02 * rng.normal(size=done.y.T.shape)
        parts.append(np.column_stack([np.full(len(times), run), times, counted.round(3)]))
    return _csv(["run", "t", "hares", "foxes"], np.concatenate(parts))


def _kepler() -> bytes:
    """Kepler's planets, with weights by which the error counts as a share of the period."""
    planets, table = read_labels(kepler_file(), "planet"), read_columns(kepler_file(), ["a", "P"])
    lines = [
        [planet, f"{a:g}", f"{period:g}", f"{1 / period**2:.6g}"]
        for planet, (a, period) in zip(planets, table.tolist(), strict=True)
    ]
    return csv_text([["planet", "a", "P", "weight"], *lines]).encode()


EXAMPLES: Final = {
    "kepler": Example(
        "kepler.csv", "Six planets", "Kepler's own figures: distance a (AU), period P (days)", _kepler,
        Plan(target="P", features=("a",), weights="weight"),
    ),
    "sinking": Example(
        "sinking.csv", "Sinking balls", "made from Stokes's law, five columns, exact", lambda: _sinking(0.0)
    ),
    "noisy": Example(
        "sinking-noisy.csv", "Sinking balls, noisy", f"the same with {NOISE:.0%} of noise", lambda: _sinking(NOISE)
    ),
    "foxes": Example("foxes.csv", "Hares and foxes", "trajectories of Lotka and Volterra's model", _foxes),
}  # fmt: skip
