"""Random laws for calibration, by a grammar that is stated here and a seed.

1. A law has 1 to 6 variables, each number as likely as the next.
2. Every variable x becomes an atom: x, x^2, 1/x, sqrt(x), log(x), x^p, exp(-c*x), sin(c*x), x + c or 1/(x + c),
   where p is one of POWERS below and c is a number that makes the atom turn within the variable's range.
3. The atoms are joined from left to right, in random order, by *, +, / or -; a term that is added or subtracted
   has a coefficient that makes it about as large as what stands before it.
4. One law in four is put into exp(-.), sqrt, log, tanh, 1/(1 + .) or a square, one in two has a factor between 1e-3
   and 1e3.
5. A range begins between 0.1 and 10 and is 2 to 20 times as long as its beginning; rows are uniform, in three of ten
   tables log-uniform. Constants have three digits.
6. A draw is repeated until its values are finite, no few rows make up the target, it varies by 2 % of its mean or
   more, and every variable has a total Sobol index of at least 0.02.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from scalesr.errors import DataError
from scalesr_bench.problems.problem import Floats, Problem, Range, Sampling
from scalesr_bench.samplers import random_rows

SUITE: Final = "verdict"
MAX_VARIABLES: Final = 6
POWERS: Final = ("-2", "-1.5", "-0.5", "0.75", "1.5", "2.5", "3")
JOINTS: Final = ("*", "*", "*", "+", "+", "/", "-")  # products are the most common in science
WRAPPERS: Final = ("exp(-{})", "sqrt({})", "log({})", "tanh({})", "1/(1 + {})", "({})^2")
WRAPPED: Final = 0.25  # share of laws
SCALED: Final = 0.5
LOG_UNIFORM: Final = 0.3
N_CHECKED: Final = 4000  # rows that a draw is checked on
LEAST_INDEX: Final = 0.02  # of a variable's total effect
MOST_KURTOSIS: Final = 30.0
LEAST_VARIATION: Final = 0.02  # standard deviation over the mean's size
N_TRIES: Final = 10_000  # far more than any law needed


def random_law(seed: int, place: int) -> Problem:
    """The law with this number, the same on every machine."""
    rng = np.random.default_rng([seed, place])
    names = tuple(f"x{column}" for column in range(int(rng.integers(1, MAX_VARIABLES + 1))))
    for _ in range(N_TRIES):
        problem = _draw(f"law-{seed}-{place}", names, rng)
        if _is_sound(problem, rng):
            return problem
    raise DataError(f"{N_TRIES} tries with the seed {seed} gave no sound law; choose another seed.")


def _draw(name: str, names: tuple[str, ...], rng: np.random.Generator) -> Problem:
    lows = 10 ** rng.uniform(-1, 1, len(names))
    box = tuple((_short(low), _short(low * (1 + rng.uniform(2, 20)))) for low in lows)
    spacing = Sampling(spacing="log-uniform" if rng.random() < LOG_UNIFORM else "uniform")
    X = random_rows(box, N_CHECKED, spacing.spacing, rng=rng)
    formula = _joined(names, box, X, rng)
    if rng.random() < WRAPPED:
        formula = str(rng.choice(WRAPPERS)).format(f"({_number_times(formula, names, X)})")
    if rng.random() < SCALED:
        formula = f"{_short(10 ** rng.uniform(-3, 3))!r}*({formula})"
    return Problem(name, SUITE, names, formula, box, spacing)


def _joined(names: Sequence[str], box: Sequence[Range], X: Floats, rng: np.random.Generator) -> str:
    order = rng.permutation(len(names))
    formula = _atom(names[order[0]], box[order[0]], rng)
    for place in order[1:]:
        joint, atom = str(rng.choice(JOINTS)), _atom(names[place], box[place], rng)
        if joint in "+-":
            ratio = _size(formula, names, X) / _size(atom, names, X)
            coefficient = _short(ratio * 10 ** rng.uniform(-0.5, 0.5)) if 0 < ratio < math.inf else 1.0
            formula = f"({formula} {joint} {coefficient!r}*{atom})"
        else:
            formula = f"{formula}{joint}{atom}"
    return formula


def _atom(name: str, bounds: Range, rng: np.random.Generator) -> str:
    """One of the forms of a variable, in brackets where it is needed."""
    low, high = bounds
    middle = math.sqrt(low * high)
    forms: tuple[Callable[[], str], ...] = (
        lambda: name,
        lambda: f"{name}^2",
        lambda: f"(1/{name})",
        lambda: f"sqrt({name})",
        lambda: f"log({name})",
        lambda: f"{name}^({rng.choice(POWERS)})",
        lambda: f"exp(-{_short(rng.uniform(0.3, 3) / middle)!r}*{name})",
        lambda: f"sin({_short(rng.uniform(2, 6) / (high - low))!r}*{name})",
        lambda: f"({name} + {_short(rng.uniform(0.3, 3) * middle)!r})",
        lambda: f"(1/({name} + {_short(rng.uniform(0.3, 3) * middle)!r}))",
    )
    return forms[int(rng.integers(len(forms)))]()


def _number_times(formula: str, names: Sequence[str], X: Floats) -> str:
    """The formula with a coefficient that makes it about 1, so that what it is put into bends."""
    size = _size(formula, names, X)
    return f"{_short(1 / size)!r}*{formula}" if 0 < size < math.inf else formula


def _size(formula: str, names: Sequence[str], X: Floats) -> float:
    """The median size of a formula's values."""
    with np.errstate(all="ignore"):
        values = Problem("part", SUITE, tuple(names), formula, ((0.0, 1.0),) * len(names)).values(X)
    return float(np.median(np.abs(values)))


def _is_sound(problem: Problem, rng: np.random.Generator) -> bool:
    X, other = (random_rows(problem.box, N_CHECKED, problem.sampling.spacing, rng=rng) for _ in range(2))
    with np.errstate(all="ignore"):
        values = problem.values(X)
        off = values - values.mean()
        variance = float(np.mean(off**2))
        varies = math.isfinite(variance) and math.sqrt(variance) > LEAST_VARIATION * abs(float(values.mean()))
        if not varies or np.mean(off**4) > MOST_KURTOSIS * variance**2:
            return False
        return all(_index(problem, X, other, values, j) >= LEAST_INDEX for j in range(problem.n_variables))


def _index(problem: Problem, X: Floats, other: Floats, values: Floats, column: int) -> float:
    """Sobol's index of a variable's total effect."""
    changed = X.copy()
    changed[:, column] = other[:, column]
    return float(np.mean((problem.values(changed) - values) ** 2) / (2 * values.var()))


def _short(value: float) -> float:
    return float(f"{value:.3g}")
