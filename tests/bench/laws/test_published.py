"""Rivals at their published settings."""

import pytest

from scalesr.expr.operators import Operators
from scalesr_bench.laws.methods import METHODS, check_method, limits_of, make_method
from scalesr_bench.laws.published import PUBLISHED

OPERATORS = {"spl": Operators("paper", "sqrt"), "dsr": Operators("paper"), "nggp": Operators("paper")}


@pytest.mark.parametrize("name", OPERATORS)
def test_the_operators_are_the_papers_whatever_those_of_the_run(name):
    if name != "spl":
        pytest.importorskip("torch")
    search = PUBLISHED[f"{name}-published"].make(Operators("+", "exp"))
    assert search.operators.names == OPERATORS[name].names


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_settings_are_methods_that_tell_their_settings(name):
    if name != "spl-published" and name != "genetic-published":
        pytest.importorskip("torch")
    assert name in METHODS
    check_method(name)
    assert make_method(name) is PUBLISHED[name]
    assert "operators of" in limits_of(name)
