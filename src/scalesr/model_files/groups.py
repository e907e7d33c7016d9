"""Constants that differ between groups, from a file that may hold anything."""

from __future__ import annotations

from typing import Any

import numpy as np

from scalesr.errors import DataError
from scalesr.model_files.values import Fault, excerpt, fields_of, items, number, size, text, texts
from scalesr.records.groups import GroupConstants, Label


def groups_of(value: Any, where: str) -> GroupConstants:
    """The constants of the groups of a law."""
    fields = fields_of(value, where, "by labels letters values covariance noise")
    labels = items(fields["labels"], f"{where}.labels", _label)
    letters = texts(fields["letters"], f"{where}.letters")
    if len(set(labels)) < len(labels) or len(set(letters)) < len(letters):
        raise Fault(f"{where} has a group or a letter twice")
    values = items(fields["values"], f"{where}.values", _numbers)
    squares = items(
        fields["covariance"], f"{where}.covariance", lambda one, place: items(one, place, _numbers)
    )  # fmt: skip
    if len(values) != len(labels) or any(len(line) != len(letters) for line in values):
        raise Fault(f"{where}.values is not {len(labels)} by {len(letters)}")
    if len(squares) != len(labels) or any(
        len(square) != len(letters) or any(len(line) != len(letters) for line in square) for square in squares
    ):
        raise Fault(f"{where}.covariance is not {len(labels)} by {len(letters)} by {len(letters)}")
    shape = len(labels), len(letters)
    covariance = np.array(squares, np.float64).reshape(*shape, shape[1])
    if (np.diagonal(covariance, axis1=1, axis2=2) < 0).any():
        raise Fault(f"{where}.covariance has a negative variance")
    try:
        return GroupConstants(
            text(fields["by"], f"{where}.by"), labels, letters, np.array(values, np.float64).reshape(shape), covariance,
            size(fields["noise"], f"{where}.noise"),
        )  # fmt: skip
    except DataError as error:
        raise Fault(f"{where}: {error}") from error


def _numbers(value: Any, where: str) -> tuple[float, ...]:
    return items(value, where, number)


def _label(value: Any, where: str) -> Label:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise Fault(f"{where} is {excerpt(value)}, and a group is called by a text or a number")
    return value
