"""System: one law per state, and which of its constants are free."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.evaluate import evaluate, gradient, jacobian
from scalesr.expr.expression import Expression

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class StateLaw:
    """The right-hand side of one state over states and inputs; the other constants have snapped to simple numbers."""

    expression: Expression  # closed
    free: tuple[int, ...]  # places among the constants

    @classmethod
    def all_free(cls, expression: Expression) -> StateLaw:
        return cls(expression, tuple(range(len(expression.constants))))

    @property
    def values(self) -> Floats:
        """The free constants."""
        return self.expression.constants[list(self.free)]

    @property
    def closed(self) -> list[float]:
        """The other constants."""
        return [value for k, value in enumerate(self.expression.constants.tolist()) if k not in self.free]

    def with_values(self, values: Floats) -> StateLaw:
        """The law with other values of its free constants."""
        constants = self.expression.constants.copy()
        constants[list(self.free)] = values
        return replace(self, expression=self.expression.skeleton().bind(constants))


@dataclass(frozen=True, slots=True)
class System:
    """Laws x' = f(x, u), or x[k + 1] = f(x[k], u[k]) where `is_map`."""

    laws: tuple[StateLaw, ...]
    is_map: bool = False

    @property
    def n_states(self) -> int:
        return len(self.laws)

    @property
    def n_free(self) -> int:
        return sum(len(law.free) for law in self.laws)

    @property
    def values(self) -> Floats:
        """The free constants of all laws."""
        return np.concatenate([np.empty(0), *(law.values for law in self.laws)])

    def with_values(self, values: Floats) -> System:
        parts = np.split(values, np.cumsum([len(law.free) for law in self.laws])[:-1])
        return replace(self, laws=tuple(law.with_values(v) for law, v in zip(self.laws, parts, strict=True)))

    def with_law(self, place: int, law: StateLaw) -> System:
        """The system with another law for one state."""
        return replace(self, laws=(*self.laws[:place], law, *self.laws[place + 1 :]))

    def rates(self, table: Floats) -> Floats:
        """Right-hand sides on rows of states and inputs, (rows, states)."""
        return np.stack([evaluate(law.expression, table) for law in self.laws], axis=1)

    def by_state(self, table: Floats) -> Floats:
        """Derivatives of the right-hand sides by the states, (rows, states, states)."""
        parts = [gradient(law.expression, table)[:, : self.n_states] for law in self.laws]
        return np.stack(parts, axis=1)

    def by_constant(self, table: Floats) -> Floats:
        """Derivatives of the right-hand sides by the free constants, (rows, states, free constants)."""
        found = np.zeros((len(table), self.n_states, self.n_free))
        start = 0
        for place, law in enumerate(self.laws):
            if law.free:
                found[:, place, start : start + len(law.free)] = jacobian(law.expression, table)[:, list(law.free)]
            start += len(law.free)
        return found


def system_of(expressions: Sequence[Expression], *, is_map: bool = False) -> System:
    """A system with every constant free."""
    return System(tuple(StateLaw.all_free(one) for one in expressions), is_map)
