"""A file of finished runs, one JSON line each, so that a killed benchmark goes on where it stopped."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import scalesr
from scalesr.errors import DataError

Record = Mapping[str, Any]


class RunLog:
    """Finished runs by job; those made under another stamp (code, settings) count only if asked for."""

    def __init__(self, path: Path, stamp: str, *, accept_stale: bool = False) -> None:
        self.path = path
        self.stamp = stamp
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            text = path.read_text(encoding="utf-8") if path.exists() else ""
            if text and not text.endswith("\n"):  # a kill has torn the last line; leave it and start a new one
                path.write_text(text + "\n", encoding="utf-8")
        except OSError as error:
            raise DataError(f"{path} cannot be used: {error.strerror or error}. Choose another --runs PATH.") from error
        lines = [line for line in map(_whole_line, text.splitlines()) if line is not None]
        self.n_stale = sum(line["stamp"] != stamp for line in lines)
        kept = [line for line in lines if accept_stale or line["stamp"] == stamp]
        self.records: dict[str, Record] = {line["job"]: line["record"] for line in kept}

    def append(self, job: str, record: Record) -> None:
        """Store one finished run at once."""
        line = json.dumps({"stamp": self.stamp, "job": job, "record": record}, allow_nan=False)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")
        self.records[job] = record


def code_stamp() -> str:
    """A short text that changes with any source file of the package."""
    root = Path(scalesr.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        digest.update(path.relative_to(root).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _whole_line(line: str) -> dict[str, Any] | None:
    """A line as it was written, or None for the torn end of a killed run."""
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, dict) and found.keys() >= {"stamp", "job", "record"} else None
