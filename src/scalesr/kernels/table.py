"""The table of block functions: addresses that compiled code calls (see blocks.py)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from scalesr.kernels import blocks
from scalesr.kernels.codes import FIRST_CUSTOM
from scalesr.kernels.compile import Routine, inlined
from scalesr.kernels.machine import call_6, call_9

_functions: list[Routine] = []  # keeps compiled functions alive; two per place, the built-in switches first
_addresses: list[NDArray[np.int64]] = []


def table() -> NDArray[np.int64]:
    """Addresses of forward and backward: of the built-in switches, then of each custom operator."""
    if not _addresses:
        _add(blocks.forward, blocks.backward)
    return _addresses[-1]


def register(forward: Callable[..., None], backward: Callable[..., None], arity: int) -> int:
    """Compile a pair of block functions into the table; returns the operator code that runs it."""
    table()
    _add(Routine(forward, on_disk=False), Routine(backward, on_disk=False))
    place = len(_functions) // 2 - 1
    return FIRST_CUSTOM + 2 * (place - 1) + arity - 1


def _add(forward: Routine, backward: Routine) -> None:
    addresses = [function.address for function in (*_functions, forward, backward)]
    _functions.extend((forward, backward))
    _addresses.append(np.array(addresses, np.int64))


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
