"""Checkpoint: the finished searches and fits of a run, in a file that is whole at every moment."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from scalesr.atomic import write_atomically
from scalesr.errors import DataError
from scalesr.model_files.json_text import content_of, json_of
from scalesr.model_files.packing import count, packed, unpacked, unpacked_whole
from scalesr.model_files.rankings import ranking_document, ranking_of
from scalesr.model_files.values import Fault, amount, excerpt, fields_of, text
from scalesr.records.skeleton import Ranking

FORMAT: Final = "scalesr-checkpoint"
VERSION: Final = 3  # 1 did not say what it is about and had no checksum, 2 not how much work a search was
MAX_BYTES: Final = 2**28
_BODY: Final = ', "searches": '
_START: Final = f'{{"format": "{FORMAT}"'.encode()
_HEAD: Final = 512  # bytes: room for what a file says of its run before anything else
MAX_SPAWNED: Final = 10**6  # each is made again to resume, at some microseconds

FitArrays = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A file's content: documents by key, which are read when they are asked for."""

    run: str  # tells which table and settings it belongs to
    about: str  # the same for people
    searches: Mapping[str, Any]
    fits: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class FinishedSearch:
    """What a search found, what it left of the source of randomness, and how much work it was."""

    ranking: Ranking
    state: Mapping[str, int]  # of a PCG64 generator
    n_spawned: int  # sources that were split off in all
    work: float  # units, see records/stop.py


def search_text(done: FinishedSearch) -> str:
    """A finished search as JSON; whole numbers of 128 bits are texts."""
    state = {name: str(value) for name, value in done.state.items()}
    ranking = ranking_document(done.ranking)
    return json.dumps({"ranking": ranking, "state": state, "n_spawned": done.n_spawned, "work": done.work})


def fit_text(results: FitArrays) -> str:
    """The arrays of a fit as JSON: constants, covariance, residual sums of squares, counts."""
    values, covariance, rss, counts = map(packed, results)
    return json.dumps({"values": values, "covariance": covariance, "rss": rss, "counts": counts})


def write_checkpoint(path: Path, run: str, about: str, searches: Mapping[str, str], fits: Mapping[str, str]) -> None:
    """Replace the file; searches and fits are texts by key."""
    body = f'{_BODY}{_object(searches)}, "fits": {_object(fits)}}}\n'
    head = {"format": FORMAT, "version": VERSION, "run": run, "about": about, "checksum": checksum_of(body)}
    write_atomically(path, f"{json.dumps(head)[:-1]}{body}".encode("ascii"))


def checksum_of(content: str) -> str:
    """What a file says of its searches and fits: a digit that has changed would change the law."""
    start = content.find(_BODY)
    return hashlib.sha256(content[max(start, 0) :].encode("utf-8", errors="replace")).hexdigest()


def read_checkpoint(path: Path) -> Checkpoint:
    """Read a file, which may hold anything."""
    try:
        content = content_of(path, MAX_BYTES)
        return _checkpoint(json_of(content), checksum_of(content))
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}.") from error
    except Fault as fault:
        raise cannot_resume(path, fault) from fault


def cannot_resume(path: Path, why: object) -> DataError:
    """The error for a file that is of no use here."""
    return DataError(f"{path} is not a checkpoint that can be resumed: {why}.")


def search_of(document: Any) -> FinishedSearch:
    """A finished search from JSON values, which may be anything."""
    fields = fields_of(document, "a search", "ranking state n_spawned work")
    state = fields_of(fields["state"], "state", "state inc has_uint32 uinteger")
    numbers = {name: _long(text(digits, f"state.{name}"), f"state.{name}") for name, digits in state.items()}
    if numbers["has_uint32"] > 1 or numbers["uinteger"] >= 2**32:
        raise Fault("state is none of a PCG64 generator")
    n_spawned = count(fields["n_spawned"], "n_spawned")
    if n_spawned > MAX_SPAWNED:
        raise Fault(f"n_spawned is {n_spawned}, and no run splits off more than {MAX_SPAWNED} sources")
    return FinishedSearch(
        ranking_of(fields["ranking"], "ranking"), numbers, n_spawned, amount(fields["work"], "work", "units of work")
    )


def fit_of(document: Any) -> FitArrays:
    """The arrays of a fit from JSON values, which may be anything."""
    fields = fields_of(document, "a fit", "values covariance rss counts")
    rss, values = unpacked(fields["rss"], "rss"), unpacked(fields["values"], "values")
    covariance, counts = unpacked(fields["covariance"], "covariance"), unpacked_whole(fields["counts"], "counts")
    n_fits = len(rss)
    width = len(values) // n_fits if n_fits else 0
    if (len(values), len(covariance), len(counts)) != (n_fits * width, n_fits * width**2, n_fits * 4):
        raise Fault(f"a fit of {n_fits} lines has {len(values)} constants, {len(covariance)} covariances")
    return values.reshape(n_fits, width), covariance.reshape(n_fits, width, width), rss, counts.reshape(n_fits, 4)


def is_checkpoint(path: Path) -> bool:
    """Whether a file is a checkpoint of any run, which may be replaced."""
    return _start_of(path).startswith(_START)


def is_of_run(path: Path, run: str) -> bool:
    """Whether a file is a checkpoint of this run, by its first words alone."""
    return is_checkpoint(path) and f', "run": {json.dumps(run)}, '.encode() in _start_of(path)


def _start_of(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_HEAD)
    except OSError:
        return b""


def _object(texts: Mapping[str, str]) -> str:
    return "{\n" + ",\n".join(f"{json.dumps(key)}: {value}" for key, value in texts.items()) + "\n}"


def _checkpoint(document: Any, checksum: str) -> Checkpoint:
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise Fault(f'it does not say "format": "{FORMAT}"')
    if document.get("version") != VERSION:
        raise Fault(f"it has version {excerpt(document.get('version'))} of the format and this ScaleSR reads {VERSION}")
    fields = fields_of(document, "the file", "format version run about checksum searches fits")
    for name in ("searches", "fits"):
        if not isinstance(fields[name], dict):
            raise Fault(f"{name} is not an object")
    if fields["checksum"] != checksum:
        raise Fault("its content is not what was written, by its checksum")
    return Checkpoint(text(fields["run"], "run"), text(fields["about"], "about"), fields["searches"], fields["fits"])


def _long(digits: str, where: str) -> int:
    if not (digits.isascii() and digits.isdigit() and len(digits) < 40) or int(digits) >= 2**128:
        raise Fault(f"{where} is not a whole number of 128 bits")
    return int(digits)
