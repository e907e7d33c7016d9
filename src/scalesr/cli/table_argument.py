"""TABLE on the command line: a file, or - for standard input, and the line that says what was understood."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scalesr.cli.output import tell
from scalesr.errors import SettingError

if TYPE_CHECKING:
    from scalesr.tables import Table

STANDARD_INPUT = Path("-")

TablePath = Annotated[
    Path,
    typer.Argument(
        metavar="TABLE", help="CSV or other text, Parquet, Excel (.xlsx) or NumPy, gzipped or not; - is standard input."
    ),
]


MissingValues = Annotated[
    str,
    typer.Option(
        "--missing-values",
        metavar="NUMBERS",
        help="Numbers that stand for missing cells, -999,9999; auto finds them, none keeps all.",
    ),
]


def read_argument(path: Path, *, quiet: bool = False, missing_values: str = "auto") -> Table:
    """The table, and on standard error one line about it and one for each thing that was not taken as it stands."""
    from scalesr.tables import read_table

    source, name = (sys.stdin.buffer, "standard input") if path == STANDARD_INPUT else (path, None)
    table = read_table(source, name, missing_values=missing_values)
    if not quiet:
        tell([table.description])
        tell(table.notes, indent="  ")
    return table


def names_in(text: str) -> tuple[str, ...]:
    """Names between commas; a comma within a name is written with a backslash before it."""
    parts = text.replace("\\,", "\0").split(",")
    return tuple(name for part in parts if (name := part.replace("\0", ",").strip()))


def pairs_in(text: str) -> tuple[tuple[str, str], ...]:
    """Names with something for each, x=0.1,t=t_err."""
    pairs = [name.partition("=") for name in names_in(text)]
    if wrong := next((name for name, sign, said in pairs if not (name and sign and said)), None):
        raise SettingError(f"{wrong!r} is not an error of a column; write --x-error x=0.1,t=t_err.")
    return tuple((name.strip(), said.strip()) for name, _, said in pairs)
