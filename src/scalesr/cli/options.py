"""Options that several commands share: what is taken of a table, what is known of it, and how a law is looked for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scalesr.cli.table_argument import names_in

if TYPE_CHECKING:
    from scalesr.expr.operators import Operators

# Columns and rows.
Features = Annotated[
    str, typer.Option(metavar="A,B,...", help="Columns that the law may use; all other numbers if not given.")
]
Drop = Annotated[str, typer.Option(metavar="C,D,...", help="Columns to leave out.")]
Weights = Annotated[str, typer.Option(metavar="COLUMN", help="A column with the weight of each row.")]
Dates = Annotated[
    str,
    typer.Option(
        "--dates", metavar="UNIT", help="The unit that dates are counted in: auto, seconds, days, years or phase."
    ),
]
Missing = Annotated[
    str, typer.Option("--missing", metavar="WAY", help="drop leaves out rows with a missing cell, error refuses them.")
]

# What is known of the rows.
UnitsGiven = Annotated[
    str,
    typer.Option(
        "--units", metavar="A=kg,...", help="Units of all columns and the target; none leaves those of the table out."
    ),
]
NoiseKind = Annotated[
    str, typer.Option("--noise", metavar="KIND", help="exact, constant, proportional, mixed, counts, constant:0.1.")
]
Loss = Annotated[
    str, typer.Option("--loss", metavar="NAME", help="squared, absolute, huber, relative, poisson or logistic.")
]
Outliers = Annotated[
    bool, typer.Option("--outliers/--no-outliers", help="Whether rows may be off by far more than the noise.")
]
TargetError = Annotated[
    str, typer.Option("--y-error", metavar="COLUMN", help="The target's standard error: a column or a number.")
]
ColumnErrors = Annotated[
    str,
    typer.Option(
        "--x-error", metavar="A=0.1,...", help="Standard errors of columns, each a number or a column: x=x_err."
    ),
]

# What is known of the law.
OperatorNames = Annotated[
    str, typer.Option(metavar="NAMES", help="physics, paper, or operators with commas: +,*,exp,sqrt.")
]
MaxComplexity = Annotated[
    int | None, typer.Option("--max-complexity", min=1, metavar="SIZE", help="No law is longer than this.")
]
StartingFormulas = Annotated[
    list[str] | None,
    typer.Option("--start", metavar="FORMULA", help="A formula to begin from, k*m1*m2/r^2; may be repeated."),
]
TemplateText = Annotated[
    str, typer.Option("--template", metavar="LAW", help="A law with holes to be filled: a*f(x) + g(y, z).")
]
ConstraintTexts = Annotated[
    list[str] | None,
    typer.Option("--constraint", metavar="TEXT", help="What the law obeys: 'increasing in x'; may be repeated."),
]

# How it is looked for.
Preset = Annotated[str, typer.Option(help="default, or paper for the paper's method to the letter.")]
SearchName = Annotated[str, typer.Option(help="default, exhaustive, mcts, gp, dsr, nggp or a plug-in.")]
GeneratorName = Annotated[str, typer.Option(help="auto, network, kernel or a plug-in.")]
TimeLimit = Annotated[
    float | None,
    typer.Option("--time-limit", min=0.1, metavar="SECONDS", help="Limit for each law; 60, or none with --max-work."),
]
MaxWork = Annotated[
    float | None,
    typer.Option(
        "--max-work", min=0.001, metavar="UNITS", help="Fits of a formula to 1000 rows; the same on every machine."
    ),
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="The same seed gives the same result.")]

# What becomes of it.
ReportPath = Annotated[Path | None, typer.Option("--report", metavar="HTML", help="Write a report to this file.")]
SavePath = Annotated[Path | None, typer.Option("--save", metavar="JSON", help="Write what was found to this file.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print the result alone.")]


def operators_called(names: str) -> Operators:
    """A set of operators from presets and names between commas."""
    from scalesr.estimators.plugins import operators_of

    return operators_of(list(names_in(names)) or "physics")


def seconds_for(time_limit: float | None, max_work: float | None, usual: float) -> float | None:
    """The time limit that holds: the usual one where neither time nor work is limited."""
    return usual if time_limit is None and max_work is None else time_limit
