"""The table of block functions: addresses that compiled code calls (see blocks.py)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scalesr.kernels import blocks
from scalesr.kernels.codes import FIRST_CUSTOM
from scalesr.kernels.compile import c_function, inlined
from scalesr.kernels.machine import call_6, call_9

_functions: list[Any] = []  # keeps compiled functions alive; two per place, the built-in switches first
_addresses: list[NDArray[np.int64]] = []


def table() -> NDArray[np.int64]:
    """Addresses of forward and backward: of the built-in switches, then of each custom operator."""
    if not _addresses:
        _add(blocks.forward, blocks.backward, on_disk=True)
    return _addresses[-1]


def register(forward: Callable[..., None], backward: Callable[..., None], arity: int) -> int:
    """Compile a pair of block functions into the table; returns the operator code that runs it."""
    table()
    _add(forward, backward, on_disk=False)
    place = len(_functions) // 2 - 1
    return FIRST_CUSTOM + 2 * (place - 1) + arity - 1


def _add(forward: Callable[..., None], backward: Callable[..., None], *, on_disk: bool) -> None:
    _functions.extend((c_function(forward, 6, on_disk=on_disk), c_function(backward, 9, on_disk=on_disk)))
    _addresses.append(np.array([function.address for function in _functions], np.int64))


@inlined
def run_forward(addresses, code, arg, n, out, a, b):
    """Values of one operator on one block."""
    place = 0 if code < FIRST_CUSTOM else 1 + (code - FIRST_CUSTOM) // 2
    call_6(addresses[2 * place], (code, arg, n, out, a, b))


@inlined
def run_backward(addresses, code, arg, n, out, a, b, g, ga, gb):
    """Adjoints of one operator's operands on one block."""
    place = 0 if code < FIRST_CUSTOM else 1 + (code - FIRST_CUSTOM) // 2
    call_9(addresses[2 * place + 1], (code, arg, n, out, a, b, g, ga, gb))
