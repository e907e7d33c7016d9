"""Which constants are shared, which differ, and how the law is written then."""

import numpy as np
import pytest

from scalesr.expr.text import parse
from scalesr.groups.finish import finished
from scalesr.groups.fitted import GroupRows
from scalesr.groups.share import shared_as_told
from tests.groups.tables import grouped


def found(law, skeleton, **rest):
    rows, own = grouped(law, **rest)
    on = GroupRows(rows)
    return finished(shared_as_told(parse(skeleton, ["t"]), on), on), own


@pytest.mark.parametrize("shape", [{"n_groups": 40, "n_rows": 5}, {"n_groups": 8, "n_rows": 40}])
@pytest.mark.parametrize(
    ("law", "skeleton", "n_letters"),
    [
        ("a*exp(-1.3*t) + 2", "C*exp(C*t) + C", 1),
        ("a*exp(-b*t)", "C*exp(C*t)", 2),
        ("2*exp(-b*t) + 1", "C*exp(C*t) + C", 1),
        ("a*sin(2.3*t) + b", "C*sin(C*t) + C", 2),
        ("a*t^1.37", "C*t^C", 1),
        ("1.7*t^2 - 0.4*t", "C*t^2 + C*t", 0),
    ],
)
def test_the_constants_that_differ_are_found(law, skeleton, n_letters, shape):
    one, _ = found(law, skeleton, **shape)
    assert one.fit.own.shape[1] == n_letters


def test_shared_constants_are_read_as_simple_numbers():
    one, own = found("a*exp(-1.3*t) + 2", "C*exp(C*t) + C", n_groups=10, n_rows=50)
    assert str(one.fit.form) == "x1*exp(-1.3*x0) + 2"
    np.testing.assert_allclose(one.fit.own[:, 0], own[:, 0], atol=0.03)


def test_a_shared_constant_that_does_nothing_is_left_out():
    one, _ = found("a*exp(-1.3*t)", "C*exp(C*t) + C")
    assert str(one.fit.form).count("+") == 0
    assert one.fit.own.shape[1] == 1


def test_constants_in_proportion_are_one_that_differs_and_a_shared_ratio():
    one, own = found("a*t/(0.7 + t)", "t/(C*t + C)")
    assert one.fit.own.shape[1] == 1
    assert np.corrcoef(one.fit.own[:, 0], own[:, 0])[0, 1] > 0.999  # a itself, no reciprocal of it


def test_sharing_and_differing_constants_keep_their_errors():
    """Of 200 constants most are within two standard errors and nearly all within three."""
    one, own = found("a*exp(-1.3*t) + 2", "C*exp(C*t) + C", n_groups=200, n_rows=5)
    off = np.abs(one.fit.own[:, 0] - own[:, 0]) / np.sqrt(one.fit.own_covariance[:, 0, 0])
    assert 0.9 < (off < 2).mean() < 0.99
    assert (off < 3).mean() > 0.98


def test_a_form_that_cannot_become_the_best_is_given_up():
    rows, _ = grouped("a*exp(-1.3*t) + 2")
    on = GroupRows(rows)
    best = shared_as_told(parse("C*exp(C*t) + C", ["t"]), on)
    assert shared_as_told(parse("C*t", ["t"]), on, bar=best.cost) is None
