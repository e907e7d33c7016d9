"""Relations between monomials: planted ones are found, and hold; rows without any have none."""

import itertools

import numpy as np
import pytest

from scalesr.search.linear.relations import exact_relations

EXPONENTS = tuple(sorted((pair for pair in itertools.product(range(3), repeat=2)), key=lambda pair: (sum(pair), pair)))


def sides(relation, columns):
    """Both sides of a relation, below and above, written out."""
    x, y = columns
    return (
        sum(term.coefficient * x ** term.exponents[0] * y ** term.exponents[1] for term in part)
        for part in (relation.below, relation.above)
    )


LAWS = {
    "a polynomial": lambda x, y: 3 * x**2 - 2 * x * y + 0.5,
    "a ratio": lambda x, y: (x + 2 * y) / (1 + 0.3 * x * y),
    "a ratio of three and two": lambda x, y: (1 - x**2 + y) / (x + y**2),
}


@pytest.mark.parametrize("name", LAWS)
def test_the_relation_behind_a_law_is_the_first_and_holds_on_fresh_rows(rng, name):
    columns, fresh = rng.uniform(0.5, 2, (2, 200)), rng.uniform(0.5, 2, (2, 50))
    found = next(one for one in exact_relations(EXPONENTS, columns, LAWS[name](*columns)) if one.is_law)
    below, above = sides(found, fresh)
    np.testing.assert_allclose(below * LAWS[name](*fresh), above, rtol=1e-8, atol=1e-8 * np.abs(above).max())
    n_terms = {"a polynomial": 4, "a ratio": 4, "a ratio of three and two": 5}[name]
    assert len(found.above) + len(found.below) == n_terms
    assert len(list(found.shorter())) == n_terms


@pytest.mark.parametrize("law", [lambda x, y: np.sin(3 * x) * np.exp(y), lambda x, y: x + y + 1e-9 * np.cos(9 * x)])
def test_what_is_no_ratio_has_no_relation(rng, law):
    columns = rng.uniform(0.5, 2, (2, 300))
    assert not [one for one in exact_relations(EXPONENTS, columns, law(*columns)) if one.is_law]


def test_columns_that_depend_on_each_other_are_no_law(rng):
    x = rng.uniform(0.5, 2, 200)
    for found in exact_relations(EXPONENTS, np.stack([x, 2 * x]), np.exp(x)):
        assert not found.is_law
