"""The shortlist of a stage: each form once, exact ones first, and exact only where all rows agree."""

import numpy as np

from scalesr.evidence.shortlist import Shortlist
from scalesr.expr.text import parse
from tests.evidence.tables import dataset

DATA = dataset(lambda x, y: 2 * x * y, 200, (1.0, 3.0), (1.0, 3.0))


def shortlist_of(data, *texts, n_rows=50):
    found = Shortlist(data, n_rows, rounding=1e-12)
    for text in texts:
        form = parse(text)
        found.try_form(form, [np.ones(form.n_open)], "a test")
    return found


def test_exact_forms_come_first_and_are_offered_closed():
    found = shortlist_of(DATA, "C*x0", "C*x0*x1", "C*x0 + C*x1")
    assert found.is_exact
    assert found.best.exact
    assert str(found.best.proposal.expression) == "2*x0*x1"
    assert [one.exact for one in found.ranked] == [True, False, False]


def test_two_ways_to_write_a_form_are_one():
    assert len(shortlist_of(DATA, "C*x0*x1", "x1*C*x0").ranked) == 1


def test_a_law_that_was_made_to_measure_for_a_few_rows_is_not_exact():
    data = DATA.with_target(np.where(np.arange(200) == 7, 100.0, DATA.y), "y")
    assert not shortlist_of(data, "C*x0*x1", n_rows=10).is_exact


def test_a_form_that_could_not_be_fitted_may_be_tried_again():
    found = shortlist_of(DATA)
    found.try_form(parse("C*x0*x1"), [np.array([np.nan])], "no start")
    assert found.best is None
    found.try_form(parse("C*x0*x1"), [np.array([1.0])], "a start")
    assert found.is_exact
