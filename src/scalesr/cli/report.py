"""`scalesr report`: a saved law and the rows of a table as a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from scalesr.cli.choose import Choice, take
from scalesr.cli.output import check_targets, tell
from scalesr.cli.reporting import check_report, command_line
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
    from scalesr.estimators.saved_regressor import load_regressor  # loads the compiler; --help does without
    from scalesr.records.groups import Label
    from scalesr.report import write_report
    from scalesr.tables import columns_called, group_labels

    model = take(load_regressor(law), choose)
    law_of_first = (model.discovery_[0] if isinstance(model.discovery_, tuple) else model.discovery_).taken
    names = law_of_first.columns
    cells, whole = columns_called(read, [*names, *model.target_names_])
    labels: tuple[Label | None, ...] | None = None
    if law_of_first.groups is not None:
        labels = group_labels(read, law_of_first.groups.by)
        whole = whole & np.array([label is not None for label in labels])
    X, y = cells[whole, : len(names)], cells[whole, len(names) :]
    frame, _ = named_rows(X, names, y[:, 0], model.target_names_[0])
    groups = (
        None if labels is None else [one for one, kept in zip(labels, whole, strict=True) if kept and one is not None]
    )
    write_report(page, model, frame, y, command=command_line(), groups=groups)
    tell([] if quiet else [f"Saved in {page}."])
