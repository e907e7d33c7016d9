"""Laws of motion in files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from scalesr.model_files.model import FORMAT, Value
from scalesr.model_files.read import discovery_of, names_of, read_document, settings_of
from scalesr.model_files.values import Fault, excerpt, fields_of, items, text, texts
from scalesr.model_files.write import discovery_document, settings_document, write_document
from scalesr.records.discovery import Discovery

DYNAMICS_FORMAT: Final = "scalesr-dynamics"
DYNAMICS_VERSION: Final = 2
READABLE: Final = (1, DYNAMICS_VERSION)  # version 1 lacks outcomes and the ending


@dataclass(frozen=True, slots=True)
class DynamicsModel:
    """Laws of motion: one discovery per state, over states and inputs."""

    discoveries: tuple[Discovery, ...]
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    statements: tuple[str, ...]  # what the data can and cannot determine
    settings: Mapping[str, Value]
    library: str  # the version of ScaleSR that wrote it


def write_dynamics(path: Path, model: DynamicsModel) -> None:
    """Write laws of motion to a file, in place of one that is there."""
    document = {
        "format": DYNAMICS_FORMAT,
        "version": DYNAMICS_VERSION,
        "library": model.library,
        "states": list(model.states),
        "inputs": list(model.inputs),
        "statements": list(model.statements),
        "settings": settings_document(model.settings),
        "discoveries": [discovery_document(discovery) for discovery in model.discoveries],
    }
    write_document(path, document)


def read_dynamics(path: Path) -> DynamicsModel:
    """Read laws of motion from a file, which may hold anything."""
    return read_document(path, _model)


def holds_dynamics(path: Path) -> bool:
    """Whether a file says that it holds laws of motion; False for any other law."""
    return read_document(
        path, lambda document: isinstance(document, dict) and document.get("format") == DYNAMICS_FORMAT
    )


def _model(document: Any) -> DynamicsModel:
    if not isinstance(document, dict) or document.get("format") != DYNAMICS_FORMAT:
        raise Fault(f'it says "format": neither "{DYNAMICS_FORMAT}" nor "{FORMAT}"; save one with model.save(path)')
    if document.get("version") not in READABLE:
        version = excerpt(document.get("version"))
        raise Fault(f"it has version {version} and this ScaleSR reads version {DYNAMICS_VERSION}; update ScaleSR")
    fields = fields_of(document, "the file", "format version library states inputs statements settings discoveries")
    states, inputs = texts(fields["states"], "states"), texts(fields["inputs"], "inputs")
    names = names_of([*states, *inputs], "states and inputs")
    discoveries = items(fields["discoveries"], "discoveries", lambda value, where: discovery_of(value, where, names))
    if not 0 < len(discoveries) == len(states):
        raise Fault(f"it has {len(discoveries)} discoveries and {len(states)} states")
    return DynamicsModel(
        discoveries, states, inputs, texts(fields["statements"], "statements"), settings_of(fields["settings"]),
        text(fields["library"], "library"),
    )  # fmt: skip
