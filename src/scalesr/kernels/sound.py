"""Whether arrays are formulas: compiled code follows codes and args blindly, so they are looked at before."""

from __future__ import annotations

import numpy as np
from numba import types

from scalesr.kernels.codes import LAST_LEAF, OPEN, POWI, VARIABLE
from scalesr.kernels.compile import CODES, CONSTANTS, KNOWN, STARTS, entry
from scalesr.kernels.evaluate import arity_of

SOUND = -1


@entry(CODES, CODES, STARTS, CONSTANTS, STARTS, KNOWN, types.int64)
def first_unsound(codes, args, starts, constants, constant_starts, is_known, max_power):
    """The first formula that is not one whole tree with its constants in order, or SOUND.

    Formula p has nodes starts[p] to starts[p + 1] and constants constant_starts[p] onwards. `is_known`
    tells which codes there are.
    """
    n = len(starts) - 1
    if n < 0 or len(constant_starts) != n + 1 or len(args) != len(codes):
        return 0
    if starts[0] != 0 or starts[n] != len(codes) or constant_starts[0] != 0 or constant_starts[n] != len(constants):
        return 0
    for p in range(n):
        first, end = starts[p], starts[p + 1]
        first_constant, end_constant = constant_starts[p], constant_starts[p + 1]
        if first < 0 or end <= first or end > len(codes):
            return p
        if first_constant < 0 or end_constant < first_constant or end_constant > len(constants):
            return p
        depth = 0
        n_constants = 0
        for i in range(first, end):
            code, arg = codes[i], args[i]
            if code < 0 or code >= len(is_known) or not is_known[code]:
                return p
            depth += 1 - arity_of(code)
            if depth < 1:
                return p
            if code == VARIABLE:
                if arg < 0:
                    return p
            elif code <= LAST_LEAF:
                if arg != n_constants or first_constant + arg >= end_constant:
                    return p
                value = constants[first_constant + arg]
                if not (np.isnan(value) if code == OPEN else np.isfinite(value)):
                    return p
                n_constants += 1
            elif code == POWI:
                if arg > max_power or arg < -max_power:
                    return p
            elif arg != 0:
                return p
        if depth != 1 or n_constants != end_constant - first_constant:
            return p
    return SOUND
