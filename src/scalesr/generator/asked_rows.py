"""Rows that a given function is asked for, where the user has none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import DataError
from scalesr.generator.config import GENERATOR
from scalesr.generator.questions import Questions
from scalesr.records.oracle import Oracle

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class AskedRows:
    """Rows with the function's answers, and what is left of its budget."""

    answered: NDArray[np.bool_]  # (rows asked for,) which of them have an answer
    y: Floats  # (rows with an answer,)
    oracle: Oracle
    note: str


def ask_rows(oracle: Oracle, X: Floats) -> AskedRows:
    """Ask for the value of every row; those without an answer are left out."""
    questions = Questions(oracle)
    values = questions.ask(X)
    answered = np.isfinite(values)
    if not answered.any():
        budget = "" if questions.n_left is None else f" (its budget is {oracle.budget} rows)"
        raise DataError(f"The given function has no finite value at any of the {len(X)} rows{budget}.")
    note = f"The given function was asked for {questions.n_asked} rows."
    if n_missing := int(len(X) - answered.sum()):
        note += f" {n_missing} of {len(X)} rows have no answer and were left out."
    return AskedRows(answered, values[answered], questions.rest, note)


def rows_in(box: Sequence[tuple[float, float]], n_rows: int, *, rng: np.random.Generator) -> Floats:
    """Random rows (rows, columns) of a box: even over each range, or over its orders of magnitude."""
    columns = [_column(low, high, n_rows, rng) for low, high in box]
    return np.column_stack(columns)


def checked_box(box: object) -> dict[str, tuple[float, float]]:
    """The ranges of named columns as finite numbers, lower ends below upper ones."""
    if not isinstance(box, Mapping) or not box:
        raise DataError(f"A box names each column and its range, as {{'x': (0, 1)}}; this is {box!r}.")
    return {str(name): _range(str(name), ends) for name, ends in box.items()}


def _range(name: str, ends: object) -> tuple[float, float]:
    try:
        low, high = (float(end) for end in ends)  # type: ignore[attr-defined]
    except (TypeError, ValueError) as error:
        raise DataError(f"The range of {name!r} is {ends!r}; give two numbers, the lower end first.") from error
    if not (np.isfinite(low) and np.isfinite(high) and low < high):
        raise DataError(f"The range of {name!r} is ({low:g}, {high:g}); give finite ends, the lower one first.")
    return low, high


def _column(low: float, high: float, n_rows: int, rng: np.random.Generator) -> Floats:
    if low > 0 and high >= GENERATOR.range_ratio * low:
        return np.clip(np.exp(rng.uniform(np.log(low), np.log(high), n_rows)), low, high)
    return rng.uniform(low, high, n_rows)
