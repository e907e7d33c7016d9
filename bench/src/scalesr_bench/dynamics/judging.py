"""What is right about laws of motion: each form, each constant, and the trajectories that they predict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.expression import Expression
from scalesr.expr.fitting import fit
from scalesr.expr.simplify import simplify
from scalesr_bench.form_judge import judge_noisy, relative_error
from scalesr_bench.judge import fresh_rows
from scalesr_bench.problems.problem import Problem

Floats = NDArray[np.float64]

CLEAN: Final = 1e-3  # relative error of constants that counts as right without noise
NOISY: Final = 0.05


@dataclass(frozen=True, slots=True)
class LawOfState:
    """One found law beside the truth."""

    state: str
    truth: str
    found: str
    verdict: str
    reason: str
    form: bool  # the law, but for its constants
    off: float | None  # largest relative error of a constant, None where the form is wrong
    right: bool


def judge_state(
    state: str, found: Expression, problem: Problem, *, noise: float, rng: np.random.Generator
) -> LawOfState:
    """Judge the law of one state; the text of the law and its verdict are to be added."""
    form = judge_noisy(found, problem, rng=rng).form
    off = constants_off(found, problem, rng=rng) if form else None
    right = off is not None and off <= (NOISY if noise else CLEAN)
    return LawOfState(state, problem.text, "", "", "", form, off, right)


def constants_off(found: Expression, problem: Problem, *, rng: np.random.Generator) -> float:
    """The largest relative difference between the constants and those that make the formula the truth."""
    plain = simplify(found)
    if not len(plain.constants):
        return 0.0
    X = fresh_rows(problem, rng=rng)
    twin = fit(plain.skeleton(), X, problem.values(X), starts=plain.constants[np.newaxis])
    return float(np.max(np.abs(plain.constants - twin.constants) / np.abs(twin.constants)))


def errors_of_runs(found: Floats, truth: Floats) -> tuple[float, float]:
    """Mean square error over variance, the worst of the states, and the paper's MSRE; infinite without values."""
    if not np.isfinite(found).all():
        return np.inf, np.inf
    squares = ((found - truth) ** 2).mean(axis=(0, 1))
    return float((squares / truth.var(axis=(0, 1))).max()), relative_error(found, truth)


def explained(found: Floats, truth: Floats) -> float:
    """R2 over all runs and points, of the state that is explained worst; minus infinity without values."""
    return 1 - errors_of_runs(found, truth)[0]
