import numpy as np

from scalesr.expr.expression import variable
from scalesr.expr.operators import Operators
from scalesr.records.budget import Budget
from scalesr.records.dataset import Dataset
from scalesr.records.precision import WIDE
from scalesr.search.linear import LinearSearch, RatioSearch
from scalesr.search.linear.library import FUNCTIONS, make_library

PHYSICS = Operators("physics")


def wide(n_rows: int, n_columns: int, law) -> Dataset:
    X = np.random.default_rng(1).normal(size=(n_rows, n_columns))
    return Dataset.from_table(X, law(X.T))


def test_the_library_of_a_thousand_variables_stays_small_and_has_each_of_them():
    library = make_library(wide(20, 1000, lambda x: x[0]).sweep(), PHYSICS)
    assert len(library.terms) < 2000
    assert {variable(column) for column in range(1000)} <= set(library.terms)


def test_a_table_that_is_not_wide_has_all_functions_of_each_variable():
    X = np.random.default_rng(1).uniform(1, 2, (30, WIDE))
    library = make_library(Dataset.from_table(X, X[:, 0]).sweep(), PHYSICS)
    singles = [term for term in library.terms if term.variables == (WIDE - 1,)]
    assert len(singles) > len(FUNCTIONS)


def test_a_sum_of_two_among_three_hundred_columns_is_found(rng):
    data = wide(400, 300, lambda x: 2 * x[3] - 1.5 * x[7])
    best = LinearSearch.quick(PHYSICS).search(data.sweep(), Budget(), rng=rng).best
    assert best is not None
    assert set(best.expression.variables) == {3, 7}
    assert best.error < 1e-12


def test_a_sum_of_all_of_forty_columns_is_found(rng):
    data = wide(400, 40, lambda x: np.arange(1, 41) @ x)
    best = LinearSearch.quick(PHYSICS).search(data.sweep(), Budget(), rng=rng).best
    assert best is not None
    assert len(best.expression.variables) == 40
    assert best.error < 1e-12


def test_ratios_of_too_many_monomials_are_not_listed(rng):
    ranking = RatioSearch(PHYSICS).search(wide(100, 400, lambda x: x[0]).sweep(), Budget(), rng=rng)
    assert ranking.skeletons == ()
