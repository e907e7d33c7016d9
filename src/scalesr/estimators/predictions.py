"""Predictions: what a fitted law says for each row of a table that it has not seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from scalesr.estimators.numbers import Floats
from scalesr.estimators.regressor import ScaleSRRegressor
from scalesr.records.discovery import Law
from scalesr.records.groups import Label
from scalesr.records.mean_squares import root_mean_square_error, standard_deviation
from scalesr.tables import Table, columns_called, csv_text, group_labels


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
    found = model.discovery_ if isinstance(model.discovery_, tuple) else (model.discovery_,)
    values = {target: _values(table, one.taken) for target, one in zip(model.target_names_, found, strict=True)}
    remarks = [remark for target, column in values.items() for remark in _remarks(table, target, column)]
    return Predictions(values, tuple(remarks))


def _values(table: Table, law: Law) -> Floats:
    """The law's values; NaN where a cell that it uses is missing, as that of the group where constants differ."""
    columns = law.columns
    used = [j for j in law.equation.expression.variables if j < len(columns)]
    cells, whole = columns_called(table, [columns[j] for j in used])
    labels: tuple[Label | None, ...] = ()
    if law.groups is not None and law.groups.letters:
        labels = group_labels(table, law.groups.by)
        whole = whole & np.array([label is not None for label in labels])
    X = np.zeros((table.n_rows, len(columns)))
    X[:, used] = cells
    values = np.full(table.n_rows, np.nan)
    if whole.any():
        kept = tuple(label for label, is_whole in zip(labels, whole, strict=False) if is_whole and label is not None)
        values[whole] = law.equation.predict(law.with_constants(X[whole], kept))
    return values


def _remarks(table: Table, target: str, values: Floats) -> list[str]:
    remarks = []
    if n_lost := int((~np.isfinite(values)).sum()):
        remarks.append(f"{n_lost} of {len(values)} rows have no value: a cell is missing, or the law has none there.")
    given = next((column.numbers for column in table.columns if column.name == target), None)
    if given is not None and (both := np.isfinite(given) & np.isfinite(values)).any():
        error = root_mean_square_error(given[both], values[both])
        std = standard_deviation(given[both])
        share = f", {error / std:.2g} of its standard deviation" if std else ""
        remarks.append(f"The table has {target}: on {int(both.sum())} rows the law errs by {error:.3g}{share}.")
    return remarks
