"""A model as a file."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from scalesr.errors import DataError
from scalesr.model_files.model import FORMAT, MAX_BYTES, VERSION, Model
from scalesr.records.curves import Curves
from scalesr.records.discovery import Discovery, Law, Step


def write_model(path: Path, model: Model) -> None:
    """Write a model to a file, in place of one that is there."""
    text = json.dumps(_document(model), indent=1, allow_nan=False)
    if len(text) > MAX_BYTES:
        raise DataError(f"The law takes {len(text)} bytes and a model file has at most {MAX_BYTES}; fit a shorter one.")
    try:
        path.write_text(text + "\n", encoding="ascii")
    except OSError as error:
        raise DataError(f"{path} cannot be written: {error.strerror or error}.") from error


def _document(model: Model) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "library": model.library,
        "names": list(model.names),
        "are_names_given": model.are_names_given,
        "targets": list(model.targets),
        "settings": {name: list(v) if isinstance(v, tuple) else v for name, v in model.settings.items()},
        "discoveries": [_discovery_document(discovery) for discovery in model.discoveries],
    }


def _discovery_document(discovery: Discovery) -> dict[str, Any]:
    return {
        "law": _law_document(discovery.law),
        "verdict": str(discovery.verdict),
        "reason": discovery.reason,
        "front": [_law_document(law) for law in discovery.front],
        "trace": [_step_document(step) for step in discovery.trace],
        "seconds": _number_document(discovery.seconds),
        "noise": None if discovery.noise is None else _number_document(discovery.noise),
        "ruled_out": list(discovery.ruled_out),
        "ended": discovery.ended,
    }


def _law_document(law: Law) -> dict[str, Any]:
    return {
        "equation": str(law.equation),
        "covariance": [[_number_document(v) for v in line] for line in law.equation.covariance.tolist()],
        "loss": _number_document(law.loss),
        "held_loss": _number_document(law.held_loss),
        "score": _number_document(law.score),
        "origin": law.origin,
    }


def _step_document(step: Step) -> dict[str, Any]:
    return {
        "stage": step.stage,
        "summary": step.summary,
        "seconds": _number_document(step.seconds),
        "rejected": list(step.rejected),
        "curves": [_curves_document(curves) for curves in step.curves],
    }


def _curves_document(curves: Curves) -> dict[str, Any]:
    lines = [[list(map(_number_document, part)) for part in (line.x, line.y, line.formula)] for line in curves.lines]
    return {"x": curves.x, "y": curves.y, "lines": lines}


def _number_document(value: float) -> float | str:
    return float(value) if math.isfinite(value) else repr(float(value))
