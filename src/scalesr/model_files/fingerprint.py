"""What a run depends on, as plain values that can be compared: settings, searches and functions of the user's own."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import partial
from types import CodeType, FunctionType, MethodType
from typing import Any, Final

import numpy as np

from scalesr.expr.expression import Expression
from scalesr.expr.operators import Operators

DECIDE_NOTHING: Final = frozenset({"n_threads", "n_jobs"})  # fields on which no result depends


def described(value: object, *, without: frozenset[str] = frozenset()) -> Any:
    """Strings, numbers and lists that differ where two values would make two runs differ.

    Records are told by their fields but those in `without`, functions by their code and what they enclose,
    other objects by their attributes; what cannot be looked into is told by its class.
    """
    return _Description(DECIDE_NOTHING | without).of(value)


class _Description:
    """Looks into each object once, so that rings of objects end."""

    def __init__(self, without: frozenset[str]) -> None:
        self._without = without
        self._seen: dict[int, object] = {}  # holds the objects, so that no other takes the number of one

    def of(self, value: object) -> Any:
        if value is None or isinstance(value, bool | int | float | str):
            return value
        if isinstance(value, tuple | list):
            return [self.of(item) for item in value]
        if isinstance(value, set | frozenset):
            return ["set", *sorted(repr(self.of(item)) for item in value)]
        if isinstance(value, Mapping):
            return ["mapping", *([self.of(key), self.of(item)] for key, item in value.items())]
        if id(value) in self._seen:
            return _name(value)
        self._seen[id(value)] = value
        return [_name(value), *self._inside(value)]

    def _inside(self, value: object) -> list[Any]:
        """What makes an object differ from others of its class."""
        if isinstance(value, Operators):
            return [*((row.name, int(row.code)) for row in value), *value.outermost]
        if isinstance(value, Expression):
            return [value.codes.tolist(), value.args.tolist(), repr(value.constants.tolist())]
        if isinstance(value, np.ndarray):
            return [value.dtype.str, list(value.shape), _digest(np.ascontiguousarray(value).tobytes())]
        if isinstance(value, bytes | Enum | np.generic | complex):
            return [repr(value)]
        if isinstance(value, partial):
            return [self.of(part) for part in (value.func, value.args, value.keywords)]
        if isinstance(value, MethodType):
            return [self.of(value.__func__), self.of(value.__self__)]
        if isinstance(value, FunctionType):
            enclosed = [cell.cell_contents for cell in value.__closure__ or ()]
            return [*map(self.of, (value.__code__, value.__defaults__, value.__kwdefaults__, enclosed))]
        if isinstance(value, CodeType):  # where it is written does not matter
            return [_digest(value.co_code), *value.co_names, self.of(value.co_consts)]
        return [[name, self.of(item)] for name, item in sorted(_attributes(value).items()) if name not in self._without]


def _attributes(value: object) -> dict[str, Any]:
    if isinstance(value, type):
        return {}
    if is_dataclass(value):
        return {one.name: getattr(value, one.name) for one in fields(value)}
    return dict(getattr(value, "__dict__", {}))


def _name(value: object) -> str:
    kind = value if isinstance(value, type | FunctionType) else type(value)
    return f"{kind.__module__}.{kind.__qualname__}"


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
