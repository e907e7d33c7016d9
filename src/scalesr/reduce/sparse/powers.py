"""Products of powers and of functions of single variables: sums of logarithms, so one linear fit finds them.

log|y| = log C + sum of p_j log|f_j|. Exponents are snapped to simple fractions where the fit does
not object; the sign of y has to follow from those of the factors. With noise the logarithms are taken
along the tangent at the expected values, and exponents fitted to the target itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.evaluate import evaluate_many
from scalesr.expr.expression import Expression
from scalesr.expr.fitting import fit
from scalesr.expr.operators import Operators
from scalesr.expr.text import parse
from scalesr.kernels.codes import EXP
from scalesr.records.dataset import Dataset
from scalesr.reduce.sparse.candidates import WARM, Suggestion
from scalesr.reduce.sparse.config import SPARSE
from scalesr.reduce.sparse.log_fit import fit_logarithms
from scalesr.reduce.sparse.products import Power, written_product
from scalesr.reduce.sparse.targets import AS_IT_IS, TargetView

Floats = NDArray[np.float64]

PLAIN = ("{x}",)
WAVES = (*PLAIN, "sin({x})", "cos({x})")
FACTORS = (*WAVES, "exp({x})", "exp({x}^2)", "exp(1/{x})", "log({x})", "1 + {x}", "{x} - 1")
DENOMINATORS = (1, 2, 3, 4, 5)


@dataclass(frozen=True, slots=True)
class Factor:
    """A function of one variable to a power."""

    function: Expression
    is_signed: bool  # whether it is negative on some row
    power: float
    error: float  # of the power

    @property
    def is_exponential(self) -> bool:
        return bool(self.function.codes[-1] == EXP)


def power_products(view: TargetView, operators: Operators) -> Iterator[Suggestion]:
    """Products of powers of the variables, and then of powers of functions of them."""
    if "*" not in operators or np.ptp(view.rows.y) == 0:
        return
    some = view.thinned(SPARSE.rows_of_powers)
    thin = some.rows
    for logs, roots in _logarithms(some):
        for texts in (PLAIN, WAVES, FACTORS):
            for found in _products(thin, _functions(texts, thin.n_variables, operators), logs, roots):
                if _are_moderate(found):
                    yield from _candidates(found, thin, operators)
                    refitted = _refitted(found, thin, operators)
                    yield from _candidates(refitted, thin, operators) if _are_moderate(refitted) else ()


def _logarithms(view: TargetView) -> list[tuple[Floats, Floats]]:
    """Logarithms of the target's size and square roots of their weights, in the ways that are worth a fit.

    Without noise all logarithms count alike, or as the target's size. With it they are taken along the tangent.
    """
    y, expected = view.rows.y, view.expected
    with np.errstate(all="ignore"):
        if expected is None:
            logs = np.log(np.abs(y))
            return [(logs, np.ones(len(y))), (logs, np.abs(y) / np.abs(y).max())]
        weights = np.ones(len(y)) if view.rows.weights is None else view.rows.weights
        return [(np.log(np.abs(expected)) + (y - expected) / expected, np.abs(expected) * np.sqrt(weights))]


def _are_moderate(factors: list[Factor]) -> bool:
    """Whether no power is huge, as powers are where factors that resemble each other are played off."""
    return all(abs(factor.power) <= SPARSE.largest_exponent or factor.is_exponential for factor in factors)


def _functions(texts: Sequence[str], n_variables: int, operators: Operators) -> list[Expression]:
    parsed = [parse(text.format(x=f"x{column}")) for column in range(n_variables) for text in texts]
    return [function for function in parsed if operators.can_write(function.codes.tolist())]


def _products(data: Dataset, functions: list[Expression], logs: Floats, roots: Floats) -> list[list[Factor]]:
    """Factors with the powers that describe the target's logarithms; none where these have no values."""
    values = evaluate_many(functions, data.table)
    with np.errstate(invalid="ignore"):
        is_usable = np.isfinite(values).all(axis=1) & ((values == 0).mean(axis=1) <= SPARSE.max_zeros)
        is_usable &= np.ptp(values, axis=1) > 0
    places = np.flatnonzero(is_usable)
    rows = (values[places] != 0).all(axis=0) & np.isfinite(logs)
    if len(places) == 0 or rows.mean() < 1 - SPARSE.max_zeros or rows.sum() < 3 * len(places) + 3:
        return []
    fits = fit_logarithms(np.log(np.abs(values[places][:, rows])), logs[rows], roots[rows])
    return [
        [
            Factor(functions[places[place]], bool((values[places[place]] < 0).any()), power, error)
            for place, power, error in zip(found.places, found.powers.tolist(), found.errors.tolist(), strict=True)
        ]
        for found in fits
    ]


def _refitted(factors: list[Factor], data: Dataset, operators: Operators) -> list[Factor]:
    """The same factors with powers fitted to the target itself."""
    written = written_product([(factor.function, factor.power) for factor in factors], operators)
    if not factors or written is None or any(factor.is_signed or factor.error == 0 for factor in factors):
        return []
    done = fit(written[0], data.table, data.y, weights=data.weights, starts=written[1], effort=WARM)
    if not (done.ok and np.isfinite(done.covariance).all()):
        return []
    numbers = zip(factors, done.constants[1:].tolist(), done.standard_errors[1:].tolist(), strict=True)
    return [Factor(factor.function, False, power, error) for factor, power, error in numbers]


def _candidates(factors: list[Factor], data: Dataset, operators: Operators) -> Iterator[Suggestion]:
    """The product with powers snapped to fractions, and under noise also with rounded ones and as they are."""
    versions: list[list[tuple[Factor, Power]]] = [[(factor, _snapped(factor)) for factor in factors]]
    if any(factor.error > SPARSE.exponent_rounding for factor in factors):
        versions.append([(factor, _rounded(factor)) for factor in factors])
        versions.append([(factor, factor.power) for factor in factors])
    for powers in versions:
        version = [(factor, power) for factor, power in powers if power != 0]
        written = written_product([(factor.function, power) for factor, power in version], operators)
        if version and written is not None and _has_sign(version, data):
            yield Suggestion(*written, AS_IT_IS)


def _snapped(factor: Factor) -> Power:
    """The simplest fraction within the error, else the number itself."""
    for denominator in DENOMINATORS:
        near = Fraction(round(factor.power * denominator), denominator)
        if abs(float(near) - factor.power) <= max(SPARSE.exponent_sigmas * factor.error, SPARSE.exponent_rounding):
            return near
    return factor.power


def _rounded(factor: Factor) -> Power:
    """A whole or half power near by, whatever the error: logarithms of noisy targets are biased."""
    return Fraction(round(factor.power)) if factor.is_signed else Fraction(round(2 * factor.power), 2)


def _has_sign(factors: list[tuple[Factor, Power]], data: Dataset) -> bool:
    """Whether the product has values on all rows and, up to one sign for all, the sign of nearly all of the target."""
    signed = [(factor.function, power) for factor, power in factors if factor.is_signed]
    if any(not isinstance(power, Fraction) or power.denominator > 1 for _, power in signed):
        return False
    odd = [function for function, power in signed if isinstance(power, Fraction) and power.numerator % 2]
    values = evaluate_many(odd, data.table)
    squares = data.y * np.abs(data.y / np.abs(data.y).max())
    return bool(abs(squares @ np.prod(np.sign(values), axis=0)) > 0.9 * np.abs(squares).sum())
