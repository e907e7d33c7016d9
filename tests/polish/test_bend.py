"""Laws that break a constraint: bent to obey it, each once, and offered with the others."""

import numpy as np
import pytest

from scalesr.estimators.constraints import read_constraints
from scalesr.evidence.archive import Archive
from scalesr.evidence.constraints import Rules
from scalesr.evidence.refit import FitData
from scalesr.expr.evaluate import evaluate
from scalesr.expr.operators import Operators
from scalesr.expr.text import parse
from scalesr.polish.bend import bend, bent
from scalesr.polish.finish import finish
from scalesr.polish.shortest import shortest
from scalesr.records.dataset import Dataset
from scalesr.records.proposal import Proposal
from scalesr.records.stop import Stop

NAMES = ["x", "y"]
rng = np.random.default_rng(0)
table = rng.uniform(0.5, 3, (200, 2))
data = Dataset.from_table(
    table, 2 * (1 - np.exp(-table[:, 0])) + 0.1 * rng.normal(size=200), names=NAMES, target="z"
)  # fmt: skip
rules = Rules(read_constraints(["f(x=0) = 0"], NAMES, "z"), data)
at_zero = np.column_stack([np.zeros(5), np.linspace(0.5, 3, 5)])


def archive_of_a_law_that_is_not_zero_at_zero() -> Archive:
    archive = Archive(data, data, Operators("physics"), shorten=shortest, rules=rules)
    archive.offer([Proposal(parse("1.9*exp(-1.1*x) + 2.1", NAMES), "a guess")])
    return archive


def test_a_law_that_breaks_an_equality_is_fitted_so_that_it_obeys():
    rows = FitData(data)
    done = rows.fit(parse("C*exp(C*x) + C", NAMES))
    assert rules.broken(done.expression) is not None
    (law, *_) = bent(done, rows, rules)
    assert rules.broken(law.expression) is None
    assert evaluate(law.expression, at_zero) == pytest.approx(0.0, abs=1e-6)


def test_a_ruled_out_law_waits_for_the_polish_and_is_bent_there():
    archive = archive_of_a_law_that_is_not_zero_at_zero()
    assert archive.ruled_out == {"f(x=0) = 0": 1}
    assert [origin for _, origin in archive.near_ruled_out] == ["a guess"]
    assert not archive.best.equation.expression.variables
    finish(archive)
    assert archive.best.equation.expression.variables == (0,)
    assert evaluate(archive.best.equation.expression, at_zero) == pytest.approx(0.0, abs=1e-6)


def test_no_law_is_bent_twice_and_none_when_the_time_is_up():
    archive, known = archive_of_a_law_that_is_not_zero_at_zero(), set[str]()
    bend(archive, known, Stop(work=0.0))
    assert not known
    bend(archive, known, Stop())
    n_ruled_out, best = archive.ruled_out.total(), archive.best
    assert len(known) == 1
    bend(archive, known, Stop())
    assert (archive.ruled_out.total(), archive.best) == (n_ruled_out, best)
