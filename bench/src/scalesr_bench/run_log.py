"""A file of finished runs, one JSON line each, so that a killed benchmark goes on where it stopped.

Files of several machines are merged by writing one after the other (cat a.jsonl b.jsonl): the stamp of
the code is the same wherever the same commit is checked out, and every line says where it was made.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, Self

import scalesr
import scalesr_bench
from scalesr.atomic import write_atomically
from scalesr.errors import DataError
from scalesr_bench.machine import provenance

Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class StoredRun:
    """What came of one job; each benchmark says what it keeps."""

    @classmethod
    def from_record(cls, record: Record) -> Self:
        """The run that a record tells of; what an older record does not have is as it is by default."""
        return cls(**{field.name: record[field.name] for field in fields(cls) if field.name in record})


@dataclass(frozen=True, slots=True)
class Place:
    """Where a run was made."""

    commit: str = "unknown"
    uncommitted_changes: bool = False
    cpu: str = "unknown"
    settings: str = ""  # its time limit and so on, where they are not those that were asked for

    @property
    def phrase(self) -> str:
        changed = " with uncommitted changes" if self.uncommitted_changes else ""
        other = f", with other settings: {self.settings}" if self.settings else ""
        return f"commit {self.commit[:10]}{changed} on {self.cpu}{other}"


class RunLog:
    """Finished runs by job; those made under another stamp (code, settings) count only if asked for.

    Where a job has several, the last one made under this stamp counts, else the last one.
    """

    def __init__(self, path: Path, stamp: str, *, accept_stale: bool = False) -> None:
        self.path = path
        self.stamp = stamp
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            text = path.read_text(encoding="utf-8") if path.exists() else ""
            if text and not text.endswith("\n"):  # a kill has torn the last line; leave it and start a new one
                write_atomically(path, f"{text}\n".encode())
        except OSError as error:
            raise DataError(f"{path} cannot be used: {error.strerror or error}. Choose another --runs PATH.") from error
        lines = [line for line in map(_whole_line, text.splitlines()) if line is not None]
        self.n_stale = sum(line["stamp"] != stamp for line in lines)
        known = [line for line in lines if line["stamp"] == stamp]
        kept = [line for line in lines if line["stamp"] != stamp] + known if accept_stale else known
        self.records: dict[str, Record] = {line["job"]: line["record"] for line in kept}
        self._places = {line["job"]: _place(line.get("made"), _other_settings(line["stamp"], stamp)) for line in kept}

    def append(self, job: str, record: Record) -> None:
        """Store one finished run at once."""
        here = _here()
        content = {"stamp": self.stamp, "job": job, "made": asdict(here), "record": record}
        line = json.dumps(content, allow_nan=False)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")
        self.records[job] = record
        self._places[job] = here

    def places(self, jobs: Iterable[str]) -> list[tuple[Place, int]]:
        """Where these jobs were run, and how many at each place."""
        return Counter(self._places[job] for job in jobs if job in self._places).most_common()


def open_log(path: Path, settings: str, *, accept_stale: bool = False) -> RunLog:
    """The file of finished runs; those of other code or other settings count only if asked for."""
    return RunLog(path, f"{code_stamp()}, {settings}", accept_stale=accept_stale)


def code_stamp() -> str:
    """A short text that changes with any source file and any bundled table of ScaleSR and of the bench."""
    digest = hashlib.sha256()
    for package in (scalesr, scalesr_bench):
        root = Path(str(package.__file__)).parent
        for path in sorted([*root.rglob("*.py"), *root.rglob("*.csv")]):
            digest.update(path.relative_to(root.parent).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def _here() -> Place:
    found: dict[str, Any] = provenance()
    return Place(found["commit"], bool(found["uncommitted_changes"]), found["machine"]["cpu"])


def _place(made: object, settings: str) -> Place:
    """A place as a line tells it; lines from before places were kept tell nothing."""
    known = made if isinstance(made, dict) else {}
    told = {field.name: known.get(field.name, field.default) for field in fields(Place)}
    return Place(**(told | {"settings": settings}))


def _other_settings(stamp: str, asked: str) -> str:
    """What a stamp says besides the code, where another says something else."""
    own, others = stamp.partition(", ")[2], asked.partition(", ")[2]
    return own if own != others else ""


def _whole_line(line: str) -> dict[str, Any] | None:
    """A line as it was written, or None for the torn end of a killed run."""
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, dict) and found.keys() >= {"stamp", "job", "record"} else None
