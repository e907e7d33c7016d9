"""The judge of forms: whether a found formula becomes the law when its constants are replaced.

The constants of the simplified formula are fitted again to the truth without noise, beginning at those
that were found. Its form is right if it then agrees with the truth (as in `judge`) and none of its
constants is to spare: one that could as well be 0 belongs to a term that the law does not have.
With noise a law is recovered if its form is right and every constant is within 5 % of the fitted one.
A formula that is too large to be simplified (`judge`) has the wrong form.

The paper asks for the right form and a mean square relative error below 1e-3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression
from scalesr.expr.fitting import fit
from scalesr.expr.simplify import simplify
from scalesr_bench.judge import agrees, fresh_rows, is_too_large
from scalesr_bench.problems.problem import Problem

Floats = NDArray[np.float64]

CLOSE: Final = 0.05
PAPER_ERROR: Final = 1e-3
FLOOR: Final = 1e-4  # added to the truth's square, so that its zeros do not decide


@dataclass(frozen=True, slots=True)
class FormVerdict:
    """What is right about a formula, up to its constants."""

    form: bool
    constants: bool  # every one within 5 %; False where the form is wrong

    @property
    def recovered(self) -> bool:
        return self.form and self.constants


def judge_noisy(found: Expression, problem: Problem, *, rng: np.random.Generator) -> FormVerdict:
    """Judge a closed formula over all variables of a problem, found on rows with noise."""
    if is_too_large(found, problem.expression):
        return FormVerdict(form=False, constants=False)
    plain = simplify(found)
    twin = _exact_twin(plain, problem, rng=rng)
    if twin is None or _has_constant_to_spare(twin, problem, rng=rng):
        return FormVerdict(form=False, constants=False)
    off = np.abs(plain.constants - twin.constants)
    return FormVerdict(form=True, constants=bool(np.all(off <= CLOSE * np.abs(twin.constants))))


def relative_error(found: Floats, truth: Floats) -> float:
    """The paper's MSRE; infinite where a formula has no values."""
    with np.errstate(invalid="ignore", over="ignore"):
        error = float(np.mean((found - truth) ** 2 / (truth**2 + FLOOR)))
    return error if np.isfinite(error) else np.inf


def _exact_twin(plain: Expression, problem: Problem, *, rng: np.random.Generator) -> Expression | None:
    """The formula with the constants that make it the truth, next to its own if they can be; None without any."""
    X, fresh = fresh_rows(problem, rng=rng), fresh_rows(problem, rng=rng)
    y, truth = problem.values(X), problem.values(fresh)
    skeleton = plain.skeleton()
    if not skeleton.n_open:
        return plain if agrees(evaluate(plain, fresh), truth) else None
    for starts in (plain.constants[np.newaxis], None):
        done = fit(skeleton, X, y, starts=starts)
        if done.ok and agrees(evaluate(done.expression, fresh), truth):
            return done.expression
    return None


def _has_constant_to_spare(exact: Expression, problem: Problem, *, rng: np.random.Generator) -> bool:
    """Whether a constant of a formula that is the truth could be 0."""
    X = fresh_rows(problem, rng=rng)
    truth, skeleton = problem.values(X), exact.skeleton()
    for place in range(len(exact.constants)):
        constants = exact.constants.copy()
        constants[place] = 0.0
        if agrees(evaluate(skeleton.bind(constants), X), truth):
            return True
    return False
