"""Categories: columns of text with few values, each of which may have constants of a law of its own."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Final

FEW_VALUES: Final = 12  # of a column of text: more are names or remarks, which --groups may still take
ROWS_PER_VALUE: Final = 2  # there have to be more on average: a constant for each row explains nothing
UNSAID: Final = "(missing)"  # the value of a cell that is empty: that a remark is missing may mean something, too
BETWEEN: Final = ", "  # names and values of columns that define groups together: "material, season", "oak, dry"


def levels_of(texts: Sequence[str]) -> tuple[str, ...]:  # (rows,)
    """The value of each row of a column of text."""
    return tuple(text.strip() or UNSAID for text in texts)


def are_categories(texts: Sequence[str]) -> bool:
    """Whether the values of a column of text are few enough for constants of their own."""
    levels = levels_of(texts)
    n_values = len(set(levels))
    return 1 < n_values <= FEW_VALUES and len(levels) > ROWS_PER_VALUE * n_values


def together(columns: Sequence[Sequence[str]]) -> tuple[str, ...]:  # (rows,)
    """The values of several columns as one."""
    return tuple(BETWEEN.join(values) for values in zip(*columns, strict=True))


def names_in(by: str, known: Container[str]) -> tuple[str, ...]:
    """The columns that define groups: one of this name, or several between commas."""
    return (by,) if by in known or BETWEEN not in by else tuple(by.split(BETWEEN))
