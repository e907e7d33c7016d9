"""Systems of formulas followed step by step: an explicit Runge-Kutta rule, or a map applied again and again."""

from __future__ import annotations

import numpy as np
from numba import types

from scalesr.kernels.compile import CODES, COLUMNS, CONSTANTS, STARTS, TABLE, VALUES, entry
from scalesr.kernels.evaluate import values_of_programs

STATES = types.Array(types.float64, 3, "C")  # (steps, states, rows)
STAGES = types.Array(types.float64, 4, "C")  # (steps, stages, columns, rows)


@entry(
    TABLE, CODES, CODES, STARTS, CONSTANTS, STARTS, COLUMNS, VALUES, types.boolean, types.float64, STAGES, COLUMNS,
    STAGES, STATES,
)  # fmt: skip
def follow(
    addresses, codes, args, starts, constants, constant_starts, before, last, is_map, huge, known, lengths, kept, states
):  # fmt: skip
    """States after every step, from states[0]; NaN where they are larger than `huge`.

    The formulas are right-hand sides over states and inputs. Stage s of a step takes the rates of earlier
    stages by before[s] and the step ends with those of all by `last`. `known` (steps, stages, inputs, rows)
    are the inputs, `lengths` (steps, rows) those of the steps: a map stays where it is 0. `kept`
    (steps or 1, stages, columns, rows) is filled with what the formulas were asked for.
    """
    n_steps, n = lengths.shape
    n_stages = len(last)
    d = states.shape[1]
    rates = np.empty((n_stages, d, n))
    for k in range(n_steps):
        place = k if len(kept) == n_steps else 0
        for s in range(n_stages):
            here = kept[place, s]
            for j in range(known.shape[2]):
                for i in range(n):
                    here[d + j, i] = known[k, s, j, i]
            for j in range(d):
                for i in range(n):
                    total = 0.0
                    for r in range(s):
                        total += before[s, r] * rates[r, j, i]
                    here[j, i] = states[k, j, i] + lengths[k, i] * total
            values_of_programs(addresses, codes, args, starts, constants, constant_starts, here, rates[s])
        for j in range(d):
            for i in range(n):
                x = states[k, j, i]
                if is_map:
                    x = rates[0, j, i] if lengths[k, i] > 0 else x
                else:
                    total = 0.0
                    for r in range(n_stages):
                        total += last[r] * rates[r, j, i]
                    x += lengths[k, i] * total
                states[k + 1, j, i] = x if abs(x) < huge else np.nan
