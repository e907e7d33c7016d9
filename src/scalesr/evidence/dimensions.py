"""Units as a prior: a law that is dimensionally wrong is ruled out, and a constant has to say its unit."""

from __future__ import annotations

import math
from fractions import Fraction

from scalesr.evidence.criterion import PER_SYMBOL
from scalesr.evidence.numbers import number_length
from scalesr.expr.dimensional import constant_dimensions
from scalesr.expr.expression import Expression
from scalesr.records.dimensions import Dimensions


def units_length(law: Expression, dimensions: Dimensions | None) -> float:
    """Cost of the units of a law's constants, in nats; infinite where no units make the law right.

    A unit is one more symbol, with exponents to be written. Without units of the columns nothing is asked.
    """
    if dimensions is None:
        return 0.0
    found = constant_dimensions(law, dimensions.columns, dimensions.target)
    if found is None:
        return math.inf
    return sum(_unit_length(exponents) for exponents in found if any(exponents))


def _unit_length(exponents: tuple[Fraction, ...]) -> float:
    """Cost of one unit."""
    return PER_SYMBOL + sum(number_length(float(power)) for power in exponents if power)
