"""Rules that no sequence can obey are refused."""

import pytest

from scalesr.search.policy.rules import SequenceRules


@pytest.mark.parametrize(
    "wrong", [{"min_length": 0}, {"min_length": 70}, {"max_constants": -1}, {"length_deviation": 0}]
)
def test_rules_that_nothing_can_obey_are_refused(wrong):
    with pytest.raises(ValueError, match=r"Lengths|limit"):
        SequenceRules(**wrong)
