"""Constraints: what a user knows of a law before it is found. Each holds the words it was given in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Relation = Literal["=", "<", "<=", ">", ">="]


@dataclass(frozen=True, slots=True)
class Bound:
    """The law's values on one side of a number."""

    text: str
    relation: Relation
    number: float


@dataclass(frozen=True, slots=True)
class Monotone:
    """The law goes up (sign 1) or down (-1) with a column; of order 2 its slope does."""

    text: str
    column: int
    sign: int
    order: int = 1


@dataclass(frozen=True, slots=True)
class Parity:
    """The law is even (sign 1) or odd (-1) in a column."""

    text: str
    column: int
    sign: int


@dataclass(frozen=True, slots=True)
class Exchange:
    """The law stays as it is (sign 1), or changes its sign (-1), where two columns are exchanged."""

    text: str
    columns: tuple[int, int]
    sign: int


@dataclass(frozen=True, slots=True)
class Point:
    """The law's value where some columns have given values and the others any."""

    text: str
    at: tuple[tuple[int, float], ...]
    relation: Relation
    number: float


@dataclass(frozen=True, slots=True)
class Limit:
    """The law's limit as a column goes to a number or to infinity; None is any finite one."""

    text: str
    column: int
    towards: float
    number: float | None


@dataclass(frozen=True, slots=True)
class Uses:
    """Whether a column is in the law."""

    text: str
    column: int
    wanted: bool


@dataclass(frozen=True, slots=True)
class Size:
    """The largest complexity of the law, or number of constants in it."""

    text: str
    of: Literal["complexity", "constants"]
    most: int


@dataclass(frozen=True, slots=True)
class Count:
    """How often operators occur in the law at most."""

    text: str
    codes: tuple[int, ...]
    most: int


@dataclass(frozen=True, slots=True)
class Nesting:
    """Operators that are not within others."""

    text: str
    inner: tuple[int, ...]
    outer: tuple[int, ...]


Constraint = Bound | Monotone | Parity | Exchange | Point | Limit | Uses | Size | Count | Nesting
