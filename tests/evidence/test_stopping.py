from __future__ import annotations

from scalesr.evidence.stopping import OVERLOOKED, is_worth_another, possible_gain


def test_a_law_that_names_each_column_once_can_be_beaten_by_what_no_test_sees_alone() -> None:
    assert possible_gain(0.0, 3) == OVERLOOKED


def test_a_long_law_is_looked_beyond_for_longer_than_a_short_one() -> None:
    searches = [next(n for n in range(100) if not is_worth_another(cost, 3, n)) for cost in (20.0, 60.0, 200.0)]
    assert searches == sorted(searches)
    assert searches[0] < searches[2]


def test_more_columns_have_to_be_named_by_any_law() -> None:
    assert possible_gain(60.0, 8) < possible_gain(60.0, 2)


def test_rows_that_may_be_exact_are_searched_for_longer_the_more_an_exact_law_would_gain() -> None:
    searches = [
        next(n for n in range(100) if not is_worth_another(30.0, 2, n, if_exact=gain)) for gain in (0.0, 200.0, 800.0)
    ]
    assert searches[0] < searches[1] < searches[2]
