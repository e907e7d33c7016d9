"""Judged: a law with the fit that made it and what it is worth."""

from __future__ import annotations

from dataclasses import dataclass

from scalesr.evidence.score import Score
from scalesr.expr.fitting import Fit
from scalesr.records.discovery import Law


@dataclass(frozen=True, slots=True, eq=False)
class JudgedLaw:
    """A law with the fit that made it and its evidence."""

    fit: Fit  # to all rows
    law: Law
    score: Score
