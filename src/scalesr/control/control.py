"""Control: the experiments that a generator and a table allow."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scalesr.control.config import CONTROL
from scalesr.control.effects import effects
from scalesr.control.error import measure_errors
from scalesr.control.residual import Residual
from scalesr.control.sample import joint_rows, moved, sweep_values
from scalesr.control.settings import choose_settings
from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression
from scalesr.records.dataset import Dataset
from scalesr.records.errors import Errors
from scalesr.records.grid import Grid
from scalesr.records.interfaces import Generator
from scalesr.records.samples import Samples

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Control:
    """Sweeps over a table's variables; every one is the same for the same seed, in whatever order they are made."""

    data: Dataset
    generator: Generator
    seed: int
    samples: Samples = field(default_factory=Samples)

    @cached_property
    def errors(self) -> Errors:
        """How far the generator is off, and its rows."""
        return measure_errors(self.data, self.generator)

    def effects(self) -> Floats:
        """How much each variable alone changes the target, (variables,)."""
        return effects(self.data, self.generator, self._rng())

    def curves(self, variable: int) -> Grid | None:
        """Curves over one variable, one group per setting; None where no setting can be held."""
        settings = choose_settings(self.data, self.generator, [variable], CONTROL.n_settings, self._rng(0, variable))
        if len(settings) == 0:
            return None
        values = sweep_values(self.data, self.generator, settings, variable, self.samples.n_points)
        rows = [moved(held[np.newaxis], variable, own)[0] for held, own in zip(settings, values, strict=True)]
        return self._grid(list(range(len(rows))), [np.nan] * len(rows), rows)

    def grid(self, learned: tuple[int, ...], new: int) -> Grid | None:
        """At each setting, groups along a new variable in which the learned ones move."""
        rng = self._rng(0, new, *learned)
        settings = choose_settings(self.data, self.generator, [*learned, new], CONTROL.n_settings_of_groups, rng)
        if len(settings) == 0:
            return None
        values = sweep_values(self.data, self.generator, settings, new, self.samples.n_groups)
        held = np.concatenate([moved(row[np.newaxis], new, own)[0] for row, own in zip(settings, values, strict=True)])
        places = np.repeat(np.arange(len(settings)), [len(own) for own in values]).tolist()
        return self._grid(places, held[:, new].tolist(), self._groups(held, learned, rng))

    def minus(self, formula: Expression) -> Control:
        """The same experiments on what a formula leaves of the target."""
        left = self.data.y - evaluate(formula, self.data.table)
        rest = self.data.with_target(left, f"what is left of {self.data.target}")
        return Control(rest, Residual(self.generator, formula), self.seed, self.samples)

    def _groups(self, held: Floats, learned: tuple[int, ...], rng: np.random.Generator) -> list[Floats]:
        """For each held row, rows in which the learned variables move."""
        n_points = self.samples.n_points
        if len(learned) > 1:
            return joint_rows(self.data, self.generator, held, learned, n_points * len(learned), rng)
        values = sweep_values(self.data, self.generator, held, learned[0], n_points)
        return [moved(row[np.newaxis], learned[0], own)[0] for row, own in zip(held, values, strict=True)]

    def _grid(self, places: list[int], values: list[float], groups: list[Floats]) -> Grid | None:
        """Ask for all values at once; groups with too few of them are left out."""
        y = self.generator.predict(np.concatenate(groups))
        parts = np.split(y, np.cumsum([len(rows) for rows in groups])[:-1])
        usable = [np.isfinite(part) for part in parts]
        kept = [g for g, flags in enumerate(usable) if np.count_nonzero(flags) >= CONTROL.fewest_points]
        if not kept:
            return None
        numbers = {place: count for count, place in enumerate(dict.fromkeys(places[g] for g in kept))}
        return Grid(
            np.ascontiguousarray(np.concatenate([groups[g][usable[g]] for g in kept]).T),
            np.concatenate([parts[g][usable[g]] for g in kept]),
            np.concatenate([[0], np.cumsum([np.count_nonzero(usable[g]) for g in kept])]),
            np.array([numbers[places[g]] for g in kept]),
            np.array([values[g] for g in kept]),
            CONTROL.smooth_error * self.errors.values,
            self.data.names,
        )

    def _rng(self, *numbers: int) -> np.random.Generator:
        return np.random.default_rng([self.seed, *numbers])
