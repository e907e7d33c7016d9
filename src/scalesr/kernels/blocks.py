"""Every operator on one block of rows: its value (forward) and its derivative (backward).

Blocks are doubles at addresses; an output never overlaps an input, so the loops vectorise. Both
switches are compiled once and called through their address, which other kernels receive in a
table; a user's operator has the same two functions and a place in the same table.

forward(code, arg, n, out, a, b):               out = op(a, b)
backward(code, arg, n, out, a, b, g, ga, gb):   ga = g * d op / d a, gb = g * d op / d b;
                                                ga or gb is 0 where it is not wanted
"""

from __future__ import annotations

import math

from scalesr.kernels import vector_math as vm
from scalesr.kernels.codes import (
    ABS,
    ACOS,
    ADD,
    ASIN,
    ATAN,
    COS,
    DIV,
    EXP,
    LOG,
    MAX,
    MIN,
    MUL,
    NEG,
    POW,
    POWI,
    SIN,
    SQRT,
    SUB,
    TAN,
    TANH,
)  # fmt: skip
from scalesr.kernels.compile import inlined, part, routine
from scalesr.kernels.machine import doubles_at

# ---- loops over one block ------------------------------------------------------------------


def _with_care(fast, needs_care, exact):
    """A loop over one operand: the vectorising function, and the C library where it does not hold."""

    @part
    def block(n, out, a):
        care = False
        for i in range(n):
            care |= needs_care(a[i])
            out[i] = fast(a[i])
        if care:
            for i in range(n):
                if needs_care(a[i]):
                    out[i] = exact(a[i])

    return block


_exp = _with_care(vm.exp, vm.exp_needs_care, math.exp)
_sin = _with_care(vm.sin, vm.trig_needs_care, math.sin)
_cos = _with_care(vm.cos, vm.trig_needs_care, math.cos)
_tan = _with_care(vm.tan, vm.trig_needs_care, math.tan)


@part
def _power(n, out, a, b):
    care = False
    for i in range(n):
        care |= vm.power_needs_care(a[i], b[i])
        out[i] = vm.power(a[i], b[i])
    if care:
        for i in range(n):
            if vm.power_needs_care(a[i], b[i]):
                out[i] = math.pow(a[i], b[i])


@part
def _large_integer_power(n, out, a, k):
    """a^k by the real power."""
    y = float(k)
    care = False
    for i in range(n):
        care |= vm.power_needs_care(a[i], y)
        out[i] = vm.power(a[i], y)
    if care:
        for i in range(n):
            if vm.power_needs_care(a[i], y):
                out[i] = math.pow(a[i], y)


@part
def _integer_power(n, out, a, k):
    """a^k: by multiplication for small k, where that is the more exact way too."""
    if k == 2:
        for i in range(n):
            out[i] = a[i] * a[i]
    elif k == 3:
        for i in range(n):
            out[i] = a[i] * a[i] * a[i]
    elif k == 4:
        for i in range(n):
            square = a[i] * a[i]
            out[i] = square * square
    elif k == -1:
        for i in range(n):
            out[i] = 1.0 / a[i]
    elif k == -2:
        for i in range(n):
            out[i] = 1.0 / (a[i] * a[i])
    elif k == 1:
        for i in range(n):
            out[i] = a[i]
    elif k == 0:
        for i in range(n):
            out[i] = 1.0
    else:
        _large_integer_power(n, out, a, k)


@inlined
def _smaller(x, y):
    """The lesser of two, NaN if either is."""
    return x if x < y or x != x else y


@inlined
def _larger(x, y):
    return x if x > y or x != x else y


# ---- the two switches ---------------------------------------------------


@routine
def forward(code, arg, n, out_address, a_address, b_address):
    out, a, b = doubles_at(out_address), doubles_at(a_address), doubles_at(b_address)
    if code == ADD:
        for i in range(n):
            out[i] = a[i] + b[i]
    elif code == SUB:
        for i in range(n):
            out[i] = a[i] - b[i]
    elif code == MUL:
        for i in range(n):
            out[i] = a[i] * b[i]
    elif code == DIV:
        for i in range(n):
            out[i] = a[i] / b[i]
    elif code == POW:
        _power(n, out, a, b)
    elif code == MIN:
        for i in range(n):
            out[i] = _smaller(a[i], b[i])
    elif code == MAX:
        for i in range(n):
            out[i] = _larger(a[i], b[i])
    elif code == NEG:
        for i in range(n):
            out[i] = -a[i]
    elif code == POWI:
        _integer_power(n, out, a, arg)
    elif code == SQRT:
        for i in range(n):
            out[i] = math.sqrt(a[i])
    elif code == SIN:
        _sin(n, out, a)
    elif code == COS:
        _cos(n, out, a)
    elif code == TAN:
        _tan(n, out, a)
    elif code == EXP:
        _exp(n, out, a)
    elif code == LOG:
        for i in range(n):
            out[i] = vm.log(a[i])
    elif code == TANH:
        for i in range(n):
            out[i] = vm.tanh(a[i])
    elif code == ABS:
        for i in range(n):
            out[i] = abs(a[i])
    elif code == ASIN:
        for i in range(n):
            out[i] = math.asin(a[i])
    elif code == ACOS:
        for i in range(n):
            out[i] = math.acos(a[i])
    elif code == ATAN:
        for i in range(n):
            out[i] = math.atan(a[i])


