"""Kept: the folder of a batch. A law's file is written first and its line after it, so that a line proves a law."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, Final

from scalesr import __version__
from scalesr.atomic import write_atomically
from scalesr.cluster.job import Done, Job, Line, line_of
from scalesr.errors import DataError
from scalesr.model_files.fingerprint import described
from scalesr.model_files.json_text import content_of, json_of
from scalesr.model_files.values import Fault

DECIDE_NOTHING: Final = ("n_jobs", "verbose", "checkpoint")  # settings on which no law depends


class Kept:
    """Laws in `laws/NAME.json`, their lines in `lines/NAME.json`, and the summary beside them."""

    def __init__(self, folder: Path) -> None:
        self._laws, self._lines = folder / "laws", folder / "lines"
        for one in (self._laws, self._lines):
            try:
                one.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise DataError(f"{one} cannot be made: {error.strerror or error}. Choose another folder.") from error

    def law(self, name: str) -> Path:
        """The model file of a law."""
        return self._laws / f"{name}.json"

    def known(self, job: Job, mark: str) -> Line | None:
        """The line of a law that was found before on the same rows with the same settings; failures are tried again."""
        try:
            values = json_of(content_of(self._line(job.name)))
            line = line_of(values["line"])
        except (OSError, Fault, DataError, KeyError, TypeError):
            return None  # it was never written, or by something else: the law is looked for
        is_same = values.get("mark") == mark and line.name == job.name
        return line if is_same and not line.failure and self.law(job.name).is_file() else None

    def keep(self, done: Done, mark: str) -> None:
        """Write a law and its line."""
        if done.model:
            write_atomically(self.law(done.line.name), done.model)
        values = {"mark": mark, "line": done.line.values()}
        write_atomically(self._line(done.line.name), json.dumps(values, allow_nan=False).encode("utf-8"))

    def _line(self, name: str) -> Path:
        return self._lines / f"{name}.json"


def mark_of(job: Job) -> str:
    """What tells a job from one with other rows, other settings or another version of ScaleSR."""
    settings: dict[str, Any] = {name: one for name, one in job.settings.items() if name not in DECIDE_NOTHING}
    words = [__version__, job.origin.mark(), described(dict(sorted(settings.items())))]
    return hashlib.sha256(json.dumps(words).encode()).hexdigest()
