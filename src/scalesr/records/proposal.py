"""Proposal: a law that some stage believes in, before the rows have decided."""

from __future__ import annotations

from dataclasses import dataclass

from scalesr.expr.expression import Expression


@dataclass(frozen=True, slots=True)
class Proposal:
    """A closed formula over the columns of a dataset; its constants are a first guess for the refit."""

    expression: Expression
    origin: str  # how it came about, a phrase for the trace
