"""Problems from a CSV file with the columns name, variables, expression, ranges and sampling.

Variables are separated by spaces, ranges are JSON such as {"x": [-3, 3]}, and sampling is `Uniform`,
`LogUniform`, `U[low,high,rows]`, `E[low,high,rows]` (evenly spaced) or `U 8000 rows`.
"""

from __future__ import annotations

import json
import re
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from scalesr.errors import DataError, FormulaError
from scalesr.expr.names import quoted
from scalesr.tables import read_labels
from scalesr_bench.problems.problem import Problem, Range, Sampling

_COLUMNS: Final = ("name", "variables", "expression", "ranges", "sampling")
_ROWS: Final = re.compile(r"([UE])(?:\[.*,\s*(\d+)\]|\s+(\d+) rows.*)")


def read_problems(path: Path | Traversable, suite: str) -> tuple[Problem, ...]:
    """The problems of a file, as a suite of that name."""
    columns = [read_labels(path, column) for column in _COLUMNS]
    return tuple(_problem(suite, *cells) for cells in zip(*columns, strict=True))


def check_formula(problem: Problem) -> None:
    """Refuse a formula that cannot be read."""
    try:
        n_open = problem.expression.n_open
    except FormulaError as error:
        raise DataError(f"{problem.name}: {error} Leave it out with --problems or write it otherwise.") from error
    if n_open:
        raise DataError(f"{problem.name}: {problem.formula} has a name that is not a variable of it.")


def _problem(suite: str, name: str, variables: str, expression: str, ranges: str, sampling: str) -> Problem:
    names = tuple(variables.split())
    formula = _with_quotes(expression.strip(), names)
    return Problem(name, suite, names, formula, _box(name, names, ranges), _sampling(name, sampling))


def _with_quotes(expression: str, names: tuple[str, ...]) -> str:
    """A formula with backquotes around the variables that would be misread without them, such as C."""
    for name in names:
        if quoted(name) != name:
            expression = re.sub(rf"\b{re.escape(name)}\b", quoted(name), expression)
    return expression


def _box(name: str, names: tuple[str, ...], text: str) -> tuple[Range, ...]:
    try:
        ranges = json.loads(text)
        return tuple((float(ranges[variable][0]), float(ranges[variable][1])) for variable in names)
    except (ValueError, KeyError, TypeError, IndexError) as error:
        message = f'{name}: ranges are JSON such as {{"x": [-3, 3]}}, one per variable; not {text!r}.'
        raise DataError(message) from error


def _sampling(name: str, text: str) -> Sampling:
    if text == "Uniform":
        return Sampling()
    if text == "LogUniform":
        return Sampling(spacing="log-uniform")
    match = _ROWS.fullmatch(text)
    if match is None:
        raise DataError(f"{name}: sampling is Uniform, LogUniform, U[low,high,rows] or E[low,high,rows]; not {text!r}.")
    return Sampling(int(match[2] or match[3]), "even" if match[1] == "E" else "uniform")
