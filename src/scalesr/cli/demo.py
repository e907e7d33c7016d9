"""`scalesr demo`: Kepler's third law from Kepler's own figures."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

import typer

import scalesr
from scalesr.bench.bundled import bundled
from scalesr.cli.output import STANDARD_OUTPUT, JsonPath, write_json
from scalesr.tables import read_columns, read_labels

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SKELETON = "C*a^C"
NOTHING_FOUND = 1


def demo(json: JsonPath = None) -> None:
    """Find Kepler's third law in the figures Kepler had.

    The skeleton is given; its two constants, their error bars and the residual are found.

    Example: scalesr demo --json -
    """
    table = read_columns(bundled("kepler"), ["a", "P"])
    distance, period = table[:, :1], table[:, 1]
    skeleton = scalesr.parse(SKELETON, names=["a"])
    weights = 1 / period**2  # what counts is the error as a share of the period

    typer.echo(
        f"Fitting {SKELETON} to {len(table)} planets; the first run on a machine compiles the engine ...", err=True
    )
    start = time.perf_counter()
    scalesr.fit(skeleton, distance, period, weights=weights)
    ready = time.perf_counter()
    found = scalesr.fit(skeleton, distance, period, weights=weights)
    seconds = time.perf_counter() - ready
    if not found.ok:
        typer.echo(f"Nothing found: {found.message}", err=True)
        raise typer.Exit(NOTHING_FOUND)

    law = scalesr.Equation.from_fit(found, names=["a"])
    if json != STANDARD_OUTPUT:
        _print(law, table, seconds_to_load=ready - start - seconds, seconds=seconds)
    if json:
        write_json(json, _summary(law, found, seconds))


def _print(law: scalesr.Equation, table: NDArray[np.float64], *, seconds_to_load: float, seconds: float) -> None:
    off = law.predict(table[:, :1]) / table[:, 1] - 1
    planets = read_labels(bundled("kepler"), "planet")
    lines = ["The planets as Kepler knew them: distance a from the Sun, period P", ""]
    lines.append(f"  {'planet':<10}{'a (AU)':>8}{'P (days)':>12}{'law is off by':>16}")
    for planet, (a, period), share in zip(planets, table, off, strict=True):
        lines.append(f"  {planet:<10}{a:>8.3f}{period:>12.2f}{share:>+16.2%}")
    lines += ["", f"  skeleton   P = {SKELETON}", f"  law        P = {law.rounded()}"]
    for value, error in zip(law.rounded().constants, law.standard_errors, strict=True):
        lines.append(f"  constant   {value} ± {error:.2g}")
    lines.append(f"  residual   {math.sqrt((off**2).mean()):.2%} of the period (root mean square)")
    lines.append(f"  time       {1e3 * seconds:.2f} ms, after {seconds_to_load:.1f} s to compile or load the engine")
    typer.echo("\n".join(lines))


def _summary(law: scalesr.Equation, found: scalesr.Fit, seconds: float) -> dict[str, object]:
    return {
        "skeleton": SKELETON,
        "law": str(law),
        "constants": law.constants.tolist(),
        "standard_errors": law.standard_errors.tolist(),
        "weighted_residual_sum_of_squares": found.rss,
        "seconds": seconds,
    }
