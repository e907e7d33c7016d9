"""Predictions: what a fitted law says for each row of a table that it has not seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from scalesr.estimators.numbers import Floats
from scalesr.estimators.regressor import ScaleSRRegressor
from scalesr.records.equation import Equation
from scalesr.tables import Table, columns_called, csv_text


@dataclass(frozen=True, slots=True, eq=False)
class Predictions:
    """A value per row and target, NaN where a law has none, and what there is to say about them."""

    values: Mapping[str, Floats]  # (rows,) by target
    remarks: tuple[str, ...]

    def csv(self) -> str:
        """The values as CSV, an empty cell where there is none."""
        rows = zip(*(column.tolist() for column in self.values.values()), strict=True)
        lines = ([repr(value) if np.isfinite(value) else "" for value in row] for row in rows)
        return csv_text([tuple(self.values), *lines])

    def plain(self) -> dict[str, list[float | None]]:
        """The values as JSON has them."""
        return {
            name: [value if np.isfinite(value) else None for value in column.tolist()]
            for name, column in self.values.items()
        }


def predict_table(model: ScaleSRRegressor, table: Table) -> Predictions:
    """A model's laws on a table, which needs the columns that they use; others are not looked at."""
    equations = model.equation_ if isinstance(model.equation_, tuple) else (model.equation_,)
    values = {target: _values(table, equation) for target, equation in zip(model.target_names_, equations, strict=True)}
    remarks = [remark for target, column in values.items() for remark in _remarks(table, target, column)]
    return Predictions(values, tuple(remarks))


def _values(table: Table, equation: Equation) -> Floats:
    """The law's values; NaN where a cell that it uses is missing."""
    used = list(equation.expression.variables)
    cells, whole = columns_called(table, [equation.names[j] for j in used])
    X = np.zeros((table.n_rows, len(equation.names)))
    X[:, used] = cells
    values = np.full(table.n_rows, np.nan)
    if whole.any():
        values[whole] = equation.predict(X[whole])
    return values


def _remarks(table: Table, target: str, values: Floats) -> list[str]:
    remarks = []
    if n_lost := int((~np.isfinite(values)).sum()):
        remarks.append(f"{n_lost} of {len(values)} rows have no value: a cell is missing, or the law has none there.")
    given = next((column.numbers for column in table.columns if column.name == target), None)
    if given is not None and (both := np.isfinite(given) & np.isfinite(values)).any():
        error = float(np.sqrt(np.mean((given[both] - values[both]) ** 2)))
        std = float(given[both].std())
        share = f", {error / std:.2g} of its standard deviation" if std else ""
        remarks.append(f"The table has {target}: on {int(both.sum())} rows the law errs by {error:.3g}{share}.")
    return remarks
