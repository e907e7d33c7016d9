"""What numba cannot say: fused multiply-add, bit patterns, addresses and calls through them."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from scalesr.kernels.compile import inlined

_I64 = ir.IntType(64)
_F64 = ir.DoubleType()


@intrinsic
def fma(typing_context: Any, x: Any, y: Any, z: Any) -> Any:
    """x * y + z with one rounding."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.fma(*args)

    return types.float64(types.float64, types.float64, types.float64), generate


@intrinsic
def bits_of(typing_context: Any, x: Any) -> Any:
    """The bit pattern of a double as an integer."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], _I64)

    return types.int64(types.float64), generate


@intrinsic
def from_bits(typing_context: Any, pattern: Any) -> Any:
    """The double with a given bit pattern."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], _F64)

    return types.float64(types.int64), generate


def _viewer(element: Any, kind: Any) -> Any:
    """An intrinsic that turns an address into numbers to be indexed."""

    @intrinsic
    def view(typing_context: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], element.as_pointer())

        return types.CPointer(kind)(types.int64), generate

    return view


doubles_at = _viewer(_F64, types.float64)
integers_at = _viewer(_I64, types.int64)
codes_at = _viewer(ir.IntType(32), types.int32)  # a formula's codes and arguments are 32 bits wide


@inlined
def address_of(array: Any) -> Any:
    """Where an array's data begin."""
    return np.int64(array.ctypes.data)


def address_in_memory(array: NDArray[Any]) -> int:
    """The same for Python; the array is contiguous and has to stay alive while the address is in use."""
    address: int = array.ctypes.data
    return address


@intrinsic
def keep(typing_context: Any, array: Any) -> Any:
    """Hold an array alive up to here: a compiled function frees what it no longer mentions."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.get_dummy_value()

    return types.void(array), generate


def _caller(n_args: int) -> Any:
    """An intrinsic that calls the C function at an address with `n_args` integers."""

    @intrinsic
    def call(typing_context: Any, address: Any, args: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            target = ir.FunctionType(ir.VoidType(), [_I64] * n_args).as_pointer()
            unpacked = [builder.extract_value(values[1], i) for i in range(n_args)]
            builder.call(builder.inttoptr(values[0], target), unpacked)
            return context.get_dummy_value()

        return types.void(types.int64, types.UniTuple(types.int64, n_args)), generate

    return call


# By number of arguments; table.py and problem.py say what they are.
call_5, call_6, call_7, call_9, call_14 = _caller(5), _caller(6), _caller(7), _caller(9), _caller(14)
