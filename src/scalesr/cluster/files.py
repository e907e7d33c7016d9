"""Jobs from files: a folder, a pattern or some paths, with a law for each target column and each group."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from scalesr.cluster.job import Job
from scalesr.cluster.named import file_names, matching
from scalesr.cluster.origins import FileOrigin, labels_of
from scalesr.errors import DataError, SettingError
from scalesr.tables import Table, Wanted, read_table

PATTERN: Final = frozenset("*?[")


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How files are read."""

    wanted: Wanted  # its target is that of each law in turn
    targets: tuple[str, ...]  # names or patterns
    groups: str | None = None
    missing_values: str = "auto"
    units: str = ""


def paths_of(tables: str | Path | Sequence[str | Path], output: Path | None = None) -> list[Path]:
    """The files that a folder, a pattern or some paths stand for; hidden ones are left out."""
    if not isinstance(tables, str | Path):
        return [path for one in tables for path in paths_of(one, output)]
    place = Path(tables)
    if output is not None and place.is_dir() and output.resolve() == place.resolve():
        raise SettingError(f"The results would be mixed with the tables in {place}; give another folder for them.")
    if place.is_dir():
        found: Iterable[Path] = place.iterdir()
    elif PATTERN & set(str(tables)) and not place.exists():
        found = Path(place.anchor).glob(str(place.relative_to(place.anchor)))
    else:
        return [place]
    paths = sorted(path for path in found if path.is_file() and not path.name.startswith("."))
    if not paths:
        raise DataError(f"There is no file in {tables}; give a folder of tables, or a pattern such as 'runs/*.csv'.")
    return paths


def jobs_of_files(paths: Sequence[Path], reading: ReadOptions, settings: Mapping[str, Any]) -> list[Job]:
    """A job for each law that is wanted of each file."""
    if not reading.targets:
        raise SettingError("Say which column the laws are for; a name, several, or a pattern such as 'gene*'.")
    found = [(words, origin, _cost(origin.path)) for path in paths for words, origin in _laws_of(path, reading)]
    stems = [path.stem for path in paths]
    names = []
    for words, origin, _ in found:
        first = origin.path.stem if stems.count(origin.path.stem) == 1 else origin.path.name
        names.append(".".join([first, *words]))
    return [Job(name, origin, settings, cost) for name, (_, origin, cost) in zip(file_names(names), found, strict=True)]


def _laws_of(path: Path, reading: ReadOptions) -> list[tuple[list[str], FileOrigin]]:
    """The laws that are wanted of one file, each with the words that tell it from the others."""
    plain = FileOrigin(
        path, replace(reading.wanted, target=reading.targets[0]), missing_values=reading.missing_values,
        units=reading.units,
    )  # fmt: skip
    is_simple = len(reading.targets) == 1 and not PATTERN & set(reading.targets[0]) and reading.groups is None
    if is_simple:
        return [([], plain)]
    try:
        table = read_table(path, missing_values=reading.missing_values)
        targets = _targets_in(table, reading)
        groups = _groups_in(table, reading.groups)
    except DataError:
        return [([], plain)]  # its worker meets the same error, and says so in the line
    laws = []
    for target in targets:
        others = tuple(name for name in targets if name != target)
        wanted = replace(reading.wanted, target=target, drop=tuple(dict.fromkeys((*reading.wanted.drop, *others))))
        if wanted.features:
            wanted = replace(wanted, drop=())
        for group in groups:
            words = [*([target] if len(targets) > 1 else []), *([f"{group[0]}={group[1]}"] if group else [])]
            laws.append((words, replace(plain, wanted=wanted, group=group)))
    return laws


def _targets_in(table: Table, reading: ReadOptions) -> list[str]:
    found = matching(table.names, reading.targets)
    for one in reading.targets:
        if not matching(table.names, [one]):
            table.column(one)  # says which columns there are
    return found


def _groups_in(table: Table, column: str | None) -> list[tuple[str, str] | None]:
    """What a column holds, in the order of the rows; rows in which it holds nothing are in no group."""
    if column is None:
        return [None]
    return [(column, label) for label in dict.fromkeys(labels_of(table, column)) if label]


def _cost(path: Path) -> float:
    try:
        return float(path.stat().st_size)
    except OSError:
        return 0.0