@part
def _scale(n, out, factor):
    for i in range(n):
        out[i] *= factor[i]


@part
def _backward_power(n, out, a, b, g, ga_address, gb_address):
    if ga_address:
        ga = doubles_at(ga_address)
        for i in range(n):
            ga[i] = g[i] * b[i] * out[i] / a[i]
        for i in range(n):
            if a[i] == 0.0:
                ga[i] = g[i] * b[i] * math.pow(a[i], b[i] - 1.0)
    if gb_address:
        gb = doubles_at(gb_address)
        for i in range(n):
            slope = out[i] * vm.log(a[i])
            gb[i] = g[i] * (0.0 if out[i] == 0.0 else slope)


@part
def _backward_binary(code, n, out, a, b, g, ga_address, gb_address):
    ga, gb = doubles_at(ga_address), doubles_at(gb_address)
    if ga_address:
        if code == ADD or code == SUB:
            for i in range(n):
                ga[i] = g[i]
        elif code == MUL:
            for i in range(n):
                ga[i] = g[i] * b[i]
        elif code == DIV:
            for i in range(n):
                ga[i] = g[i] / b[i]
        else:
            for i in range(n):
                ga[i] = g[i] if out[i] == a[i] else 0.0
    if gb_address:
        if code == ADD:
            for i in range(n):
                gb[i] = g[i]
        elif code == SUB:
            for i in range(n):
                gb[i] = -g[i]
        elif code == MUL:
            for i in range(n):
                gb[i] = g[i] * a[i]
        elif code == DIV:
            for i in range(n):
                gb[i] = -g[i] * out[i] / b[i]
        else:
            for i in range(n):
                gb[i] = 0.0 if out[i] == a[i] else g[i]


@part
def _backward_unary(code, arg, n, out, a, g, ga):
    if code == NEG:
        for i in range(n):
            ga[i] = -g[i]
    elif code == POWI:
        _integer_power(n, ga, a, arg - 1 if arg != 0 else 0)
        for i in range(n):
            ga[i] *= g[i] * arg
    elif code == SQRT:
        for i in range(n):
            ga[i] = 0.5 * g[i] / out[i]
    elif code == SIN:
        _cos(n, ga, a)
        _scale(n, ga, g)
    elif code == COS:
        _sin(n, ga, a)
        for i in range(n):
            ga[i] *= -g[i]
    elif code == TAN:
        for i in range(n):
            ga[i] = g[i] * (1.0 + out[i] * out[i])
    elif code == EXP:
        for i in range(n):
            ga[i] = g[i] * out[i]
    elif code == LOG:
        for i in range(n):
            ga[i] = g[i] / a[i] if a[i] >= 0.0 else math.nan
    elif code == TANH:
        for i in range(n):
            ga[i] = g[i] * (1.0 - out[i]) * (1.0 + out[i])
    elif code == ABS:
        for i in range(n):
            ga[i] = g[i] if a[i] > 0.0 else (-g[i] if a[i] < 0.0 else 0.0 * a[i])
    elif code == ASIN:
        for i in range(n):
            ga[i] = g[i] / math.sqrt((1.0 - a[i]) * (1.0 + a[i]))
    elif code == ACOS:
        for i in range(n):
            ga[i] = -g[i] / math.sqrt((1.0 - a[i]) * (1.0 + a[i]))
    elif code == ATAN:
        for i in range(n):
            ga[i] = g[i] / (1.0 + a[i] * a[i])


@routine
def backward(code, arg, n, out_address, a_address, b_address, g_address, ga_address, gb_address):
    out, a, b, g = doubles_at(out_address), doubles_at(a_address), doubles_at(b_address), doubles_at(g_address)
    if code == POW:
        _backward_power(n, out, a, b, g, ga_address, gb_address)
    elif code <= MAX:
        _backward_binary(code, n, out, a, b, g, ga_address, gb_address)
    elif ga_address:
        _backward_unary(code, arg, n, out, a, g, doubles_at(ga_address))
