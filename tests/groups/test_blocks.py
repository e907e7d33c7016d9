"""Fits in blocks are those of the whole problem, whatever solves it."""

import numpy as np
import pytest
from scipy.optimize import least_squares

from scalesr.expr.text import parse
from scalesr.groups.blocks import fit_blocks
from scalesr.groups.form import in_one_group, letters_of, numbered, with_letters
from scalesr.records.groups import GroupedData
from tests.groups.tables import grouped


def whole_problem(rows, shared, own):
    """The same least squares with SciPy and all constants in one vector: y = letter * exp(C * t) + C."""
    group, t, y = rows.group_of_rows, rows.data.columns[0], rows.data.y
    roots = np.ones(len(y)) if rows.roots is None else rows.roots

    def residual(p):
        return roots * (p[2:][group] * np.exp(p[0] * t) + p[1] - y)

    return least_squares(residual, np.concatenate([shared, own[:, 0]]), xtol=1e-14, ftol=1e-14, gtol=1e-14)


@pytest.mark.parametrize("is_weighted", [False, True])
def test_constants_errors_and_leverages_are_those_of_the_whole_problem(is_weighted):
    weights = np.random.default_rng(1).uniform(0.2, 3, 60) if is_weighted else None
    rows, _ = grouped("a*exp(-1.3*t) + 2", n_groups=12, n_rows=5, weights=weights)
    form = with_letters(parse("C*exp(C*t) + C", ["t"]), [0], 1)
    done = fit_blocks(form, rows, np.array([-1.0, 1.5]), np.full((12, 1), 2.0))
    best = whole_problem(rows, np.array([-1.0, 1.5]), np.full((12, 1), 2.0))
    assert done.rss == pytest.approx(2 * best.cost, rel=1e-9)
    np.testing.assert_allclose([*done.shared, *done.own[:, 0]], best.x, rtol=1e-5)
    inverse = np.linalg.inv(best.jac.T @ best.jac)
    covariance = inverse * done.rss / (60 - 14)
    np.testing.assert_allclose(done.covariance, covariance[:2, :2], rtol=1e-4)
    np.testing.assert_allclose(done.own_covariance[:, 0, 0], np.diag(covariance)[2:], rtol=1e-4)
    assert (done.own_given[:, 0, 0] < done.own_covariance[:, 0, 0]).all()
    leverages = np.einsum("ri,ij,rj->r", best.jac, inverse, best.jac)
    np.testing.assert_allclose(done.leverages, leverages, rtol=1e-3, atol=1e-6)
    assert done.leverages.sum() == pytest.approx(14, rel=1e-6)


def test_a_group_with_fewer_rows_than_letters_keeps_the_others_in_order():
    rows, _ = grouped("a*exp(-b*t)", n_groups=10, n_rows=6)
    few = GroupedData(rows.data.rows(np.arange(55)), np.array([*range(0, 55, 6), 55]), rows.labels)
    assert few.sizes[-1] == 1
    form = with_letters(parse("C*exp(C*t)", ["t"]), [0, 1], 1)
    done = fit_blocks(form, few, np.empty(0), np.tile([2.0, -1.0], (10, 1)))
    assert np.isfinite(done.own_covariance[:9]).all()
    assert np.isnan(done.own_covariance[9]).all()
    assert done.n_free == 19


def test_letters_stand_behind_the_columns_and_can_be_opened_again():
    form = with_letters(parse("C*exp(C*t) + C", ["t"]), [0, 2], 1)
    assert str(form) == "x1*exp(C*x0) + x2"
    assert letters_of(form, 1) == [1, 2]
    assert str(in_one_group(form, 1)) == "C*exp(C*x0) + C"
    assert in_one_group(parse("x1*x0 + x1"), 1) is None
    assert numbered(parse("x3*x0 + x2"), 1)[1] == [1, 2]


def test_no_values_is_no_fit():
    rows, _ = grouped("a*t + 2", n_groups=5)
    form = parse("log(x1 - x0)")
    assert fit_blocks(form, rows, np.empty(0), np.full((5, 1), -1.0)) is None
