import math
from fractions import Fraction

import numpy as np

from scalesr.evidence.dimensions import units_length
from scalesr.evidence.score import Evidence
from scalesr.expr.fitting import fit
from scalesr.expr.text import parse
from scalesr.records.dataset import Dataset
from scalesr.records.dimensions import Dimensions

LENGTH, TIME = (Fraction(1), Fraction(0)), (Fraction(0), Fraction(1))
KNOWN = Dimensions(("length", "time"), (LENGTH, TIME), LENGTH)


def test_a_wrong_law_costs_everything_and_a_unit_of_a_constant_something():
    assert units_length(parse("3*x0"), KNOWN) == 0.0
    assert 0.0 < units_length(parse("3*x1"), KNOWN) < units_length(parse("3*x1^2 + 2"), KNOWN) < 30.0
    assert units_length(parse("x0 + x1"), KNOWN) == math.inf
    assert units_length(parse("x0 + x1"), None) == 0.0


def test_the_score_has_it_and_without_units_nothing_changes():
    rng = np.random.default_rng(0)
    X = rng.uniform(1, 2, (40, 2))
    plain = Dataset.from_table(X, 3 * X[:, 0] + rng.normal(0, 0.1, 40))
    known = Dataset(plain.columns, plain.y, plain.names, plain.target, None, KNOWN)
    for text, is_right in (("C*x0", True), ("C*x0 + sin(x1)", False)):
        done = fit(parse(text), plain.table, plain.y)
        without, with_units = Evidence(plain).score(done).total, Evidence(known).score(done).total
        assert (with_units == without) is is_right
        assert math.isinf(with_units) is not is_right
