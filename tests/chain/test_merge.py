"""Formulas in the places of open constants."""

import numpy as np

from scalesr.chain.merge import choices, merged, replace_open
from scalesr.expr.evaluate import evaluate
from scalesr.expr.text import parse
from scalesr.records.skeleton import Skeleton


def fitted(text, *constants, score=0.0):
    """A skeleton with its constants in each setting."""
    values = np.array(constants or [()], dtype=float)
    covariance = np.zeros((len(values), values.shape[1], values.shape[1]))
    return Skeleton(parse(text), values, covariance, np.zeros(len(values)), 0.0, score, within_noise=True)


def test_replaced_constants_stand_where_they_stood():
    whole = replace_open(parse("C*x0 + sin(C*x0 + C)"), {1: parse("C*x1^2")})
    X = np.array([[2.0, 3.0]])
    assert evaluate(whole.bind([5.0, 0.5, 7.0]), X)[0] == 5 * 2 + np.sin(0.5 * 9 * 2 + 7)


def test_merged_constants_are_in_the_order_of_the_formula():
    formulas = {0: fitted("C*x1 + C", (10, 20), (11, 21))}
    whole, constants = merged(parse("C*x0 + C"), np.array([[1.0, 2.0], [3.0, 4.0]]), formulas)
    assert str(whole) == "(C*x1 + C)*x0 + C"
    np.testing.assert_array_equal(constants, [[10, 20, 2], [11, 21, 4]])


def test_choices_come_in_order_of_the_sum_of_their_places_and_only_once():
    three, two = ([fitted(f"{place}", score=place) for place in range(size)] for size in (3, 2))
    taken = [tuple(int(one.score) for one in choice.values()) for choice in choices({0: three, 1: two}, 10)]
    assert taken[0] == (0, 0)
    assert [sum(places) for places in taken] == [0, 1, 1, 2, 2, 3]
    assert len(set(taken)) == 6


def test_a_hundred_places_are_no_reason_to_list_all_combinations():
    formulas = [fitted("C", (1.0,)) for _ in range(5)]
    assert len(list(choices(dict.fromkeys(range(100), formulas), 20))) == 20
