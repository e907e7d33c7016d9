import numpy as np

from scalesr.reduce.anova.decompose import decomposed


def rows(n_columns=6, n=3000):
    return np.random.default_rng(0).uniform(0.5, 3, (n_columns, n))


def test_the_pairs_that_interact_are_found_and_no_others():
    x = rows()
    y = x[0] ** 2 - np.cos(x[4]) + 2 * x[1] * np.sin(x[3]) - np.exp(-x[2]) / x[5]
    found = decomposed(x, y)
    assert {(left.column, right.column) for left, right in found.products} == {(1, 3), (2, 5)}
    assert found.unexplained < 1e-6


def test_the_curves_of_a_product_are_its_factors_up_to_a_line():
    x = rows()
    y = 3 * x[1] ** 2 * np.sin(2 * x[3]) + x[0]
    ((left, right),) = decomposed(x, y).products
    z = np.linspace(-1, 1, 50)
    points = 1.75 + 1.25 * z
    assert abs(np.corrcoef(left.values(z), points**2)[0, 1]) > 0.99999
    assert abs(np.corrcoef(right.values(z), np.sin(2 * points))[0, 1]) > 0.9999


def test_two_products_of_one_pair_are_two():
    x = rows()
    y = np.sin(x[0]) * x[1] + 2 * x[0] * np.cos(2 * x[1]) + x[2]
    assert len(decomposed(x, y).products) == 2


def test_noise_does_not_interact():
    x = rows()
    y = x[0] + np.random.default_rng(1).normal(size=3000)
    assert decomposed(x, y).products == ()


def test_too_few_rows_are_not_taken_apart():
    assert decomposed(rows(n=200), rows(n=200)[0]) is None
