"""A discovery as values that JSON has: what programs get of a finished run, whoever started it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from scalesr.estimators.known_constants import told_constants
from scalesr.records.discovery import Discovery, Law
from scalesr.records.groups import GroupConstants
from scalesr.records.noise import Noise


def values_of(discovery: Discovery, target: str, units: Sequence[tuple[str, str]] = ()) -> dict[str, Any]:
    """The law, its verdict and its evidence; `units` are pairs of a column's name and unit."""
    law = discovery.equation
    return {
        "target": target,
        "law": law.text(),
        "latex": law.latex(),
        "preferred": discovery.law.equation.text(),
        "verdict": str(discovery.verdict),
        "reason": discovery.reason,
        "ended": discovery.ended,
        "complexity": law.complexity,
        "parts": parts_values(discovery.taken),
        "constants": [
            {"value": finite(one.value), "standard_error": finite(one.error), "unit": one.unit, "name": one.name}
            for one in told_constants(law, units, target)
        ],
        "groups": None if discovery.taken.groups is None else _groups_values(discovery.taken.groups),
        "error": finite(math.sqrt(discovery.taken.loss)),
        "held_error": finite(math.sqrt(discovery.taken.held_loss)),
        "noise": None if discovery.noise is None else _noise_values(discovery.noise),
        "probability": discovery.probability,
        "rivals": [_front_values(one.law) | {"probability": one.probability} for one in discovery.rivals],
        "front": [_front_values(one) for one in discovery.front],
        "ruled_out": list(discovery.ruled_out),
        "seconds": discovery.seconds,
        "seconds_per_stage": discovery.timings,
    }


def parts_values(law: Law) -> list[dict[str, str]]:
    """What is in each hole of a template."""
    return [{"hole": part.title, "law": part.equation.text()} for part in law.parts]


def _groups_values(groups: GroupConstants) -> dict[str, Any]:
    """What tells the groups apart, and each group with the constants of its own."""
    told = zip(groups.labels, groups.values.tolist(), groups.standard_errors.tolist(), strict=True)
    return {
        "by": groups.by,
        "constants": list(groups.letters),
        "groups": [
            {
                "group": label,
                "constants": {
                    letter: {"value": finite(value), "standard_error": finite(error)}
                    for letter, value, error in zip(groups.letters, values, errors, strict=True)
                },
            }
            for label, values, errors in told
        ],
    }


def _noise_values(noise: Noise) -> dict[str, Any]:
    scale = None if noise.scale is None else finite(noise.scale)
    return {"kind": noise.kind, "scale": scale, "relative": noise.relative, "outliers": noise.outliers}


def _front_values(law: Law) -> dict[str, Any]:
    return {"complexity": law.complexity, "error": finite(math.sqrt(law.loss)), "law": law.equation.text()}


def finite(value: float) -> float | None:
    """A number that JSON has, or null."""
    return value if math.isfinite(value) else None
