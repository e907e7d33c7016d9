"""Project: a folder of runs, newest first."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from typing import Final

from scalesr.errors import DataError
from scalesr.runs.files import write_values
from scalesr.runs.run import RunFolder
from scalesr.runs.state import Phase

MAX_RUNS: Final = 1000  # in one folder: a list that is still read in a moment
_KEY: Final = re.compile(r"[0-9]{8}-[0-9]{6}-[0-9a-f]{8}")
_LONGEST_NAME: Final = 120  # characters of a table's name that are kept


@dataclass(frozen=True, slots=True)
class Project:
    """Runs that belong together; nobody but their owner can look into the folder."""

    path: Path

    @classmethod
    def opened(cls, path: Path) -> Project:
        """The project in a folder, which is made where it is not there."""
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise DataError(f"{path} cannot hold runs: {error.strerror or error}. Choose another folder.") from error
        return cls(path.resolve())

    def create(self, name: str, content: Iterable[bytes]) -> RunFolder:
        """A run for a table whose bytes come in parts; its name is for people and never part of a path."""
        run = self.begin(name)
        with run.table_to_come() as file:
            file.writelines(content)
        return run

    def begin(self, name: str) -> RunFolder:
        """A run whose table is still to be written."""
        if len(self.runs()) >= MAX_RUNS:
            raise DataError(f"{self.path} holds {MAX_RUNS} runs; delete some, or choose another folder.")
        path = self.path / f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{token_hex(4)}"
        path.mkdir(mode=0o700)
        run = RunFolder(path)
        write_values(path / "about.json", {"name": _label(name), "created": datetime.now(UTC).isoformat()})
        run.set_state(Phase.READING, started=True)
        return run

    def run(self, key: str) -> RunFolder:
        """A run by its key; other texts, such as paths, are not keys."""
        run = RunFolder(self.path / key) if _KEY.fullmatch(key) else None
        if run is None or run.path.is_symlink() or not run.path.is_dir():
            raise DataError("There is no such run; it may have been deleted.")
        return run

    def phases(self) -> dict[RunFolder, Phase]:
        """Where each run stands, the oldest first, but those whose files cannot be read: they hinder no other."""
        found = {}
        for run in reversed(self.runs()):
            with suppress(DataError):
                found[run] = run.state.phase
        return found

    def runs(self) -> list[RunFolder]:
        """All runs, the newest first."""
        paths = (path for path in self.path.iterdir() if _KEY.fullmatch(path.name) and path.is_dir())
        return [RunFolder(path) for path in sorted(paths, reverse=True) if not path.is_symlink()]


def _label(name: str) -> str:
    """The last part of a file's name, as people know it."""
    last = re.split(r"[/\\]", name)[-1].strip()
    return last[:_LONGEST_NAME] or "table"
