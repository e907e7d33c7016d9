"""The Pareto front, against the definition: nothing else beats its members in both size and loss."""

from hypothesis import given
from hypothesis import strategies as st

from scalesr.records.pareto import first_of_each_size, pareto_front

PAIRS = st.lists(st.tuples(st.integers(1, 6), st.floats(0, 1)), min_size=1, max_size=20)


def front(pairs, **how):
    return pareto_front(pairs, size=lambda one: one[0], loss=lambda one: one[1], **how)


@given(PAIRS)
def test_nothing_beats_a_member_and_everything_else_is_beaten(pairs):
    found = front(sorted(pairs, key=lambda one: one[1]))
    for size, loss in found:
        assert not any((s <= size and other < loss) or (s < size and other <= loss) for s, other in pairs)
    for size, loss in pairs:
        assert any(s <= size and other <= loss for s, other in found)


@given(PAIRS)
def test_the_first_is_kept_where_asked_for_whatever_its_loss(pairs):
    assert pairs[0] in front(pairs, keeps_first=True)


def test_losses_below_the_floor_are_equal():
    assert front([(1, 1e-9), (2, 1e-10)], floor=1e-8) == [(1, 1e-9)]


def test_the_first_of_each_size_comes_in_order_of_size():
    assert first_of_each_size(["bb", "a", "cc", "d"], len) == ["a", "bb"]
