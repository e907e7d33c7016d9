"""Formulas as text and LaTeX."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scalesr.expr.expression import Expression


def to_text(expr: Expression, names: Sequence[str] | None = None) -> str:
    """Print a formula so that `parse` reads the same formula back."""
    raise NotImplementedError
