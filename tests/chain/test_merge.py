"""Formulas in the places of open constants."""

import numpy as np

from scalesr.chain.merge import Piece, choices, merged, replace_open
from scalesr.expr.evaluate import evaluate
from scalesr.expr.text import parse


def test_replaced_constants_stand_where_they_stood():
    whole = replace_open(parse("C*x0 + sin(C*x0 + C)"), {1: parse("C*x1^2")})
    X = np.array([[2.0, 3.0]])
    assert evaluate(whole.bind([5.0, 0.5, 7.0]), X)[0] == 5 * 2 + np.sin(0.5 * 9 * 2 + 7)


def test_merged_constants_are_in_the_order_of_the_formula():
    pieces = {0: Piece(parse("C*x1 + C"), np.array([[10.0, 20.0], [11.0, 21.0]]), 0.0)}
    whole, constants = merged(parse("C*x0 + C"), np.array([[1.0, 2.0], [3.0, 4.0]]), pieces)
    assert str(whole) == "(C*x1 + C)*x0 + C"
    np.testing.assert_array_equal(constants, [[10, 20, 2], [11, 21, 4]])


def test_choices_come_in_order_of_their_sum_and_only_once():
    alternatives = {
        place: [Piece(parse(f"{n}"), np.empty((1, 0)), score) for n, score in enumerate(scores)]
        for place, scores in enumerate([[0.0, 1.0, 5.0], [0.0, 2.0]])
    }
    sums = [sum(piece.score for piece in taken.values()) for taken in choices(alternatives, 10)]
    assert sums == [0, 1, 2, 3, 5, 7]


def test_a_hundred_places_are_no_reason_to_list_all_combinations():
    pieces = [Piece(parse("C"), np.empty((1, 1)), float(score)) for score in range(5)]
    assert len(list(choices(dict.fromkeys(range(100), pieces), 20))) == 20
