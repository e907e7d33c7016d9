"""How functions are compiled: the decorators of this layer.

Python calls entries and routines, and routines call each other through their addresses: code that is called
directly is optimised again inside each of its callers, through an address it is compiled once. Everything
else is a part of those, and vanishes into them.
"""

from __future__ import annotations

import ctypes
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property
from inspect import signature
from typing import Any

from numba import njit, types
from numba.core.ccallback import CFunc
from numba.core.sigutils import normalize_signature

from scalesr.kernels.disk import LayerCache
from scalesr.kernels.linking import LinkedCompiler

FLAGS: dict[str, Any] = {"error_model": "numpy", "nogil": True}
INNER: dict[str, Any] = FLAGS | {
    "no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": LinkedCompiler,  # never called from Python
}  # fmt: skip

# Sums may be reordered and multiplications fused into additions; NaN and infinity keep their meaning.
REORDER = {"reassoc", "contract", "nsz"}

# The arrays that entries take. A formula's are read-only: see expr/programs.py.
TABLE = types.Array(types.int64, 1, "C")
CODES = types.Array(types.int32, 1, "C", readonly=True)
STARTS = types.Array(types.int64, 1, "C", readonly=True)
CONSTANTS = types.Array(types.float64, 1, "C", readonly=True)
KNOWN = types.Array(types.boolean, 1, "C", readonly=True)
VALUES = types.Array(types.float64, 1, "C")
COLUMNS = types.Array(types.float64, 2, "C")


class Compiled(ABC):
    """Something of this layer that Python calls: `call` is it, loaded from disk or compiled when first asked for."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.name = function.__name__
        self._function = function

    @property
    @abstractmethod
    def call(self) -> Callable[..., Any]:
        """The compiled function."""

    @property
    def is_ready(self) -> bool:
        """Whether it has been loaded or compiled in this process."""
        return "call" in vars(self)

    @property
    def is_on_disk(self) -> bool:
        """Whether some place on disk seems to have it."""
        return LayerCache(self._function).is_on_disk

    def make_ready(self) -> None:
        """Load it from disk, or else compile it and keep it there."""
        self.call  # noqa: B018 - asking for it is enough


class Entry(Compiled):
    """A function of arrays that Python calls; it has one signature and is kept on disk."""

    def __init__(self, function: Callable[..., Any], *arguments: Any) -> None:
        super().__init__(function)
        self._arguments = arguments

    @cached_property
    def call(self) -> Callable[..., Any]:
        """The compiled function; types that are none of its signature it refuses."""
        compiled = njit(**FLAGS)(self._function)
        compiled._cache = LayerCache(self._function)
        compiled.compile(self._arguments)
        compiled.disable_compile()
        called: Callable[..., Any] = compiled
        return called


class Routine(Compiled):
    """A function of integers that is called through its address; it is kept on disk unless `on_disk` is False."""

    def __init__(self, function: Callable[..., None], *, on_disk: bool = True) -> None:
        super().__init__(function)
        self._on_disk = on_disk

    @cached_property
    def _compiled(self) -> CFunc:
        arguments = [types.int64] * len(signature(self._function).parameters)
        compiled = CFunc(self._function, normalize_signature(types.void(*arguments)), locals={}, options=FLAGS)
        if self._on_disk:
            compiled._cache = LayerCache(self._function)
        compiled.compile()
        return compiled

    @property
    def address(self) -> int:
        """Where compiled code finds it."""
        address: int = self._compiled.address
        return address

    @cached_property
    def call(self) -> Callable[..., None]:
        """The routine for Python, which lets go of the interpreter lock while it runs."""
        kind = ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * len(signature(self._function).parameters))
        called: Callable[..., None] = kind(self.address)
        return called


def entry(*arguments: Any) -> Callable[[Callable[..., Any]], Entry]:
    """Compile a function that Python calls with arrays of given types."""

    return lambda function: Entry(function, *arguments)


def routine(function: Callable[..., None]) -> Routine:
    """Compile a function of integers, most of them addresses."""
    return Routine(function)


def part(function: Callable[..., Any]) -> Any:
    """Compile a function that other compiled functions call."""
    return njit(**INNER)(function)


def inlined(function: Callable[..., Any]) -> Any:
    """Compile a scalar function that vanishes into its callers' loops."""
    return njit(**INNER, forceinline=True)(function)


def reduction(function: Callable[..., Any]) -> Any:
    """Compile a sum over rows, whose order of addition is left to the machine."""
    return njit(**INNER, fastmath=REORDER)(function)
