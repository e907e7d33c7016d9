"""Bases: an exponential that doubles, halves or counts decades is written so, where the rows do not object.

0.28*exp(0.7*n) + 0.43, with a rate known to 0.01, may well be 0.29*2^n + 0.4.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from scalesr.evidence.config import EVIDENCE
from scalesr.evidence.refit import FitData
from scalesr.evidence.rounding import at_rounding
from scalesr.expr.expression import Expression, constant, join, open_constant, variable
from scalesr.expr.fitting import Fit
from scalesr.expr.fold import Leaf, Node, fold
from scalesr.kernels.codes import EXP, MUL, NEG, OPEN, POW, VARIABLE
from scalesr.polish.snap import EXACT_SIGMAS, NOISY_SIGMAS, is_shorter
from scalesr.records.precision import KNOWN_TO, LAST_PLACES

BASES = (2.0, 10.0)  # that people count in


def based(done: Fit, rows: FitData) -> Fit:
    """The law with exponentials to a base of 2 or 10 in place of those whose rate is its logarithm."""
    if done.rank < len(done.constants) or done.skeleton.n_nodes > EVIDENCE.quickly_shortened or not _may_raise(rows):
        return done
    places = [place for place in range(len(done.constants)) if _base_near(done, place, EXACT_SIGMAS) is not None]
    if not places or EXP not in done.skeleton.codes:
        return done
    near = at_rounding(done, rows)
    for place in places:
        base = _base_near(done, place, EXACT_SIGMAS if near else NOISY_SIGMAS)
        if base is None or (form := _with_base(done, place, base)) is None:
            continue
        kept = np.delete(done.constants, place)
        trial = rows.fit(form, start=kept)
        if trial.ok and (at_rounding(trial, rows) if near else is_shorter(trial, done, rows)):
            return based(trial, rows)
    return done


def _may_raise(rows: FitData) -> bool:
    """Whether the user's operators have powers with an exponent that moves."""
    return rows.operators is None or any(row.code == POW for row in rows.operators)


def _base_near(done: Fit, place: int, sigmas: float) -> float | None:
    """The base whose logarithm a constant is, up to its sign and error."""
    rate = abs(float(done.constants[place]))
    error = sigmas * float(done.standard_errors[place]) + LAST_PLACES * rate
    near = [base for base in BASES if abs(rate - math.log(base)) <= error]
    return near[0] if near and error < KNOWN_TO * rate else None


class _Part(NamedTuple):
    """A part of a formula, and what it is a multiple of, where its factor is the rate in question."""

    whole: Expression
    times_rate: Expression | None = None


def _with_base(done: Fit, place: int, base: float) -> Expression | None:
    """The skeleton with exp(C*u) as a power of a base, where C is the open constant at a place; None where it is not.

    A rate below zero turns the sign of the exponent.
    """
    rate, falls = int(done.skeleton.open_indices[place]), done.constants[place] < 0

    def leaf(leaf: Leaf) -> _Part:
        if leaf.code == VARIABLE:
            return _Part(variable(leaf.index))
        if leaf.code == OPEN:
            return _Part(open_constant(), constant(1.0) if leaf.index == rate else None)
        return _Part(constant(leaf.value))

    def node(node: Node, parts: list[_Part]) -> _Part:
        if node.code == EXP and (exponent := parts[0].times_rate) is not None:
            return _Part(join(POW, [constant(base), join(NEG, [exponent]) if falls else exponent]))
        whole = join(node.code, [part.whole for part in parts], power=node.power)
        if node.code == MUL and parts[0].times_rate == constant(1.0):
            return _Part(whole, parts[1].whole)
        if node.code == MUL and parts[1].times_rate == constant(1.0):
            return _Part(whole, parts[0].whole)
        return _Part(whole)

    found = fold(done.skeleton, leaf, node).whole
    return found if found.n_open < done.skeleton.n_open else None
