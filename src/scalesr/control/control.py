"""Control: the experiments that a generator and a table allow."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scalesr.control.order import effects
from scalesr.control.sample import joint_rows, moved, sweep_values
from scalesr.control.settings import choose_settings
from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression
from scalesr.records.dataset import Dataset
from scalesr.records.grid import Grid
from scalesr.records.interfaces import Generator

Floats = NDArray[np.float64]

SMOOTH = 2.0  # a generator's error is smooth: it weighs more than as much independent noise
FEWEST_POINTS = 6  # of a group


@dataclass(frozen=True, slots=True)
class Control:
    """Sweeps over a table's variables; every one is the same for the same seed, in whatever order they are made."""

    data: Dataset
    generator: Generator
    seed: int
    taken: Expression | None = None  # a formula whose values are subtracted from the generator's

    @property
    def noise(self) -> float:
        """The error of values that a test should allow for."""
        return SMOOTH * self.generator.noise

    def effects(self) -> Floats:
        """How much each variable alone changes the target, (variables,)."""
        return effects(self.data, self.generator, self._rng())

    def curves(self, variable: int, *, n_settings: int = 4, n_points: int = 24, draw: int = 0) -> Grid | None:
        """Curves over one variable, one group per setting; None where no setting can be held."""
        settings = choose_settings(self.data, self.generator, [variable], n_settings, self._rng(draw, variable))
        groups = []
        for place, setting in enumerate(settings):
            values = sweep_values(self.data, self.generator, setting, variable, n_points)
            groups.append((place, np.nan, moved(setting, variable, values)))
        return self._grid(groups)

    def grid(
        self, learned: tuple[int, ...], new: int, *, n_settings: int = 3, n_groups: int = 24, n_points: int = 24,
        draw: int = 0,
    ) -> Grid | None:  # fmt: skip
        """At each setting, groups along a new variable in which the learned ones move."""
        rng = self._rng(draw, new, *learned)
        settings = choose_settings(self.data, self.generator, [*learned, new], n_settings, rng)
        groups = []
        for place, setting in enumerate(settings):
            for value in sweep_values(self.data, self.generator, setting, new, n_groups):
                held = moved(setting, new, np.array([value]))[0]
                groups.append((place, float(value), self._group(held, learned, n_points, rng)))
        return self._grid(groups)

    def minus(self, expression: Expression) -> Control:
        """The same experiments on what a formula leaves of the target."""
        return Control(self.data, self.generator, self.seed, expression)

    def _group(self, held: Floats, learned: tuple[int, ...], n_points: int, rng: np.random.Generator) -> Floats:
        if len(learned) == 1:
            values = sweep_values(self.data, self.generator, held, learned[0], n_points)
            return moved(held, learned[0], values)
        return joint_rows(self.data, self.generator, held, learned, n_points, rng)

    def _grid(self, groups: list[tuple[int, float, Floats]]) -> Grid | None:
        """Ask for all values at once; groups and settings with too few of them are left out."""
        if not groups:
            return None
        sizes = [len(rows) for _, _, rows in groups]
        y = self._values(np.concatenate([rows for _, _, rows in groups]))
        kept = []
        for (place, value, rows), part in zip(groups, np.split(y, np.cumsum(sizes)[:-1]), strict=True):
            usable = np.isfinite(part)
            if np.count_nonzero(usable) >= FEWEST_POINTS:
                kept.append((place, value, rows[usable], part[usable]))
        if not kept:
            return None
        places = {place: count for count, place in enumerate(dict.fromkeys(place for place, *_ in kept))}
        return Grid(
            np.ascontiguousarray(np.concatenate([rows for *_, rows, _ in kept]).T),
            np.concatenate([part for *_, part in kept]),
            np.concatenate([[0], np.cumsum([len(part) for *_, part in kept])]),
            np.array([places[place] for place, *_ in kept]),
            np.array([value for _, value, *_ in kept]),
            self.noise,
            self.data.names,
        )

    def _values(self, rows: Floats) -> Floats:
        y = self.generator.predict(rows)
        return y if self.taken is None else y - evaluate(self.taken, rows)

    def _rng(self, *numbers: int) -> np.random.Generator:
        return np.random.default_rng([self.seed, *numbers])
