"""Fill the table's templates without copying what the operands say.

A rope is a text in pieces. Joining ropes costs the same however long they are, so that printing
a formula takes time in proportion to its length, deep trees included.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from string import Formatter
from typing import TypeAlias

Rope: TypeAlias = "str | tuple[Rope, ...]"

_POWER = -1  # stands for {k} among the operand numbers


def fill(template: str, operands: Sequence[Rope], power: str = "") -> Rope:
    """Put operands in the places {0}, {1} and the exponent in the place {k}."""
    return tuple(
        piece if isinstance(piece, str) else power if piece == _POWER else operands[piece]
        for piece in _pieces(template)
    )


def flatten(rope: Rope) -> str:
    """The text a rope stands for."""
    texts: list[str] = []
    waiting: list[Rope] = [rope]
    while waiting:
        piece = waiting.pop()
        if isinstance(piece, str):
            texts.append(piece)
        else:
            waiting.extend(reversed(piece))
    return "".join(texts)


@cache
def _pieces(template: str) -> tuple[str | int, ...]:
    """A template taken apart: its own text, and operand numbers between."""
    pieces: list[str | int] = []
    for text, place, _, _ in Formatter().parse(template):
        if text:
            pieces.append(text)
        if place is not None:
            pieces.append(_POWER if place == "k" else int(place))
    return tuple(pieces)
