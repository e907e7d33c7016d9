"""Problems from a listing: one line each, `name | formula | variables and ranges | rows`.

Variables that share a range stand together, in the order of the table's columns:
`x y [-3, 3]; z [1, 2]`. Rows are `20` (uniform) or `20 even`, and may be left out.
"""

from __future__ import annotations

import re
from typing import Final

from scalesr.errors import DataError
from scalesr_bench.problems.problem import Problem, Range, Sampling

_RANGE: Final = re.compile(r"([^\[\]]+)\[([^,\[\]]+),([^,\[\]]+)\]")


def read_listing(suite: str, listing: str, sampling: Sampling | None = None) -> tuple[Problem, ...]:
    """The problems of a listing; `sampling` is for lines that say nothing about rows."""
    default = sampling or Sampling()
    return tuple(_problem(suite, line, default) for line in listing.splitlines() if line.strip())


def _problem(suite: str, line: str, default: Sampling) -> Problem:
    cells = [cell.strip() for cell in line.split("|")]
    if len(cells) not in (3, 4):
        raise DataError(f"A problem is `name | formula | ranges | rows`, with rows if need be; not {line.strip()!r}.")
    ranges = _ranges(cells[2])
    rows = _sampling(cells[3]) if len(cells) == 4 else default
    return Problem(cells[0], suite, tuple(ranges), cells[1], tuple(ranges.values()), rows)


def _ranges(text: str) -> dict[str, Range]:
    """Range by variable."""
    ranges: dict[str, Range] = {}
    for part in text.split(";"):
        match = _RANGE.fullmatch(part.strip())
        if match is None:
            raise DataError(f"Ranges are written x y [-3, 3]; z [1, 2]. This is not one: {part.strip()!r}.")
        ranges |= {name: (float(match[2]), float(match[3])) for name in match[1].split()}
    return ranges


def _sampling(text: str) -> Sampling:
    count, _, kind = text.partition(" ")
    if not count.isdecimal() or kind not in ("", "even"):
        raise DataError(f"Rows are written 20 or 20 even, not {text!r}.")
    return Sampling(int(count), "even" if kind else "uniform")
