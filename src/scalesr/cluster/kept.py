"""Kept: the folder of a batch. A law's file is written first and its line after it, so that a line proves a law."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from scalesr import __version__
from scalesr.atomic import write_atomically
from scalesr.cluster.job import BatchLine, Done, Job, line_of
from scalesr.errors import DataError
from scalesr.model_files.fingerprint import described
from scalesr.model_files.json_text import content_of, json_of
from scalesr.model_files.values import Fault

DECIDE_NOTHING: Final = frozenset({"n_jobs", "verbose", "checkpoint"})  # settings on which no law depends
CUT_ONLY: Final = frozenset({"time_limit", "max_work"})  # settings that decide only when a search ends


class Kept:
    """Laws in `laws/NAME.json`, their lines in `lines/NAME.json`, and the summary beside them.

    A folder in which something else keeps files by these names is refused, and so is one with laws that were asked
    for otherwise, which would be lost; `restart` gives those up.
    """

    def __init__(self, folder: Path, jobs: Sequence[Job], *, restart: bool) -> None:
        self._laws, self._lines = folder / "laws", folder / "lines"
        self._summaries = folder / "summary.csv", folder / "summary.json"
        self._check_inputs(jobs)
        self._check_folder()
        if not restart:
            self._check_settings(jobs)
        for one in (self._laws, self._lines):
            try:
                one.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise DataError(f"{one} cannot be made: {error.strerror or error}. Choose another folder.") from error

    def law(self, name: str) -> Path:
        """The model file of a law."""
        return self._laws / f"{name}.json"

    def _check_inputs(self, jobs: Sequence[Job]) -> None:
        """Refuse to write over a table."""
        tables = {Path(job.origin.source).resolve() for job in jobs}
        files = [*self._summaries, *(file for job in jobs for file in (self.law(job.name), self._line(job.name)))]
        if lost := next((file for file in files if file.resolve() in tables), None):
            raise DataError(f"{lost} is one of the tables and would be written over; give another folder.")

    def _check_folder(self) -> None:
        """Refuse a folder that is not a batch's and has files where a batch has its own."""
        if self._lines.is_dir():
            return
        others = [*self._summaries, *sorted(self._laws.glob("*.json"))]
        if lost := next((file for file in others if file.exists()), None):
            raise DataError(f"{lost} was written by something else than a batch and may be lost; give another folder.")

    def _check_settings(self, jobs: Sequence[Job]) -> None:
        """Refuse to replace laws that were asked for with other settings or for another target."""
        for job in jobs:
            values = self._values(job.name)
            if values is not None and self.law(job.name).is_file() and values.get("asked") != asked_of(job):
                line = values["line"]
                raise DataError(
                    f"{self.law(job.name)} is the law of {line['target']!r} in {line['source']}, found with other "
                    "settings, and would be lost; give another folder, or start over with --restart (restart=True)."
                )

    def _values(self, name: str) -> dict[str, Any] | None:
        """What the file of a line holds; None where it was never written, or by something else."""
        try:
            values = json_of(content_of(self._line(name)))
            line_of(values["line"])
        except (OSError, Fault, DataError, KeyError, TypeError):
            return None
        return dict(values)

    def known(self, job: Job, mark: str) -> BatchLine | None:
        """The line of a law that was found before on the same rows with the same settings; failures are tried again."""
        values = self._values(job.name)
        if values is None:
            return None
        line = line_of(values["line"])
        is_same = values.get("mark") == mark and line.name == job.name
        return line if is_same and not line.failure and self.law(job.name).is_file() else None

    def keep(self, done: Done, job: Job, mark: str) -> None:
        """Write a law and its line; a law that is not whole has no mark by which it would be known again."""
        if done.model:
            write_atomically(self.law(done.line.name), done.model)
        values = {"mark": mark if done.is_whole else "", "asked": asked_of(job), "line": done.line.values()}
        write_atomically(self._line(done.line.name), json.dumps(values, allow_nan=False).encode("utf-8"))

    def _line(self, name: str) -> Path:
        return self._lines / f"{name}.json"


def mark_of(job: Job) -> str:
    """What tells a job from one with other rows, other settings or another version of ScaleSR."""
    return _digest(__version__, job.origin.mark(), _settings(job, DECIDE_NOTHING))


def asked_of(job: Job) -> str:
    """What tells a job from one for another law; rows may be added, and a search may be given more time."""
    return _digest(job.origin.asked(), _settings(job, DECIDE_NOTHING | CUT_ONLY))


def _settings(job: Job, without: frozenset[str]) -> Any:
    return described({name: one for name, one in sorted(job.settings.items()) if name not in without})


def _digest(*words: Any) -> str:
    return hashlib.sha256(json.dumps(words).encode()).hexdigest()
