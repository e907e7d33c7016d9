"""Formulas that a user begins from: read, fitted, offered with the rest, and compared with the law that was found."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from scalesr.errors import FormulaError, SettingError
from scalesr.evidence.refit import WARM, fixed
from scalesr.evidence.score import Evidence
from scalesr.evidence.verdict import ALIKE
from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression, open_constant
from scalesr.expr.fitting import Fit, fit
from scalesr.expr.printing import to_text
from scalesr.expr.redundancy import remove_redundant
from scalesr.expr.substitute import substitute
from scalesr.expr.text import names_in, parse
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Discovery, Step
from scalesr.records.equation import Equation
from scalesr.records.noise import BINARY
from scalesr.records.proposal import Proposal

ORIGIN: Final = "a formula that was given"
MOST_ROWS: Final = 2000  # that its constants are first fitted to
N_RANK_ROWS: Final = 200  # that tell which constants are superfluous


def formulas_of(given: Any) -> tuple[str, ...]:
    """Formulas as texts, from one or a list."""
    texts = () if given is None else (given,) if isinstance(given, str) else given
    if not isinstance(texts, list | tuple) or not all(isinstance(text, str) for text in texts):
        raise SettingError(f"start={given!r} is not a formula or list of formulas; write start=['k*m1*m2/r^2'].")
    return tuple(texts)


def starting_laws(formulas: Sequence[str], data: Dataset) -> tuple[Proposal, ...]:
    """The formulas with their constants fitted; names that are not columns are constants."""
    return tuple(Proposal(_fitted(text, data).expression, ORIGIN) for text in formulas)


def with_comparison(found: Discovery, formulas: Sequence[str], data: Dataset) -> tuple[Step, ...]:
    """For each formula that was given, how far it is off beside the law that was found, and what the evidence says."""
    if found.noise is not None and found.noise.kind == BINARY:
        return ()  # formulas are log-odds there, and are compared as such
    best = found.equation
    error, cost = _error(best.expression, data), _cost(_with_open_constants(best), best.expression, data)
    steps = []
    for text in formulas:
        done = _fitted(text, data)
        law = done.expression
        told = f"{text} was fitted as {to_text(_shortened(law), data.names)} and errs by {_error(law, data):.3g}"
        more = _cost(done.skeleton, law, data) - cost
        is_kept = best.expression.skeleton() == law.skeleton()
        said = "it is the law that was found" if is_kept else f"the law that was found errs by {error:.3g}{_odds(more)}"
        steps.append(Step("start", f"{told}; {said}.", 0.0))
    return tuple(steps)


def _odds(more: float) -> str:
    """What the evidence says of a formula that costs this many nats more than the law that was found."""
    if not np.isfinite(more):
        return ""
    if abs(more) < ALIKE:
        return f", and the evidence does not tell them apart ({more:.1f} nats)"
    return f", and the evidence prefers {'it' if more > 0 else 'the formula'} by {abs(more):.1f} nats"


def _with_open_constants(law: Equation) -> Expression:
    """The form of a law, whose constants that were fitted are open."""
    written = {place: value for place, value in enumerate(law.constants.tolist()) if law.covariance[place, place] == 0}
    return fixed(law.expression.skeleton(), written)


def _cost(form: Expression, law: Expression, data: Dataset) -> float:
    """What a form costs on all rows, in nats, with its open constants fitted from those of the law, and then read."""
    start = law.constants[form.open_indices][np.newaxis] if form.n_open else None
    with np.errstate(all="ignore"):
        done = fit(form, data.table, data.y, weights=data.weights, starts=start, effort=WARM)
        return Evidence(data).score(done).promise if done.ok else math.inf


def read_start(text: str, names: Sequence[str]) -> Expression:
    """A formula over columns; names that are none are open constants."""
    try:
        unknown = [name for name in names_in(text) if name not in names]
        form = parse(text, [*names, *unknown])
    except FormulaError as error:
        raise SettingError(f"start={text!r} cannot be read: {error}") from error
    constants = {len(names) + place: open_constant() for place in range(len(unknown))}
    skeleton = substitute(form, constants)
    if not skeleton.variables:
        raise SettingError(f"start={text!r} uses no column; these are {', '.join(names)}.")
    return skeleton


def _fitted(text: str, data: Dataset) -> Fit:
    """A formula with its names fitted; the numbers that are written in it stay as they are."""
    skeleton = read_start(text, data.names)
    some = data.thinned(MOST_ROWS)
    with np.errstate(all="ignore"):
        done = fit(skeleton, some.table, some.y, weights=some.weights)
    if not done.ok:
        raise SettingError(f"start={text!r} has no values on some rows, whatever its constants are; leave it out.")
    if done.rank == skeleton.n_open:
        return done
    fewer = remove_redundant(skeleton, some.table[:N_RANK_ROWS])  # k1*k2*x has one constant too many
    again = fit(fewer, some.table, some.y, weights=some.weights)
    return again if again.ok else done


def _shortened(law: Expression) -> Expression:
    """The formula with six digits of each constant, to be read."""
    return law.skeleton().bind([float(f"{value:.6g}") for value in law.constants.tolist()])


def _error(law: Expression, data: Dataset) -> float:
    """Root of the mean square of what a law leaves, by the weights of the rows."""
    with np.errstate(all="ignore"):
        squares = (data.y - evaluate(law, data.table)) ** 2
    return float(np.sqrt(np.average(squares, weights=data.weights)))
