"""The tables of the demonstration: one measured by others, one made from a law that is stated."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

import numpy as np

from scalesr.expr.evaluate import evaluate
from scalesr.expr.text import parse
from scalesr.records.dataset import Dataset
from scalesr.tables import read_columns

# Stokes: balls of radius r and density d sink at the speed v in a liquid of density s and viscosity m.
SINKING: Final = "2*g*r^2*(d - s)/(9*m)"
RANGES: Final = {"r": (1.0, 2.0), "d": (2.0, 5.0), "s": (0.5, 1.5), "m": (1.0, 3.0), "g": (9.0, 10.0)}
N_ROWS: Final = 500


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


def kepler_file() -> Traversable:
    """The file with Kepler's own figures."""
    return files("scalesr.demo").joinpath("data", "kepler.csv")


def kepler() -> DemoTable:
    """Six planets; what counts is the error as a share of the period."""
    table = read_columns(kepler_file(), ["a", "P"])
    data = Dataset.from_table(table[:, :1], table[:, 1], names=["a"], target="P", weights=1 / table[:, 1] ** 2)
    title = "Six planets: distance from the Sun a (AU), period P (days)"
    return DemoTable("kepler", title, "measured: Kepler's own figures", data)


def sinking(seed: int = 0) -> DemoTable:
    """500 rows of Stokes's law in five variables, without noise."""
    names, (low, high) = list(RANGES), np.array(list(RANGES.values())).T
    X = np.random.default_rng(seed).uniform(low, high, (N_ROWS, len(names)))
    data = Dataset.from_table(X, evaluate(parse(SINKING, names), X), names=names, target="v")
    title = "Sinking balls: radius r, density d, that of the liquid s, its viscosity m, gravity g, speed v"
    return DemoTable("sinking", title, f"made from v = {SINKING}", data)
