"""The tables that travel with the package."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable


def bundled(name: str) -> Traversable:
    """The file of a bundled table, such as "kepler"."""
    return files("scalesr.bench").joinpath("data", f"{name}.csv")
