"""Evidence: what a law is worth on the rows, in nats; the less it costs to say the law and the rows, the better.

The cost is minus the logarithm of the posterior probability, up to what all laws share: the form
(its symbols), the numbers (written ones by their digits, fitted ones by the digits that the rows give
them), and the rows under the law with the scale of the noise integrated out. It is defined for any
number of rows; below as many rows as numbers nothing is explained.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.constants import constants_cost, read_constants, told_apart
from scalesr.evidence.criterion import EXACT, structure_length
from scalesr.evidence.dimensions import units_length
from scalesr.evidence.discrete import discrete_kind, explain_target
from scalesr.evidence.likelihood import Explained
from scalesr.evidence.numbers import exponent_length, number_length
from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression
from scalesr.expr.fitting import Fit
from scalesr.kernels.codes import CONSTANT, POW, POWI
from scalesr.records.dataset import Dataset
from scalesr.records.dimensions import Dimensions
from scalesr.records.noise import Noise

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Score:
    """The parts of what a law costs, in nats, and what it takes the noise for."""

    form: float
    numbers: float
    rows: Explained
    structure: float = 0.0  # what order in the residual says against the law
    saved: float = 0.0  # what reading fitted constants as simple numbers would save

    @property
    def law(self) -> float:
        """Cost of the law alone."""
        return self.form + self.numbers

    @property
    def total(self) -> float:
        return self.form + self.numbers + self.rows.cost + self.structure

    @property
    def promise(self) -> float:
        """The total once its constants are read: what laws are chosen by before somebody has read them."""
        return self.total - self.saved

    @property
    def promise_of_law(self) -> float:
        """Cost of the law alone once its constants are read."""
        return self.law - self.saved

    @property
    def noise(self) -> Noise:
        return self.rows.noise


NOTHING = Score(0.0, 0.0, Explained(math.inf, Noise("constant")))  # of a law without values on some row


@dataclass(frozen=True, eq=False)
class Evidence:
    """The rows that laws are compared on; made once per dataset. Its weights are those that the user gave."""

    data: Dataset

    def score(self, done: Fit) -> Score:
        """What a fitted law costs."""
        n_rows, n_constants = self.data.n_rows, len(done.constants)
        if n_rows <= n_constants:
            return NOTHING
        with np.errstate(all="ignore"):
            values = evaluate(done.expression, self.data.table)
            residual = (self.data.y - values) if self._roots is None else (self.data.y - values) * self._roots
        if not np.isfinite(residual).all():
            return NOTHING
        rows = explain_target(self.data, residual, values, n_told(done), self._rounding, self._discrete)
        return score_of(done, rows, self.data.dimensions)

    @cached_property
    def _discrete(self) -> Noise | None:
        return discrete_kind(self.data)

    @cached_property
    def _roots(self) -> Floats | None:
        """Roots of the weights, whose squares are 1 on average."""
        given = self.data.weights
        return None if given is None else np.sqrt(given / given.mean())

    @cached_property
    def _rounding(self) -> float:
        """Standard deviation of the target's own rounding: residuals below it say nothing."""
        scale = float(np.sqrt(np.mean((self.data.y / self._largest) ** 2))) * self._largest
        return EXACT * scale

    @cached_property
    def _largest(self) -> float:
        return float(np.abs(self.data.y).max()) or 1.0


def n_told(done: Fit) -> int:
    """How many of its constants the rows can tell apart."""
    return int(np.count_nonzero(told_apart(done.covariance)))


def score_of(done: Fit, rows: Explained, dimensions: Dimensions | None) -> Score:
    """What a fitted law costs, by what it makes of the rows."""
    numbers = written_numbers(done.skeleton) + constants_cost(done.constants, done.covariance)
    saved = read_constants(done.constants, done.covariance).saved
    form = structure_length(done.skeleton) + units_length(done.expression, dimensions)
    return Score(form, numbers, rows, saved=saved)


def form_cost(skeleton: Expression) -> float:
    """Cost of a law's symbols and written numbers: by it the shortest of several ways to write one law is found.

    What fitted constants cost says nothing there: the square of a constant has twice its relative error.
    """
    return structure_length(skeleton) + written_numbers(skeleton)


def written_numbers(skeleton: Expression) -> float:
    """Cost of the closed constants and whole powers of a skeleton."""
    numbers = (skeleton.codes == CONSTANT) & ~are_exponents(skeleton)
    closed = sum(number_length(value) for value in skeleton.constants[skeleton.args[numbers]].tolist())
    return float(closed) + exponents_cost(skeleton)


def exponents_cost(skeleton: Expression) -> float:
    """Cost of the closed exponents and whole powers of a skeleton."""
    closed = skeleton.args[(skeleton.codes == CONSTANT) & are_exponents(skeleton)]
    powers = [*skeleton.constants[closed].tolist(), *skeleton.args[skeleton.codes == POWI].tolist()]
    return float(sum(exponent_length(power) for power in powers))


def are_exponents(skeleton: Expression) -> NDArray[np.bool_]:
    """Which nodes are the right operand of a power, as far as leaves go."""
    return np.append(skeleton.codes[1:] == POW, False)


def cost(done: Fit) -> float:
    """What a law costs to write, without the rows."""
    return (
        structure_length(done.skeleton)
        + written_numbers(done.skeleton)
        + constants_cost(done.constants, done.covariance)
    )
