"""Columns that were measured with errors: the search takes them as they are, the last refit does not."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaincc

from scalesr.evidence.constants import read_constants
from scalesr.evidence.residual_tests import UNLIKELY
from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression
from scalesr.expr.fitting import fit
from scalesr.expr.redundancy import remove_redundant
from scalesr.expr.signs import with_signs_before_terms
from scalesr.pipeline.method import discover
from scalesr.polish.total_least_squares import MeasuredRows, TotalFit, total_fit
from scalesr.records.budget import Report
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Discovery, Law, Rival, Step
from scalesr.records.equation import Equation
from scalesr.records.noise import Noise

Floats = NDArray[np.float64]

STAGE: Final = "errors of columns"
N_REDUNDANCY_ROWS: Final = 200  # that tell which constants are superfluous


def discover_measured(
    data: Dataset, errors: Floats, settings: Settings, *, rng: np.random.Generator, progress: Report | None = None
) -> Discovery:
    """Find the law, and fit its constants again by total least squares; `errors` are those of the columns' cells.

    To the search the errors of the columns are errors of the target, and their size there depends on the law; so the
    search tells the noise from the rows, whatever is known of the target's own.
    """
    given = data.given_noise
    searched = data if given is None else replace(data, given_noise=replace(given, noise=None))
    found = discover(searched, settings, rng=rng, progress=progress)
    law, done = _refitted(found.law, data, errors)
    front = tuple(law if one.equation == found.law.equation else _refitted(one, data, errors)[0] for one in found.front)
    rivals = tuple(Rival(_refitted(one.law, data, errors)[0], one.probability) for one in found.rivals)
    if done is None:
        return found
    said = f"Total least squares with the errors of the columns: {found.law.equation} became {law.equation}."
    fits = _how_it_fits(done, data)
    reason = f"{found.reason} The constants are those of total least squares, with the errors of the columns. {fits}"
    trace = (*found.trace, Step(STAGE, f"{said} {fits}", 0.0))
    return replace(found, law=law, front=front, rivals=rivals, reason=reason.strip(), trace=trace)


def _how_it_fits(done: TotalFit, data: Dataset) -> str:
    """How far the rows are off in units of their errors, as a sentence."""
    if not _is_known(data):
        return f"The target's own errors are then {done.y_error:.3g}."
    chance = float(gammaincc(done.n_free / 2, done.chi_square / 2)) if done.n_free > 0 else 1.0
    said = f"Chi-square is {done.chi_square:.4g} for {done.n_free} degrees of freedom"
    more = ": the rows are off by more than their errors say" if chance < UNLIKELY else ""
    return f"{said}, or more by chance with a probability of {chance:.2g}{more}."


def _refitted(law: Law, data: Dataset, errors: Floats) -> tuple[Law, TotalFit | None]:
    """A law with the constants of total least squares; as it was where it has none, or rows lose their value.

    Numbers that were read from constants that are too small are read again.
    """
    y_errors = _errors_of_target(law, data)
    begun = _opened(law.equation.expression, data)
    if begun is None or not (y_errors > 0).all():
        return law, None
    rows = MeasuredRows(data.table, data.y, errors, y_errors, _is_known(data))
    every = np.arange(len(begun.constants))
    done = total_fit(begun, every, rows)
    if done is None:
        return law, None
    numbers = read_constants(done.constants, done.covariance).numbers
    constants, opened = done.constants.copy(), np.setdiff1d(every, list(numbers))
    constants[list(numbers)] = list(numbers.values())
    read = total_fit(begun.skeleton().bind(constants), opened, rows) if numbers else None
    if read is None:
        constants, opened = done.constants.copy(), every
    constants[opened] = (read or done).constants
    covariance = np.zeros((len(every), len(every)))
    covariance[np.ix_(opened, opened)] = (read or done).covariance
    expression, signs = with_signs_before_terms(begun.skeleton().bind(constants))
    with np.errstate(all="ignore"):
        left = data.y - evaluate(expression, data.table)
    loss = float(np.average(left**2, weights=data.weights))
    if not np.isfinite(loss):
        return law, None
    equation = Equation(expression, law.equation.names, covariance * np.outer(signs, signs))
    return replace(law, equation=equation, loss=loss, held_loss=loss), read or done


def _opened(law: Expression, data: Dataset) -> Expression | None:
    """The law with as many constants as rows can tell apart, each at its place in a fit without errors of columns."""
    skeleton = law.skeleton()
    if not skeleton.n_open or not skeleton.variables:
        return None
    fewer = remove_redundant(skeleton, data.table[:N_REDUNDANCY_ROWS], constants=law.constants)
    if fewer.n_open == skeleton.n_open:
        return law
    done = fit(fewer, data.table, data.y, weights=data.weights)
    return done.expression if done.ok else None


def _is_known(data: Dataset) -> bool:
    """Whether the target's errors are known with their size."""
    noise = _given(data)
    return noise is not None and noise.scale is not None


def _given(data: Dataset) -> Noise | None:
    return None if data.given_noise is None else data.given_noise.noise


def _errors_of_target(law: Law, data: Dataset) -> Floats:  # (rows,)
    """The target's errors as they are given; up to a factor where their size is not."""
    noise = _given(data) or Noise("constant")
    with np.errstate(all="ignore"):
        own = np.sqrt(noise.variances(evaluate(law.equation.expression, data.table)))
    return own if data.weights is None else own / np.sqrt(data.weights / data.weights.mean())
