"""A run's laws at the page's hand: loaded once, asked along their variables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np

from scalesr.errors import FormulaError
from scalesr.estimators.dynamics import ScaleSRDynamics
from scalesr.estimators.loading import load
from scalesr.estimators.regressor import ScaleSRRegressor
from scalesr.estimators.units import named_units
from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import constant
from scalesr.expr.printing import to_text
from scalesr.expr.text import names_in, parse
from scalesr.records.discovery import Discovery
from scalesr.records.equation import Equation
from scalesr.report.formula import to_html
from scalesr.report.html import text as escaped
from scalesr.report.symbols import printable
from scalesr.runs.files import finite_list
from scalesr.runs.run import RunFolder

N_POINTS: Final = 160  # of a curve
N_ACROSS: Final = 36  # points of a surface along each side
MOST_SIMULATED: Final = 400  # points of a simulated trajectory


@dataclass(frozen=True, slots=True)
class Shown:
    """A discovery with the rows that its page shows."""

    discovery: Discovery
    view: dict[str, Any]
    units: tuple[tuple[str, str], ...] = ()  # of columns and target, where they are known

    @property
    def names(self) -> tuple[str, ...]:
        return self.discovery.equation.names

    @property
    def target(self) -> str:
        return str(self.view["target"])

    @property
    def used(self) -> list[int]:
        """Columns that the law uses."""
        return sorted(self.discovery.equation.expression.variables)

    def on_rows(self, law: Equation) -> list[float | None]:
        """A law's values on the rows of the page."""
        return _values(law, np.asarray(self.view["X"], np.float64))

    def along(self, law: Equation, column: int, held: Sequence[float]) -> tuple[list[float], list[float | None]]:
        """A law over the range of one column, with the others held."""
        x = np.linspace(self.view["least"][column], self.view["most"][column], N_POINTS)
        table = np.tile(np.asarray(held, np.float64), (N_POINTS, 1))
        table[:, column] = x
        return x.tolist(), _values(law, table)

    def moved_rows(self, column: int, held: Sequence[float]) -> list[float | None]:
        """The rows of the page, moved by the law to where the other columns are held."""
        X = np.asarray(self.view["X"], np.float64)
        table = np.tile(np.asarray(held, np.float64), (len(X), 1))
        table[:, column] = X[:, column]
        law = self.discovery.equation
        with np.errstate(all="ignore"):
            return finite_list(law.predict(table) + np.asarray(self.view["y"]) - law.predict(X))

    def over(self, first: int, second: int, held: Sequence[float]) -> tuple[list[float], list[float], list[Any]]:
        """The law over two columns."""
        x, y = (np.linspace(self.view["least"][j], self.view["most"][j], N_ACROSS) for j in (first, second))
        table = np.tile(np.asarray(held, np.float64), (N_ACROSS * N_ACROSS, 1))
        table[:, first], table[:, second] = np.tile(x, N_ACROSS), np.repeat(y, N_ACROSS)
        z = _values(self.discovery.equation, table)
        return x.tolist(), y.tolist(), [z[start : start + N_ACROSS] for start in range(0, len(z), N_ACROSS)]


def shown(run: RunFolder) -> Shown | None:
    """The law of a finished run, None where there is none."""
    view = run.values("view")
    model = loaded(run)
    if view is None or not isinstance(model, ScaleSRRegressor):
        return None
    discovery = model.discovery_
    assert isinstance(discovery, Discovery)
    return Shown(discovery, view, named_units(model.units))


def loaded(run: RunFolder) -> ScaleSRRegressor | ScaleSRDynamics | None:
    """What a run has found."""
    return _loaded(run, run.law.stat().st_mtime_ns) if run.law.exists() else None


@lru_cache(maxsize=8)
def _loaded(run: RunFolder, _: int) -> ScaleSRRegressor | ScaleSRDynamics:
    return load(run.law)


def typeset(law: str, left: str) -> str:
    """A law's text in mathematical type, or as it is where it cannot be read."""
    try:
        names = names_in(law)
        return to_html(parse(law, names), names, left=left)
    except FormulaError:
        return f"<code>{escaped(printable(f'{left} = {law}'))}</code>"


def on_sample(law: str, sample: Mapping[str, Sequence[float | None]]) -> list[float | None]:
    """A law's values on the sample of a table; none where the law cannot be read or needs what the sample lacks."""
    try:
        names = names_in(law)
        form = parse(law, names)
    except FormulaError:
        return []
    n_rows = len(next(iter(sample.values()), ()))
    table = np.full((n_rows, len(names)), np.nan)
    for place, name in enumerate(names):
        if name in sample:
            table[:, place] = [np.nan if value is None else value for value in sample[name]]
    with np.errstate(all="ignore"):
        return finite_list(evaluate(form, table))


def equation_html(law: Equation, left: str) -> str:
    """A law in mathematical type, with the digits that its errors leave."""
    told = law.rounded()
    return to_html(told.expression, told.names, left=left)


def read_numbers(law: Equation) -> list[str]:
    """Numbers of a law that are not whole and have no error: they were read as simple ones."""
    pairs = zip(law.constants.tolist(), law.standard_errors.tolist(), strict=True)
    texts = [to_text(constant(abs(value))) for value, error in pairs if error == 0 and not value.is_integer()]
    return list(dict.fromkeys(texts))


def simulated(
    model: ScaleSRDynamics, start: Sequence[float], end: float
) -> tuple[list[float], list[list[float | None]]]:
    """Times, and the course of each state from a start."""
    times = np.linspace(0.0, end, MOST_SIMULATED)
    with np.errstate(all="ignore"):
        states = model.simulate(list(start), times)
    return times.tolist(), [finite_list(column) for column in states.T]


def _values(law: Equation, table: Any) -> list[float | None]:
    with np.errstate(all="ignore"):
        return finite_list(law.predict(table))
