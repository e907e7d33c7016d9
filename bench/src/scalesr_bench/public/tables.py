"""Public tables by name: their rows, with words of two-valued columns as 0 and 1.

The list stands in `data/public_tables.csv`: the package and the file that hold a table, its target and the
columns that may explain it. Rows with a missing cell are left out; of a table with more than 3000 rows that many are
drawn, the same ones every time. Nothing else is done to them.
"""

from __future__ import annotations

import math
import re
import zlib
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import DataError
from scalesr.records.dataset import Dataset
from scalesr.tables import read_labels
from scalesr_bench.bundled import bundled
from scalesr_bench.public.packages import read_cells

Floats = NDArray[np.float64]

MOST_ROWS: Final = 3000
MISSING: Final = ("", "NA", "nan", "NaN")
_LISTED: Final = ("name", "package", "file", "target", "columns")


@dataclass(frozen=True, slots=True)
class PublicTable:
    """Where a table is, its target and the columns that may explain it."""

    name: str
    package: str
    file: str
    target: str
    columns: tuple[str, ...]

    def data(self) -> Dataset:
        """Its rows."""
        cells = read_cells(self.package, self.file)
        wanted = [*self.columns, self.target]
        if lacking := [name for name in wanted if name not in cells[0]]:
            raise DataError(f"{self.package}'s {self.file} has no column {lacking[0]!r}: {', '.join(cells[0])}.")
        whole = [row for row in cells if all(row[name] not in MISSING for name in wanted)]
        table = np.column_stack([_numbers(name, [row[name] for row in whole]) for name in wanted])
        table = _thinned(table, self.name)
        names = [_plain(name) for name in self.columns]
        return Dataset.from_table(table[:, :-1], table[:, -1], names=names, target=_plain(self.target))


@cache
def public_tables() -> tuple[PublicTable, ...]:
    """All tables of the list."""
    cells = zip(*(read_labels(bundled("public_tables"), column) for column in _LISTED), strict=True)
    return tuple(PublicTable(name, package, file, target, tuple(c.split())) for name, package, file, target, c in cells)


def choose_tables(patterns: tuple[str, ...] = ()) -> tuple[PublicTable, ...]:
    """Tables whose name matches a pattern; all of them without patterns."""
    known = public_tables()
    for pattern in patterns:
        if not any(fnmatchcase(table.name, pattern) for table in known):
            raise DataError(f"No table is called {pattern!r}; there are {', '.join(table.name for table in known)}.")
    return tuple(t for t in known if not patterns or any(fnmatchcase(t.name, pattern) for pattern in patterns))


def _numbers(column: str, cells: list[str]) -> Floats:
    """Numbers as they are; of two words the one that comes later in the alphabet is 1."""
    try:
        values = [float(cell) for cell in cells]
    except ValueError:
        words = sorted(set(cells))
        if len(words) != 2:
            raise DataError(f"Column {column!r} holds neither numbers nor two words, but {words[:5]}.") from None
        values = [float(words.index(cell)) for cell in cells]
    if not all(map(math.isfinite, values)):
        raise DataError(f"Column {column!r} holds a number that is not finite.")
    return np.array(values)


def _thinned(table: Floats, name: str) -> Floats:
    if len(table) <= MOST_ROWS:
        return table
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    return np.asarray(table[np.sort(rng.choice(len(table), MOST_ROWS, replace=False))])


def _plain(name: str) -> str:
    """A name that a formula can have without quotes."""
    return re.sub(r"\W", "_", name)
