"""`scalesr predict`: a saved law on the rows of a table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scalesr.cli.choose import Choice, take
from scalesr.cli.output import STANDARD_OUTPUT, Delivery, JsonPath, check_targets, tell, write_json, write_text
from scalesr.cli.show import LawPath
from scalesr.cli.table_argument import MissingValues, TablePath, read_argument


def predict(
    law: LawPath,
    table: TablePath,
    choose: Choice = "",
    missing_values: MissingValues = "auto",
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
      scalesr predict law.json new.csv --choose 7
    """
    from scalesr.estimators.predictions import predict_table  # loads the compiler; --help does without
    from scalesr.estimators.saved_regressor import load_regressor

    check_targets({"--output": output, "--json": json}, [law, table])
    model = take(load_regressor(law), choose)
    read = read_argument(table, quiet=quiet, missing_values=missing_values)
    found = predict_table(model, read)
    if not quiet:
        tell(found.remarks, indent="  ")
    delivery = Delivery()
    with delivery.part():
        if json != STANDARD_OUTPUT or output != STANDARD_OUTPUT:
            write_text(output, found.csv())
    with delivery.part():
        if json is not None:
            write_json(json, found.plain())
    delivery.close()
