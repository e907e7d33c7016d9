"""Functions that curves are sums of."""

import numpy as np
import pytest

from scalesr.chain.merge_slices import merge_slices, products
from scalesr.chain.slice_terms import terms_of
from scalesr.chain.span import left_by_span
from scalesr.expr.text import parse
from scalesr.records.dataset import Dataset
from scalesr.records.skeleton import Skeleton


def fitted(text, constants):
    values = np.array(constants, float)
    covariance = np.zeros((*values.shape, values.shape[1]))
    return Skeleton(parse(text), values, covariance, np.zeros(len(values)), 0.0, 0.0, True)


@pytest.mark.parametrize(
    ("text", "constants", "expected"),
    [
        ("C*x0 + C/x0 + C", [[1, 2, 3], [4, 5, 6]], {"x0", "x0^(-1)"}),
        ("C*sin(C*x0) + C", [[1, 1.01, 3], [4, 0.99, 6]], {"sin(x0)"}),
        ("C*sin(C*x0 + C)", [[1, 2.0, 0.3], [4, 2.0, 1.1]], {"sin(2*x0)", "cos(2*x0)"}),
        ("C*(x0 + C)^2 + C", [[1, 2, 3], [4, 5, 6]], {"x0", "x0^2"}),
        ("C*exp(C*x0)", [[1, 2], [4, 5]], set()),
    ],
)
def test_terms_of_a_skeleton(text, constants, expected):
    assert {str(term) for term in terms_of(fitted(text, constants))} == expected


def test_products_are_of_different_variables():
    found = products({0: [parse("x0"), parse("sin(x0)")], 1: [parse("x1")]}, 2)
    assert {str(term) for term in found} == {"x0", "sin(x0)", "x1", "x0*x1", "sin(x0)*x1"}


@pytest.fixture
def data():
    X = np.random.default_rng(0).uniform(0.5, 3, (600, 2))
    return Dataset.from_table(X, 2 * X[:, 0] / X[:, 1] - 0.3 * X[:, 1] + 1)


def test_what_a_library_leaves_is_rounding_only_if_the_law_is_in_it(data):
    assert left_by_span([parse("x0/x1"), parse("x1"), parse("x0")], data) < 1e-13
    assert left_by_span([parse("x0"), parse("x1")], data) > 0.1


def test_rows_are_asked_only_about_libraries_that_can_do_it(data):
    asked = []

    def select(terms, rows):
        asked.append(len(terms))
        return []

    list(merge_slices({0: [parse("x0")], 1: [parse("x1")]}, data, 1e-3, select))
    assert asked == []
    list(merge_slices({0: [parse("x0")], 1: [parse("x1"), parse("1/x1")]}, data, 1e-3, select))
    assert asked
