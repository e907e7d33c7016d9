import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scalesr.expr.expression import Expression
from scalesr.expr.fold import fold
from scalesr.expr.operators import Operators
from scalesr.expr.text import parse
from scalesr.kernels.codes import FIRST_CUSTOM, LAST_BINARY, NEG, OPEN, POW, POWI, VARIABLE
from scalesr.search.mcts.grammar import A, B, ProductionRules, to_expression
from scalesr.search.mcts.productions import default_grammar, spl_grammar
from scalesr.search.mcts.rollout import Draws, rollout

PHYSICS = Operators("physics")
GRAMMARS = {
    "default": default_grammar(PHYSICS, 2),
    "nested": default_grammar(PHYSICS, 2, nested=True),
    "plain": default_grammar(PHYSICS, 2, coefficients=False),
    "paper": default_grammar(Operators("paper"), 1),
    "spl": spl_grammar(Operators("paper", "sqrt"), 2),
}


def functions_deep(expr: Expression) -> int:
    """The most functions met on a way from the root to a leaf; a real power is one."""

    def is_function(code: int) -> bool:
        return code == POW or (LAST_BINARY < code < FIRST_CUSTOM and code not in (NEG, POWI))

    return fold(expr, leaf=lambda _: 0, node=lambda node, kids: max(kids) + is_function(node.code))


def find(grammar: ProductionRules, left: int, text: str) -> int:
    """The production of `left` whose postfix is that of `text`, with x0 where its slots are."""
    wanted = parse(text).codes.tolist(), parse(text).args.tolist()
    for p in grammar.choices[left]:
        production = grammar.productions[p]
        leaf = next(q for q in grammar.choices[B] if grammar.productions[q].blocks == grammar.productions[x0].blocks)
        expr = to_expression(ProductionRules(grammar.productions).nodes([p] + [leaf] * len(production.slots)))
        if (expr.codes.tolist(), expr.args.tolist()) == wanted:
            return p
    raise AssertionError(f"no production of {left} is {text}")


x0 = 1  # the first variable's production in every default grammar


@pytest.mark.parametrize("name", GRAMMARS)
@given(seed=st.integers(0, 2**32 - 1), room=st.integers(1, 40))
def test_every_rollout_is_a_whole_formula_within_the_limit(name, seed, room):
    grammar = GRAMMARS[name]
    sequence = rollout(grammar, [], [A], Draws(np.random.default_rng(seed)), room=room)
    if sequence is None:
        return
    assert len(sequence) == grammar.derived_size(sequence) <= room
    expr = to_expression(grammar.nodes(sequence))
    assert Expression.from_arrays(expr.codes, expr.args, expr.constants) == expr
    assert name in ("nested", "spl") or functions_deep(expr) <= 1
    assert expr.n_columns <= 2


def test_the_leftmost_non_terminal_is_expanded_first():
    grammar = default_grammar(PHYSICS, 2, coefficients=False)
    divide, square = find(grammar, A, "x0/x0"), find(grammar, A, "x0^2")
    sine, constant = find(grammar, A, "sin(x0)"), find(grammar, A, "C")
    inner = next(p for p in grammar.choices[B] if grammar.productions[p].blocks == grammar.productions[x0].blocks)
    assert str(to_expression(grammar.nodes([divide, sine, inner, constant]))) == "sin(x0)/C"
    assert str(to_expression(grammar.nodes([divide, square, divide, constant, x0]))) == "x0^2/(C/x0)"


def test_coefficients_stand_on_every_term_and_argument():
    grammar = GRAMMARS["default"]
    add, sine = find(grammar, A, "C*x0 + C*x0"), find(grammar, A, "sin(C*x0)")
    inner = next(p for p in grammar.choices[B] if grammar.productions[p].blocks == grammar.productions[x0].blocks)
    expr = to_expression(grammar.nodes([add, sine, inner, x0]))
    assert str(expr) == "C*(C*sin(C*x0) + C*x0)"
    assert expr == parse("C*(C*sin(C*x0) + C*x0)")


def test_operators_outside_the_set_never_occur():
    grammar = default_grammar(Operators("+", "*", "sin"), 1)
    draws = Draws(np.random.default_rng(0))
    seen = set()
    for _ in range(300):
        sequence = rollout(grammar, [], [A], draws, room=20)
        if sequence is not None:
            seen |= set(to_expression(grammar.nodes(sequence)).codes.tolist())
    assert seen == set(parse("C*x0 + sin(x0)").codes.tolist()) | {OPEN, VARIABLE}


def test_spl_has_constants_only_as_factor_or_leaf_and_plain_arguments():
    grammar = GRAMMARS["spl"]
    for left in (A, B):
        for p in grammar.choices[left]:
            production = grammar.productions[p]
            opens = sum(
                block.count(grammar.productions[grammar.choices[left][4]].blocks[0][0]) for block in production.blocks
            )
            assert opens <= 1
    of_b = [grammar.productions[p] for p in grammar.choices[B]]
    assert all(set(production.slots) <= {B} for production in of_b)
    assert len(of_b) == 4 + 1 + 1 + 2  # arithmetic, C, B*C and two variables
