from __future__ import annotations

import math

import pytest

from scalesr.evidence.probability import proposed, shares


def test_shares_follow_the_evidence_and_sum_to_one() -> None:
    found = shares([10.0, 10.0 + math.log(3), 900.0])
    assert found == pytest.approx([0.75, 0.25, 0.0])


def test_many_free_constants_and_structure_that_is_left_make_a_law_less_likely() -> None:
    assert proposed(9, is_exact=False, is_left=False) < proposed(2, is_exact=False, is_left=False) < 1
    assert proposed(2, is_exact=False, is_left=True) < 0.5 < proposed(9, is_exact=True, is_left=False)
