"""The small JSON files of a run: written at once, read with care."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from scalesr.atomic import write_atomically
from scalesr.errors import DataError

MAX_BYTES: Final = 2**26  # of a file that is read back whole; the largest, a view with its rows, has some megabytes
LONGEST: Final = 1e10  # seconds: some three hundred years


def write_values(path: Path, values: object) -> None:
    """Write values that JSON has, in place of what was there."""
    write_atomically(path, json.dumps(values, allow_nan=False).encode("utf-8"))


def read_values(path: Path) -> dict[str, Any]:
    """What `write_values` wrote; an error names a file that is missing or not of that kind."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise DataError(f"{path.name} has more than {MAX_BYTES // 2**20} MiB, which no run writes; remove the run.")
        values = json.loads(path.read_bytes())
    except OSError as error:
        raise DataError(f"{path.name} cannot be read: {error.strerror or error}.") from error
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path.name} is not a JSON file of a run; remove the run and make it again.") from error
    if not isinstance(values, dict):
        raise DataError(f"{path.name} is not a JSON file of a run; remove the run and make it again.")
    return values


def seconds_of(value: Any) -> float:
    """A time from such a file; a ValueError or TypeError says that it is none."""
    if not 0 <= value <= LONGEST:  # which nan is not either
        raise ValueError(f"{value!r:.60} is not a number of seconds")
    return float(value)


def finite_list(values: Any) -> list[float | None]:
    """Numbers of an array as JSON has them: None where there is none."""
    return [value if value - value == 0 else None for value in values.tolist()]
