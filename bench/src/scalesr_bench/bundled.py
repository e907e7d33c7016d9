"""The tables that travel with the bench, and the one that comes with ScaleSR."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable

from scalesr.demo.tables import kepler_file


def bundled(name: str) -> Traversable:
    """The file of a bundled table, such as "nist_misra1a"."""
    return kepler_file() if name == "kepler" else files("scalesr_bench").joinpath("data", f"{name}.csv")
