"""Why a law was missed: by the search, where the rows prefer the truth, or by the data, where they do not.

Truth and found law are treated alike: their constants are fitted on the very rows of the run, once with
all constants open and once with those that are simple numbers (whole numbers, simple fractions, multiples
of pi) as they are written; the better evidence counts. A lead of the truth of less than a nat is a tie, and
the data decided a tie: the search could not know better.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.score import Evidence, Score
from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression
from scalesr.expr.fitting import Effort, fit
from scalesr.expr.simplify import simplify
from scalesr.kernels.codes import CONSTANT, OPEN
from scalesr.records.dataset import Dataset
from scalesr_bench.judge import LARGEST_TO_COMPARE

Floats = NDArray[np.float64]

SEARCH: Final = "search"
DATA: Final = "data"
WARM: Final = Effort(n_screened=1, n_polished=1, polish_trials=1, final_trials=100)  # from constants nearly right
N_FITS: Final = 3  # with the weights of the fit before: enough for these to converge
LEAST_QUANTILE: Final = 0.02  # of the variances: a value near 0 does not make a row count without limit
TIE: Final = 1.0  # nats; odds of e to 1 are no preference to speak of
LARGEST_DENOMINATOR: Final = 12
LARGEST_NUMERATOR: Final = 1000  # a whole number beyond is a measured constant
PI_POWERS: Final = (0, 1, -1, 2, -2)
ROUNDING: Final = 1e-12  # relative


@dataclass(frozen=True, slots=True)
class Preference:
    """How far the rows put the truth ahead of what was found."""

    nats: float  # above 0: the rows prefer the truth

    @property
    def lost_by(self) -> str:
        return SEARCH if self.nats > TIE else DATA


def preference(data: Dataset, truth: Expression, found: Expression) -> Preference:
    """What the rows say about two closed laws."""
    ahead = score(data, found) - score(data, truth)
    return Preference(ahead if not math.isnan(ahead) else 0.0)  # neither can be written with so few rows


def score(data: Dataset, law: Expression) -> float:
    """What a law is worth on rows that decide its constants: nats, the smaller the better."""
    plain = simplify(law) if law.n_nodes <= LARGEST_TO_COMPARE else law
    return min(_cost(data, form, plain) for form in _forms(plain))


def _cost(data: Dataset, form: Expression, law: Expression) -> float:
    """The evidence of a form, its constants fitted again with the weights that its own residual asks for."""
    evidence, weights, costs = Evidence(data), data.weights, [math.inf]
    start = law.constants[form.open_indices]
    for _ in range(N_FITS):
        done = fit(form, data.table, data.y, weights=weights, starts=start[np.newaxis], effort=WARM)
        if not done.ok:
            break
        found = evidence.score(done)
        costs.append(found.promise)
        weights = _weights(found, evaluate(done.expression, data.table), data.weights)
        start = done.constants
    return min(costs)


def _weights(found: Score, values: Floats, given: Floats | None) -> Floats | None:
    """How much rows count: outliers little, the others by the variance that a law's noise gives them."""
    if not np.isfinite(found.total) or (found.rows.good is None and found.noise.kind == "constant"):
        return given
    variances = found.noise.variances(values)
    shares = variances.max() / np.maximum(variances, np.quantile(variances, LEAST_QUANTILE)) if variances.any() else 1.0
    good = 1.0 if found.rows.good is None else found.rows.good
    return np.asarray(shares * good * (1.0 if given is None else given) * np.ones(len(values)))


def _forms(law: Expression) -> Iterator[Expression]:
    """The law with its constants open: all of them, and all but those that are simple numbers."""
    yield law.skeleton()
    places = np.flatnonzero(law.codes == CONSTANT)
    measured = [place for place in places if not is_simple(float(law.constants[law.args[place]]))]
    codes, constants = law.codes.copy(), law.constants.copy()
    codes[measured], constants[law.args[measured]] = OPEN, math.nan
    yield Expression(codes, law.args, constants)


def is_simple(value: float) -> bool:
    """Whether a number is one that laws are made of: whole, a simple fraction, or such a multiple of pi."""
    for power in PI_POWERS:
        for denominator in range(1, LARGEST_DENOMINATOR + 1):
            numerator = abs(value) / math.pi**power * denominator
            if numerator <= LARGEST_NUMERATOR and abs(numerator - round(numerator)) <= ROUNDING * numerator:
                return True
    return False
