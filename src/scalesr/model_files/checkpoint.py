"""Checkpoint: what the finished searches of a run found, in a file that is whole at every moment."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from scalesr.errors import DataError
from scalesr.model_files.atomic import write_atomically
from scalesr.model_files.json_text import content_of, json_of
from scalesr.model_files.rankings import ranking_document, ranking_of, whole
from scalesr.model_files.values import Fault, excerpt, fields_of, text
from scalesr.records.skeleton import Ranking

FORMAT: Final = "scalesr-checkpoint"
VERSION: Final = 1
MAX_BYTES: Final = 2**28


@dataclass(frozen=True, slots=True)
class Entry:
    """A finished search: its ranking, and what it left of the source of randomness."""

    ranking: Ranking
    state: Mapping[str, int]  # of a PCG64 generator
    n_spawned: int  # sources that were split off in all

    def document(self) -> dict[str, Any]:
        """As JSON values; whole numbers of 128 bits are texts."""
        state = {name: str(value) for name, value in self.state.items()}
        return {"ranking": ranking_document(self.ranking), "state": state, "n_spawned": self.n_spawned}


def checkpoint_text(run: str, entries: Mapping[str, str]) -> str:
    """The file's text; `run` tells which table and settings it belongs to, entries are texts of their documents."""
    head = json.dumps({"format": FORMAT, "version": VERSION, "run": run})[:-1]
    body = ",\n".join(f"{json.dumps(key)}: {entry}" for key, entry in entries.items())
    return f'{head}, "searches": {{\n{body}\n}}}}\n'


def write_checkpoint(path: Path, run: str, entries: Mapping[str, str]) -> None:
    """Replace the file."""
    try:
        write_atomically(path, checkpoint_text(run, entries).encode("ascii"))
    except OSError as error:
        raise DataError(f"The checkpoint {path} cannot be written: {error.strerror or error}.") from error


def read_checkpoint(path: Path, run: str) -> dict[str, Entry]:
    """The finished searches of a run; an error where the file belongs to another one or to none."""
    try:
        fields = _fields(path)
        if text(fields["run"], "run") != run:
            raise Fault(
                "it belongs to another table, other settings, another seed or version of ScaleSR; give the same as "
                "before, or another file"
            )
        searches = fields["searches"]
        if not isinstance(searches, dict):
            raise Fault("searches is no object")
        return {key: _entry(value, f"searches.{key[:12]}") for key, value in searches.items()}
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}.") from error
    except Fault as fault:
        raise DataError(f"{path} is no checkpoint that can be resumed: {fault}.") from fault


def is_checkpoint(path: Path) -> bool:
    """Whether a file is a checkpoint of any run, which may be replaced."""
    try:
        with path.open("rb") as file:
            return file.read(64).startswith(f'{{"format": "{FORMAT}"'.encode())
    except OSError:
        return False


def _fields(path: Path) -> dict[str, Any]:
    document = json_of(content_of(path, MAX_BYTES))
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise Fault(f'it does not say "format": "{FORMAT}"')
    if document.get("version") != VERSION:
        raise Fault(f"it has version {excerpt(document.get('version'))} of the format and this ScaleSR reads {VERSION}")
    return fields_of(document, "the file", "format version run searches")


def _entry(value: Any, where: str) -> Entry:
    fields = fields_of(value, where, "ranking state n_spawned")
    state = fields_of(fields["state"], f"{where}.state", "state inc has_uint32 uinteger")
    numbers = {name: _long(text(digits, f"{where}.state"), f"{where}.state.{name}") for name, digits in state.items()}
    return Entry(ranking_of(fields["ranking"], f"{where}.ranking"), numbers, whole(fields["n_spawned"], where))


def _long(digits: str, where: str) -> int:
    if not (digits.isascii() and digits.isdigit() and len(digits) < 40) or int(digits) >= 2**128:
        raise Fault(f"{where} is no whole number of 128 bits")
    return int(digits)
