"""The judge: whether a found formula is the law.

Numeric: on 2000 fresh points of the box max |found - truth| < 1e-6 std(truth), with 1e-12 max |truth|
for rounding. Size: found has at most twice the nodes of the simplified truth; a factor that is 1 to
1e-6 does not count, a term whose coefficient came out as 0 does. Symbolic: with constants rounded to
3 digits (quarter turns stay whole), found - truth or found/truth is a constant, by our rules of simplification
or to 30 digits at random points, and rounding leaves found what it is: sin(100.4 x) is not sin(100 x).
*Recovered* is numeric and size, or symbolic. A formula of more than 150 nodes and three times the truth's
is too large to compare symbolically; it fails that test.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import FormulaError
from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression, apply
from scalesr.expr.simplify import simplify
from scalesr_bench.problems.problem import Problem
from scalesr_bench.samplers import random_rows, uniform_rows

Floats = NDArray[np.float64]

N_FRESH: Final = 2000
AGREEMENT: Final = 1e-6  # of the truth's standard deviation
ROUNDING: Final = 1e-12  # of the truth's size: what a double leaves of an exact law
TIMES_AS_LARGE: Final = 2
UNIT: Final = 1e-6  # a factor this close to 1 or -1 is one
DIGITS: Final = 3
QUARTER_TURNS: Final = {float(f"{k * np.pi / 2:.{DIGITS}g}"): k * np.pi / 2 for k in range(1, 5)}
HARMLESS: Final = 0.05  # of the standard deviation: what rounding may change in the values of a formula
POINTS_OF_A_FORM: Final = (0.5, 2.0)  # positive, so that roots and logarithms have values
N_POINTS_OF_A_FORM: Final = 50
LARGEST_TO_COMPARE: Final = 150  # nodes of a found formula, or
TIMES_TO_COMPARE: Final = 3  # the truth's this many times, if that is more
LARGEST_FOR_SYMPY: Final = 120  # nodes; beyond, values of many digits take their time
N_POINTS_OF_AN_IDENTITY: Final = 12
DIGITS_OF_AN_IDENTITY: Final = 50
IDENTICAL: Final = 1e-30  # of a value: no two formulas of three-digit constants agree so far by accident


@dataclass(frozen=True, slots=True)
class LawVerdict:
    """The three tests of a found law."""

    numeric: bool
    symbolic: bool
    size: bool
    too_large: bool = False  # to compare symbolically

    @property
    def recovered(self) -> bool:
        return (self.numeric and self.size) or self.symbolic


def judge_law(found: Expression, problem: Problem, *, rng: np.random.Generator) -> LawVerdict:
    """Judge a closed formula over all variables of a problem, found on rows without noise."""
    X = fresh_rows(problem, rng=rng)
    truth = simplify(problem.expression)
    too_large = is_too_large(found, truth)
    is_positive = all(low >= 0 for low, _ in problem.box)
    return LawVerdict(
        numeric=agrees(evaluate(found, X), problem.values(X)),
        symbolic=not too_large and _is_law(found, truth, X, positive=is_positive),
        size=not too_large and size(found) <= TIMES_AS_LARGE * truth.n_nodes,
        too_large=too_large,
    )


def is_too_large(found: Expression, truth: Expression) -> bool:
    """Whether a formula is too large to be simplified and compared with the truth."""
    return found.n_nodes > max(LARGEST_TO_COMPARE, TIMES_TO_COMPARE * truth.n_nodes)


def fresh_rows(problem: Problem, *, rng: np.random.Generator) -> Floats:  # (points, variables)
    """Points of a problem's box to compare a found law with the truth on."""
    return random_rows(problem.box, N_FRESH, problem.sampling.spacing, rng=rng)


def agrees(found: Floats, truth: Floats) -> bool:
    """Whether values are those of the truth, everywhere."""
    with np.errstate(invalid="ignore", over="ignore"):
        worst = float(np.abs(found - truth).max())
    return worst < AGREEMENT * float(truth.std()) + ROUNDING * float(np.abs(truth).max())


