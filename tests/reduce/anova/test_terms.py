import numpy as np
import pytest

from scalesr.expr.evaluate import evaluate, evaluate_many
from scalesr.expr.operators import Operators
from scalesr.expr.text import parse
from scalesr.records.dataset import Dataset
from scalesr.records.stop import Stop
from scalesr.reduce.anova import pair_decomposition, terms_in_rounds, terms_of_pairs

NAMES = ("a", "b", "c", "d", "e")


def table(formula, noise=0.0, n=3000):
    X = np.random.default_rng(0).uniform(0.4, 4, (n, len(NAMES)))
    y = evaluate(parse(formula, NAMES), X)
    return Dataset.from_table(X, y + noise * y.std() * np.random.default_rng(1).normal(size=n), names=NAMES)


PHYSICS = Operators("physics")


def terms_for(data):
    found = pair_decomposition(data, PHYSICS)
    return [] if found is None else terms_of_pairs(found, data, PHYSICS)


def best_match(formula, data, terms):
    """The largest correlation of a formula with one of the terms."""
    goal, values = evaluate(parse(formula, NAMES), data.table), evaluate_many(terms, data.table)
    return max(abs(np.corrcoef(goal, one)[0, 1]) for one in values)


@pytest.mark.parametrize("noise", [0.0, 0.01])
def test_every_term_of_a_sum_is_among_the_terms(noise):
    parts = ["exp(-a)*cos(b)", "c^2/d", "sin(e)", "1/a", "b^2"]
    data = table("2*exp(-a)*cos(b) - 0.5*c^2/d + 3*sin(e) + 1/a - 0.3*b^2", noise)
    terms = terms_for(data)
    assert len(terms) < 300
    assert min(best_match(part, data, terms) for part in parts) > 1 - 1e-9


def test_a_rate_within_a_product_is_found():
    data = table("2*a*exp(-2.3*b) + c^2 + sin(1.7*d)*e")
    terms = terms_for(data)
    assert best_match("a*exp(-2.3*b)", data, terms) > 0.9999
    assert best_match("sin(1.7*d)*e", data, terms) > 0.9999


@pytest.mark.parametrize("formula", ["a*b*c*d*e", "a + b + c^2", "sin(8*a*b*c) + d"])
def test_what_is_no_sum_over_interacting_pairs_has_no_terms(formula):
    assert terms_for(table(formula)) == []


def test_few_columns_are_left_to_general_libraries():
    data = table("a*b + c")
    assert terms_for(data.select([0, 1, 2])) == []


def test_products_with_rates_and_sums_of_one_column_are_read_in_rounds():
    parts = ["exp(-1.8*a)*sin(b)", "c^2*cos(2.3*d)", "1/e", "cos(2.7*e)", "sin(1.6*a)"]
    data = table("3*exp(-1.8*a)*sin(b) - 0.5*c^2*cos(2.3*d) + 2/e - cos(2.7*e) + 2*sin(1.6*a)")
    terms = terms_in_rounds(data, PHYSICS, Stop())
    assert len(terms) == len(parts)
    assert min(best_match(part, data, terms) for part in parts) > 1 - 1e-6
