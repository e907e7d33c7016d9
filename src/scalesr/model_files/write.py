"""A model as a file."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scalesr.atomic import write_atomically
from scalesr.errors import DataError
from scalesr.model_files.model import FORMAT, MAX_BYTES, VERSION, Model, Value
from scalesr.records.curves import Curves
from scalesr.records.discovery import Discovery, Law, Step
from scalesr.records.equation import Equation
from scalesr.records.groups import GroupConstants
from scalesr.records.noise import Noise
from scalesr.records.outcome import Outcome


def write_model(path: Path, model: Model) -> None:
    """Write a model to a file, in place of one that is there."""
    write_document(path, _document(model))


def write_document(path: Path, document: dict[str, Any]) -> None:
    """Write plain values to a file, in place of one that is there."""
    write_atomically(path, _content(document))


def model_content(model: Model) -> bytes:
    """What the file of a model holds, for those who keep it elsewhere."""
    return _content(_document(model))


def _content(document: dict[str, Any]) -> bytes:
    text = json.dumps(document, indent=1, allow_nan=False)
    if len(text) > MAX_BYTES:
        raise DataError(f"The law takes {len(text)} bytes and a model file has at most {MAX_BYTES}; fit a shorter one.")
    return f"{text}\n".encode("ascii")


def _document(model: Model) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "library": model.library,
        "names": list(model.names),
        "are_names_given": model.are_names_given,
        "targets": list(model.targets),
        "settings": settings_document(model.settings),
        "discoveries": [discovery_document(discovery) for discovery in model.discoveries],
    }


def settings_document(settings: Mapping[str, Value]) -> dict[str, Any]:
    """The parameters of an estimator as plain values."""
    return {name: list(v) if isinstance(v, tuple) else v for name, v in settings.items()}


def discovery_document(discovery: Discovery) -> dict[str, Any]:
    """A discovery as plain values."""
    return {
        "law": _law_document(discovery.law),
        "verdict": str(discovery.verdict),
        "reason": discovery.reason,
        "front": [_law_document(law) for law in discovery.front],
        "trace": [_step_document(step) for step in discovery.trace],
        "seconds": number_document(discovery.seconds),
        "noise": None if discovery.noise is None else _noise_document(discovery.noise),
        "ruled_out": list(discovery.ruled_out),
        "ended": discovery.ended,
        "ending": str(discovery.ending),
        "probability": discovery.probability,
        "rivals": [{"law": _law_document(one.law), "probability": one.probability} for one in discovery.rivals],
        "chosen": discovery.chosen,
    }


def _noise_document(noise: Noise) -> dict[str, Any]:
    scale = None if noise.scale is None else number_document(noise.scale)
    return {
        "kind": noise.kind, "scale": scale, "relative": noise.relative, "outliers": noise.outliers,
        "digits": noise.digits, "source": noise.source,
    }  # fmt: skip


def _law_document(law: Law) -> dict[str, Any]:
    return {
        **_equation_document(law.equation),
        "loss": number_document(law.loss),
        "held_loss": number_document(law.held_loss),
        "score": number_document(law.score),
        "origin": law.origin,
        "parts": [{"title": part.title, **_equation_document(part.equation)} for part in law.parts],
    } | ({} if law.groups is None else {"groups": _groups_document(law.groups)})


def _groups_document(groups: GroupConstants) -> dict[str, Any]:
    """The constants of groups; a file of a law without any has no such field."""
    return {
        "by": groups.by,
        "labels": list(groups.labels),
        "letters": list(groups.letters),
        "values": [[number_document(value) for value in line] for line in groups.values.tolist()],
        "covariance": [
            [[number_document(value) for value in line] for line in square] for square in groups.covariance.tolist()
        ],
        "noise": number_document(groups.noise),
    }


def _equation_document(equation: Equation) -> dict[str, Any]:
    covariance = [[number_document(v) for v in line] for line in equation.covariance.tolist()]
    return {"equation": equation.text(), "covariance": covariance}


def _step_document(step: Step) -> dict[str, Any]:
    return {
        "stage": step.stage,
        "summary": step.summary,
        "seconds": number_document(step.seconds),
        "rejected": list(step.rejected),
        "curves": [_curves_document(curves) for curves in step.curves],
        "outcome": None if step.outcome is None else _outcome_document(step.outcome),
    }


def _outcome_document(outcome: Outcome) -> dict[str, Any]:
    error = None if outcome.error is None else number_document(outcome.error)
    return {"kind": str(outcome.kind), "succeeded": outcome.succeeded, "error": error}


def _curves_document(curves: Curves) -> dict[str, Any]:
    lines = [[list(map(number_document, part)) for part in (line.x, line.y, line.formula)] for line in curves.lines]
    return {"x": curves.x, "y": curves.y, "lines": lines}


def number_document(value: float) -> float | str:
    """A number, or a text for those that JSON lacks."""
    return float(value) if math.isfinite(value) else repr(float(value))
