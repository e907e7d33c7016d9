"""The tables of the demonstration: one measured by others, one made from a law that is stated."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scalesr.bench.bundled import bundled
from scalesr.bench.problems.listing import read_listing
from scalesr.bench.problems.problem import Sampling
from scalesr.bench.samplers import standard_rows
from scalesr.records.dataset import Dataset
from scalesr.tables import read_columns

# Stokes: balls of radius r and density d sink at the speed v in a liquid of density s and viscosity m.
(SINKING,) = read_listing(
    "demo", "sinking | 2*g*r^2*(d - s)/(9*m) | r [1, 2]; d [2, 5]; s [0.5, 1.5]; m [1, 3]; g [9, 10]", Sampling(500)
)


@dataclass(frozen=True, slots=True, eq=False)
class DemoTable:
    """A table and where it comes from."""

    name: str
    title: str
    origin: str
    data: Dataset


def demo_tables(seed: int = 0) -> tuple[DemoTable, ...]:
    """Kepler's planets, and balls that sink in a liquid."""
    return kepler(), sinking(seed)


def kepler() -> DemoTable:
    """Six planets; what counts is the error as a share of the period."""
    table = read_columns(bundled("kepler"), ["a", "P"])
    data = Dataset.from_table(table[:, :1], table[:, 1], names=["a"], target="P", weights=1 / table[:, 1] ** 2)
    title = "Six planets: distance from the Sun a (AU), period P (days)"
    return DemoTable("kepler", title, "measured: Kepler's own figures", data)


def sinking(seed: int = 0) -> DemoTable:
    """500 rows of Stokes's law in five variables, without noise."""
    X = standard_rows(SINKING, rng=np.random.default_rng(seed))
    data = Dataset.from_table(X, SINKING.values(X), names=SINKING.names, target="v")
    title = "Sinking balls: radius r, density d, that of the liquid s, its viscosity m, gravity g, speed v"
    return DemoTable("sinking", title, f"made from v = {SINKING.text}", data)
