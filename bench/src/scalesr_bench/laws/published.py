"""Rivals at their published settings: the operators are their papers' own, not those of the run.

The rest is each search's default, which is as its paper has it: grammar, batch and population sizes,
learning rates, schedules. Ours are, for all of them, that constants are found by the compiled fit and
that at least ten are allowed; `genetic` is our own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scalesr.expr.operators import Operators
from scalesr.records.interfaces import Search
from scalesr_bench.laws.rivals import RIVALS, RivalMethod

# Method -> its paper's operators, and a sentence on the settings for the notes of a table.
_SETTINGS: Final[Mapping[str, tuple[tuple[str, ...], str]]] = {
    "spl": (("paper", "sqrt"), "20 trees of 10 000 episodes, 10 rollouts each, at most 50 productions, 5 modules"),
    "dsr": (("paper",), "batches of 1000, an LSTM of 32 units, rate 5e-4, epsilon 0.05, entropy 0.03"),
    "nggp": (("paper",), "batches of 500, 20 generations, a queue of 10 with weight 200, rate 2.5e-3, epsilon 0.02"),
    "genetic": (("physics",), "populations of 200, tournaments of 5, crossover 0.5; ours, with its own defaults"),
}


def _at_published_settings(name: str) -> RivalMethod:
    operators, settings = _SETTINGS[name]

    def make(_: Operators) -> Search:
        return RIVALS[name].make(Operators(*operators))

    written = " and ".join(operators)
    return RivalMethod(make, f"{name}-published: the operators of {written}; {settings}. {RIVALS[name].limits}")


PUBLISHED: Final[Mapping[str, RivalMethod]] = {f"{name}-published": _at_published_settings(name) for name in _SETTINGS}
