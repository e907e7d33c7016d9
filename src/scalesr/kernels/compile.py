"""How functions are compiled: the decorators of this layer and its cache on disk."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from numba import njit, types
from numba.core.caching import FunctionCache
from numba.core.ccallback import CFunc
from numba.core.sigutils import normalize_signature

FLAGS: dict[str, Any] = {"error_model": "numpy", "nogil": True}
INNER: dict[str, Any] = FLAGS | {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}  # never called from Python

# Sums may be reordered and multiplications fused into additions; NaN and infinity keep their meaning.
REORDER = {"reassoc", "contract", "nsz"}


@cache
def layer_stamp() -> str:
    """Fingerprint of every source file of this layer."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


class LayerCache(FunctionCache):  # type: ignore[misc]
    """A disk cache that any change in this layer invalidates.

    Numba's own cache looks at the file of the cached function alone and would keep serving
    compiled code after a change in a function which that one calls.
    """

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return (*super()._index_key(sig, codegen), layer_stamp())

    def _save_overload(self, sig: Any, data: Any) -> None:
        """Keep compiled code on disk; where that fails it still serves this process."""
        with suppress(OSError, RuntimeError):  # no room, or now and then no object code where two processes compile
            super()._save_overload(sig, data)


def entry(function: Callable[..., Any]) -> Any:
    """Compile a function that Python calls; the result is kept on disk."""
    dispatcher = njit(**FLAGS)(function)
    dispatcher._cache = LayerCache(function)
    return dispatcher


def part(function: Callable[..., Any]) -> Any:
    """Compile a function that other compiled functions call."""
    return njit(**INNER)(function)


def inlined(function: Callable[..., Any]) -> Any:
    """Compile a scalar function that vanishes into its callers' loops."""
    return njit(**INNER, forceinline=True)(function)


def reduction(function: Callable[..., Any]) -> Any:
    """Compile a sum over rows, whose order of addition is left to the machine."""
    return njit(**INNER, fastmath=REORDER)(function)


def c_function(function: Callable[..., Any], n_args: int, *, on_disk: bool = True) -> Any:
    """Compile a function of integers that is called through its `address`.

    Compiled code that is called directly is optimised anew inside each of its callers; through an
    address it is compiled once.
    """
    signature = types.void(*[types.int64] * n_args)
    compiled = CFunc(function, normalize_signature(signature), locals={}, options=FLAGS)
    if on_disk:
        compiled._cache = LayerCache(function)
    compiled.compile()
    return compiled
