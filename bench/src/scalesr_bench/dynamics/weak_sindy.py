"""The weak form of pysindy on drawn trajectories, with the best of sixteen settings chosen by hindsight.

Hindsight is more than a user has: of all settings that one counts which gets most laws right. A setting
is a degree of the polynomials, with or without sines and cosines, and a threshold.
"""

from __future__ import annotations

import re
import warnings
from functools import reduce
from itertools import product
from typing import Any, Final

import numpy as np

from scalesr.errors import MissingExtra
from scalesr.expr.expression import Expression, apply, constant
from scalesr.expr.text import parse
from scalesr.records.equation import Equation
from scalesr_bench.dynamics.drawing import DrawnRuns
from scalesr_bench.dynamics.judging import judge_state

DEGREES: Final = (2, 3)
THRESHOLDS: Final = (0.02, 0.05, 0.1, 0.2)
N_TEST_FUNCTIONS: Final = 200
SEED: Final = 0  # of the places of its test functions
_PRODUCT: Final = re.compile(r"(?<=[\w)]) (?=[a-z])")


def weak_sindy_laws(drawn: DrawnRuns) -> tuple[Equation, ...]:
    """The laws of the setting that is right most often."""
    try:
        import pysindy
    except ImportError as error:
        raise MissingExtra("This rival needs pysindy: pip install 'scalesr-bench[rivals]'") from error
    best: tuple[int, tuple[Expression, ...]] | None = None
    for degree, waves, threshold in product(DEGREES, (False, True), THRESHOLDS):
        laws = _fitted(pysindy, drawn, degree, threshold, waves=waves)
        n_right = sum(_is_right(law, drawn, place) for place, law in enumerate(laws))
        if best is None or n_right > best[0]:
            best = n_right, laws
    assert best is not None
    return tuple(_equation(law, drawn.system.states) for law in best[1])


def _fitted(pysindy: Any, drawn: DrawnRuns, degree: int, threshold: float, *, waves: bool) -> tuple[Expression, ...]:
    np.random.seed(SEED)  # noqa: NPY002  its test functions are placed by the global generator
    inner = pysindy.PolynomialLibrary(degree=degree, include_bias=False)
    if waves:
        inner = inner + pysindy.FourierLibrary(n_frequencies=1)
    library = pysindy.WeakPDELibrary(
        function_library=inner, spatiotemporal_grid=drawn.times, K=N_TEST_FUNCTIONS, include_bias=True
    )
    model = pysindy.SINDy(feature_library=library, optimizer=pysindy.STLSQ(threshold=threshold, alpha=1e-6))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of rows that a threshold leaves empty
        model.fit(list(drawn.measured), t=drawn.times, feature_names=list(drawn.system.states))
    terms = [_term(name, drawn.system.states) for name in model.get_feature_names()]
    return tuple(_sum(row, terms) for row in model.coefficients())


def _term(name: str, states: tuple[str, ...]) -> Expression:
    """A feature by its name, as in "x y", "x^2" or "sin(1 x)"."""
    return parse(_PRODUCT.sub("*", name), states)


def _sum(coefficients: Any, terms: list[Expression]) -> Expression:
    parts = [apply("*", constant(float(c)), term) for c, term in zip(coefficients, terms, strict=True) if c]
    return reduce(lambda left, right: apply("+", left, right), parts, constant(0.0)) if parts else constant(0.0)


def _is_right(law: Expression, drawn: DrawnRuns, place: int) -> bool:
    rng = np.random.default_rng([SEED, place])
    return judge_state(drawn.system.states[place], law, drawn.system.laws[place], noise=1.0, rng=rng).right


def _equation(law: Expression, states: tuple[str, ...]) -> Equation:
    size = len(law.constants)
    return Equation(law, states, np.zeros((size, size)))
