"""`scalesr report`: a saved law and the rows of a table as a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scalesr.cli.choose import Choice, take
from scalesr.cli.fit import check_report, command_line
from scalesr.cli.output import check_targets, tell
from scalesr.cli.show import LawPath
from scalesr.cli.table_argument import MissingValues, TablePath, read_argument


def report(
    law: LawPath,
    table: TablePath,
    page: Annotated[Path, typer.Argument(metavar="HTML", help="The file that the report is written to.")],
    choose: Choice = "",
    missing_values: MissingValues = "auto",
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
) -> None:
    """Write the report of a saved law on the rows of a table, which has its columns and its target.

    \b
    Examples:
      scalesr report law.json runs.csv law.html
      scalesr report law.json runs.csv short.html --choose 7
    """
    check_targets({"HTML": page}, [law, table])
    check_report(page)
    read = read_argument(table, quiet=quiet, missing_values=missing_values)

    from scalesr.estimators.frames import named_rows
    from scalesr.estimators.regressor import load  # loads the compiler; --help does without
    from scalesr.report import write_report
    from scalesr.tables import columns_called

    model = take(load(law), choose)
    names = (model.equation_[0] if isinstance(model.equation_, tuple) else model.equation_).names
    cells, whole = columns_called(read, [*names, *model.target_names_])
    X, y = cells[whole, : len(names)], cells[whole, len(names) :]
    frame, _ = named_rows(X, names, y[:, 0], model.target_names_[0])
    write_report(page, model, frame, y, command=command_line())
    tell([] if quiet else [f"Saved in {page}."])
