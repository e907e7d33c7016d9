import pytest

from scalesr.expr.operators import Operators
from scalesr.search.mcts.grammar import A, to_expression
from scalesr.search.mcts.productions import default_grammar
from scalesr.search.mcts.transplant import Module, Modules, allowed_size


def module(code: int, *, reward: float, error: float = 0.5, size: int = 3) -> Module:
    return Module((code,), size, reward, error)


def test_the_best_are_kept_each_once_and_none_too_large():
    modules = Modules(2)
    modules.offer(module(1, reward=0.2, error=0.4), max_size=10)
    modules.offer(module(2, reward=0.9, error=0.1), max_size=10)
    modules.offer(module(3, reward=0.8, error=0.1), max_size=10)  # the same formula, longer
    modules.offer(module(4, reward=0.5, error=0.2), max_size=10)
    modules.offer(module(5, reward=0.99, error=0.05, size=11), max_size=10)
    assert [kept.nodes for kept in modules.best] == [(2,), (4,)]


def test_nothing_is_kept_where_nothing_is_asked_for():
    modules = Modules(0)
    modules.offer(module(1, reward=0.2), max_size=10)
    assert modules.best == []


def test_a_module_becomes_a_production_that_makes_the_whole_formula():
    grammar = default_grammar(Operators("physics"), 1)
    nodes = grammar.nodes([1])
    modules = Modules(5)
    modules.offer(Module(nodes, 7, 0.9, 0.1), max_size=10)
    grown = grammar.with_modules(modules.productions(0.5))
    added = grown.choices[A][-1]
    assert len(grown.choices[A]) == len(grammar.choices[A]) + 1
    assert grown.sizes[added] == 7
    assert str(to_expression(grown.nodes([added]))) == "C*(C*x0)"
    assert grammar.choices == default_grammar(Operators("physics"), 1).choices


@pytest.mark.parametrize(("outer", "size"), [(0, 10), (19, 50), (10, 31)])
def test_modules_may_grow_from_the_first_size_to_the_last(outer, size):
    assert allowed_size(outer, 20, (10, 50)) == size
