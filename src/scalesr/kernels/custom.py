"""Operators of a user's own: from scalar functions to block functions in the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core.errors import NumbaError

from scalesr.kernels.compile import inlined
from scalesr.kernels.machine import doubles_at
from scalesr.kernels.table import register

Scalar = Callable[..., float]
STEP = 1e-3  # relative step of the numerical derivative, good to about 1e-11 at fourth order


def compile_operator(function: Scalar, derivative: tuple[Scalar, ...], arity: int) -> int:
    """Compile a user's operator and return its code; ValueError where numba cannot."""
    value = inlined(function)
    slopes = tuple(inlined(slope) for slope in derivative) or tuple(_numerical(value, arity))
    make = _unary if arity == 1 else _binary
    try:
        return register(*make(value, *slopes), arity)
    except NumbaError as error:
        reason = str(error).strip().splitlines()[-1]
        raise ValueError(f"numba cannot compile it for {arity} floats: {reason}") from error


def _numerical(value: Any, arity: int) -> list[Any]:
    """Fourth-order central differences of a compiled function in each operand."""

    @inlined
    def by_first(x, y):
        h = STEP * max(abs(x), 1.0)
        return (8.0 * (value(x + h, y) - value(x - h, y)) - (value(x + 2 * h, y) - value(x - 2 * h, y))) / (12.0 * h)

    @inlined
    def by_second(x, y):
        h = STEP * max(abs(y), 1.0)
        return (8.0 * (value(x, y + h) - value(x, y - h)) - (value(x, y + 2 * h) - value(x, y - 2 * h))) / (12.0 * h)

    @inlined
    def by_only(x):
        h = STEP * max(abs(x), 1.0)
        return (8.0 * (value(x + h) - value(x - h)) - (value(x + 2 * h) - value(x - 2 * h))) / (12.0 * h)

    return [by_only] if arity == 1 else [by_first, by_second]


def _unary(value: Any, slope: Any) -> tuple[Any, Any]:
    def forward(code, arg, n, out_address, a_address, b_address):
        out, a = doubles_at(out_address), doubles_at(a_address)
        for i in range(n):
            out[i] = value(a[i])

    def backward(code, arg, n, out_address, a_address, b_address, g_address, ga_address, gb_address):
        a, g, ga = doubles_at(a_address), doubles_at(g_address), doubles_at(ga_address)
        for i in range(n):
            ga[i] = g[i] * slope(a[i])

    return forward, backward


def _binary(value: Any, slope_a: Any, slope_b: Any) -> tuple[Any, Any]:
    def forward(code, arg, n, out_address, a_address, b_address):
        out, a, b = doubles_at(out_address), doubles_at(a_address), doubles_at(b_address)
        for i in range(n):
            out[i] = value(a[i], b[i])

    def backward(code, arg, n, out_address, a_address, b_address, g_address, ga_address, gb_address):
        a, b, g = doubles_at(a_address), doubles_at(b_address), doubles_at(g_address)
        if ga_address:
            ga = doubles_at(ga_address)
            for i in range(n):
                ga[i] = g[i] * slope_a(a[i], b[i])
        if gb_address:
            gb = doubles_at(gb_address)
            for i in range(n):
                gb[i] = g[i] * slope_b(a[i], b[i])

    return forward, backward
