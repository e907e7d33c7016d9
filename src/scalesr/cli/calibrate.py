"""`scalesr calibrate`: the constants of new groups of a saved law."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scalesr.cli.options import Quiet
from scalesr.cli.output import STANDARD_OUTPUT, Delivery, JsonPath, check_targets, say_lines, tell, write_json
from scalesr.cli.show import LawPath
from scalesr.cli.table_argument import MissingValues, TablePath, read_argument


def calibrate(
    law: LawPath,
    table: TablePath,
    missing_values: MissingValues = "auto",
    save: Annotated[
        Path | None, typer.Option("--save", metavar="JSON", help="Write the law with the new groups to this file.")
    ] = None,
    json: JsonPath = None,
    quiet: Quiet = False,
) -> None:
    """Find the constants of new groups of a law that was fitted with --groups.

    The table needs the columns of the law, its target and the column that tells the groups; each group of
    it needs as many rows as there are constants that differ. The shared constants stay as they are.

    \b
    Example:
      scalesr calibrate law.json new.csv --save law-with-new.json
    """
    from scalesr.cli.outcome import group_lines
    from scalesr.estimators.calibrating import calibrate_table  # loads the compiler; --help does without
    from scalesr.estimators.saved_regressor import load_regressor
    from scalesr.estimators.values import values_of

    check_targets({"--save": save, "--json": json}, [law, table])
    model = load_regressor(law)
    labels = calibrate_table(model, read_argument(table, quiet=quiet, missing_values=missing_values))
    found = model.discovery_ if isinstance(model.discovery_, tuple) else (model.discovery_,)
    delivery = Delivery()
    with delivery.part():
        if json != STANDARD_OUTPUT:
            for one in found:
                say_lines(group_lines(one, labels)[1:])
    with delivery.part():
        if save is not None:
            model.save(save)
            tell([] if quiet else [f"Saved in {save}."])
    with delivery.part():
        if json is not None:
            named = zip(found, model.target_names_, strict=True)
            values = [values_of(one, target) for one, target in named]
            write_json(json, values[0] if len(values) == 1 else values)
    delivery.close()