def size(closed: Expression) -> int:
    """Nodes of a closed formula without the factors that are 1."""
    signs = np.sign(closed.constants)
    is_unit = np.abs(closed.constants - signs) < UNIT
    plain = closed.skeleton().bind(np.where(is_unit, signs, closed.constants))
    return min(closed.n_nodes, simplify(plain).n_nodes)


def is_same_form(found: Expression, truth: Expression, *, positive: bool = False) -> bool:
    """Whether two closed formulas, rounded, differ by a constant or by a constant factor."""
    first, second = _rounded(found), _rounded(truth)
    both = (apply("-", first, second), apply("/", first, second))
    pairs = [pair for pair in both if _may_be_constant(pair, first)]  # algebra on long sums may take all memory
    if any(not simplify(pair).variables for pair in pairs):
        return True
    if sum(pair.n_nodes for pair in pairs) > LARGEST_FOR_SYMPY:
        return False
    return any(_is_constant(pair, positive) for pair in pairs)


def _rounded(expr: Expression) -> Expression:
    """The simplified formula with constants of 3 significant digits."""
    plain = simplify(expr)
    return plain.skeleton().bind([_short(float(value)) for value in plain.constants])


def _short(value: float) -> float:
    """A constant of 3 digits; one that is a quarter turn to this many digits is one, as a phase has to be."""
    rounded = float(f"{value:.{DIGITS}g}")
    turn = QUARTER_TURNS.get(abs(rounded))
    return rounded if turn is None else float(np.copysign(turn, value))


def _is_law(found: Expression, truth: Expression, X: Floats, *, positive: bool) -> bool:
    """Whether a formula has the truth's form, and has it by more than the rounding of its constants."""
    values = evaluate(found, X)
    with np.errstate(all="ignore"):
        change = float(np.sqrt(np.mean((evaluate(_rounded(found), X) - values) ** 2)))
    return change <= HARMLESS * float(values.std()) and is_same_form(found, truth, positive=positive)


def _may_be_constant(pair: Expression, first: Expression) -> bool:
    """Whether a difference or ratio of `first` is the same at some points; saves the algebra where it is not."""
    X = uniform_rows([POINTS_OF_A_FORM] * max(pair.n_columns, 1), N_POINTS_OF_A_FORM, rng=np.random.default_rng(0))
    values, sizes = evaluate(pair, X), np.abs(evaluate(first, X))
    finite = np.isfinite(values) & np.isfinite(sizes)
    if finite.sum() < 2:
        return True
    scale = max(float(np.abs(values[finite]).max()), float(sizes[finite].max()))
    return float(np.ptp(values[finite])) <= AGREEMENT * scale


def _is_constant(expr: Expression, positive: bool) -> bool:
    """Whether a formula has the same value, to many digits, at random points: an identity, for all that can be asked.

    Simplifying could prove it, and takes minutes and more where functions are nested.
    """
    from scalesr.expr.sympy_bridge import to_sympy  # sympy is loaded only where our own rules do not suffice

    try:
        formula: Any = to_sympy(expr, assumptions={"positive": True} if positive else {"real": True})
    except FormulaError:  # a part of it is not a finite number
        return False
    symbols = sorted(formula.free_symbols, key=str)
    box = [POINTS_OF_A_FORM if positive else (-POINTS_OF_A_FORM[1], POINTS_OF_A_FORM[1])] * max(len(symbols), 1)
    points = uniform_rows(box, N_POINTS_OF_AN_IDENTITY, rng=np.random.default_rng(1))
    found = [formula.evalf(DIGITS_OF_AN_IDENTITY, subs=dict(zip(symbols, row, strict=False))) for row in points]
    values = [value for value in found if value.is_finite]
    return len(values) > 1 and all(abs(value - values[0]) <= IDENTICAL * (1 + abs(values[0])) for value in values)
