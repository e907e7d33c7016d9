"""`scalesr predict`: a saved law on the rows of a table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer
from numpy.typing import NDArray

from scalesr.cli.output import STANDARD_OUTPUT, Delivery, JsonPath, check_targets, tell, write_json, write_text
from scalesr.cli.show import LawPath
from scalesr.cli.table_argument import TablePath, read_argument

if TYPE_CHECKING:
    from scalesr.tables import Table

Floats = NDArray[np.float64]


def predict(
    law: LawPath,
    table: TablePath,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="CSV", help="Write the values to this file.")
    ] = STANDARD_OUTPUT,
    json: JsonPath = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print the values alone.")] = False,
) -> None:
    """Print what a saved law says for each row of a table, as CSV.

    The table needs the columns that the law uses; others are not looked at. A row with a missing
    cell keeps its line, without a value. Where the table has the target itself, standard error
    tells how far the law is off.

    \b
    Examples:
      scalesr predict law.json new.csv
      scalesr predict law.json new.csv --output values.csv
    """
    from scalesr.estimators.regressor import load  # loads the compiler; --help does without

    check_targets({"--output": output, "--json": json}, [law, table])
    model = load(law)
    read = read_argument(table, quiet=quiet)
    equations = model.equation_ if isinstance(model.equation_, tuple) else (model.equation_,)
    values: dict[str, Floats] = {}
    for target, equation in zip(model.target_names_, equations, strict=True):
        used = [equation.names[j] for j in equation.expression.variables]
        values[target] = _values(read, used, equation.names, equation.predict)
        if not quiet:
            tell(_remarks(read, target, values[target]), indent="  ")
    delivery = Delivery()
    with delivery.part():
        if json != STANDARD_OUTPUT or output != STANDARD_OUTPUT:
            write_text(output, _csv(values))
    with delivery.part():
        if json is not None:
            write_json(json, {name: _finite(column) for name, column in values.items()})
    delivery.close()


def _values(table: Table, used: list[str], names: tuple[str, ...], law: object) -> Floats:
    """The law's values; NaN where a cell that it uses is missing."""
    from scalesr.tables import columns_called

    cells, whole = columns_called(table, used)
    X = np.zeros((table.n_rows, len(names)))
    X[:, [names.index(name) for name in used]] = cells
    values = np.full(table.n_rows, np.nan)
    assert callable(law)
    if whole.any():
        values[whole] = law(X[whole])
    return values


def _remarks(table: Table, target: str, values: Floats) -> list[str]:
    remarks = []
    if n_lost := int((~np.isfinite(values)).sum()):
        remarks.append(f"{n_lost} of {len(values)} rows have no value: a cell is missing, or the law has none there.")
    given = next((column.numbers for column in table.columns if column.name == target), None)
    if given is not None and (both := np.isfinite(given) & np.isfinite(values)).any():
        error = float(np.sqrt(np.mean((given[both] - values[both]) ** 2)))
        spread = float(given[both].std())
        share = f", {error / spread:.2g} of its spread" if spread else ""
        remarks.append(f"The table has {target}: on {int(both.sum())} rows the law errs by {error:.3g}{share}.")
    return remarks


def _finite(column: Floats) -> list[float | None]:
    return [value if np.isfinite(value) else None for value in column.tolist()]


def _csv(values: dict[str, Floats]) -> str:
    from scalesr.tables import csv_text

    rows = zip(*(column.tolist() for column in values.values()), strict=True)
    return csv_text([tuple(values), *([repr(value) if np.isfinite(value) else "" for value in row] for row in rows)])
