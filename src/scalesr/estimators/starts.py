"""Formulas that a user begins from: read, fitted, offered with the rest, and compared with the law that was found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from scalesr.errors import FormulaError, SettingError
from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression, open_constant
from scalesr.expr.fitting import fit
from scalesr.expr.printing import to_text
from scalesr.expr.substitute import substitute
from scalesr.expr.text import names_in, parse
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Discovery, Step
from scalesr.records.proposal import Proposal

ORIGIN: Final = "a formula that was given"
MOST_ROWS: Final = 2000  # that its constants are first fitted to


def formulas_of(given: Any) -> tuple[str, ...]:
    """Formulas as texts, from one or a list."""
    texts = () if given is None else (given,) if isinstance(given, str) else given
    if not isinstance(texts, list | tuple) or not all(isinstance(text, str) for text in texts):
        raise SettingError(f"start={given!r} is no formula or list of formulas; write start=['k*m1*m2/r^2'].")
    return tuple(texts)


def starting_laws(formulas: Sequence[str], data: Dataset) -> tuple[Proposal, ...]:
    """The formulas with their constants fitted; names that are no columns are constants."""
    return tuple(Proposal(_fitted(text, data), ORIGIN) for text in formulas)


def with_comparison(found: Discovery, formulas: Sequence[str], data: Dataset) -> tuple[Step, ...]:
    """For each formula that was given, how far it is off beside the law that was found."""
    best = _error(found.equation.expression, data)
    steps = []
    for text, proposal in zip(formulas, starting_laws(formulas, data), strict=True):
        own = _error(proposal.expression, data)
        is_kept = found.equation.expression.skeleton() == proposal.expression.skeleton()
        said = "it is the law that was found" if is_kept else f"the law that was found errs by {best:.3g}"
        law = to_text(_shortened(proposal.expression), data.names)
        steps.append(Step("start", f"{text} was fitted as {law} and errs by {own:.3g}; {said}.", 0.0))
    return tuple(steps)


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


def _fitted(text: str, data: Dataset) -> Expression:
    skeleton = read_start(text, data.names)
    if not skeleton.n_open:
        return skeleton
    some = data.thinned(MOST_ROWS)
    with np.errstate(all="ignore"):
        done = fit(skeleton, some.table, some.y, weights=some.weights)
    if not done.ok:
        raise SettingError(f"start={text!r} has no values on some rows, whatever its constants are; leave it out.")
    return done.expression


def _shortened(law: Expression) -> Expression:
    """The formula with six digits of each constant, to be read."""
    return law.skeleton().bind([float(f"{value:.6g}") for value in law.constants.tolist()])


def _error(law: Expression, data: Dataset) -> float:
    """Root of the mean square of what a law leaves, by the weights of the rows."""
    with np.errstate(all="ignore"):
        squares = (data.y - evaluate(law, data.table)) ** 2
    return float(np.sqrt(np.average(squares, weights=data.weights)))
