"""What variables are called: default names, reserved names and the backquotes that tell them apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from scalesr.errors import FormulaError
from scalesr.expr.operators import BY_NAME, Operator

PI: Final = "pi"
PI_SIGNS: Final = frozenset((PI, "\N{GREEK SMALL LETTER PI}"))  # columns that are typeset as the number would be
OPEN_NAME: Final = "C"

_DEFAULT: Final = re.compile(r"x(0|[1-9][0-9]{0,8})")
_OPEN: Final = re.compile(r"C(_?[0-9]+)?")


def default_name(column: int) -> str:
    """A column's name when none is given: x0, x1, ..."""
    return f"x{column}"


def default_column(name: str) -> int | None:
    """The column a default name stands for."""
    match = _DEFAULT.fullmatch(name)
    return int(match[1]) if match else None


def is_open(name: str) -> bool:
    """Whether a name is written for an open constant: C, C1, C_2, ..."""
    return _OPEN.fullmatch(name) is not None


def function(name: str) -> Operator | None:
    """The operator called as name(...), built in or of the user's own."""
    row = BY_NAME.get(name)
    return row if row is not None and row.is_call else None


def knows_pi(names: Sequence[str] | None) -> bool:
    """Whether pi is written for the number: not where a column has that name."""
    return names is None or PI_SIGNS.isdisjoint(names)


def check_names(names: Sequence[str] | None) -> tuple[str, ...] | None:
    """The given names after making sure that they are distinct texts."""
    if names is None:
        return None
    if isinstance(names, str):
        raise FormulaError(f'Variable names are a sequence, not one text: write names=["{names[:20]}"].')
    try:
        given = tuple(names)
    except TypeError:
        raise FormulaError(f"Variable names are a sequence of texts, not {type(names).__name__}.") from None
    seen: set[str] = set()
    for name in given:
        if not isinstance(name, str):
            raise FormulaError(f"A variable's name is a text, not {shortened(repr(name))}; rename that column.")
        if name in seen:
            raise FormulaError(f"Two variables are called {shortened(name)!r}; rename one of them.")
        seen.add(name)
    return given


def name_of(column: int, names: Sequence[str] | None) -> str:
    """The name of a column, given or default."""
    if names is None:
        return default_name(column)
    if column >= len(names):
        raise FormulaError(
            f"The formula uses column {column}, and only {len(names)} names were given; name every column."
        )
    return names[column]


def quoted(name: str) -> str:
    """A variable's name as it is written in a formula, in backquotes where it would be misread without."""
    if name.isidentifier() and function(name) is None and name != PI and not is_open(name):
        return name
    return f"`{name.replace('`', '``')}`"


def shortened(text: str, length: int = 40) -> str:
    """A text cut to a length that fits an error message."""
    return text if len(text) <= length else text[: length - 3] + "..."
