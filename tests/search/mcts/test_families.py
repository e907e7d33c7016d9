"""Families against the canonical key of the formula that is written down."""

import numpy as np
import pytest

from scalesr.expr.canonical import canonical_key
from scalesr.expr.operators import Operators
from scalesr.search.mcts.families import families_of
from scalesr.search.mcts.grammar import A, Production, ProductionRules
from scalesr.search.mcts.productions import default_grammar, spl_grammar
from scalesr.search.mcts.rollout import Draws, rollout

GRAMMARS = [
    default_grammar(Operators("physics"), 1),
    default_grammar(Operators("physics"), 2, nested=True, coefficients=False),
    spl_grammar(Operators("paper", "sqrt"), 2),
]


def sequences(grammar: ProductionRules, seed: int) -> list[list[int]]:
    draws = Draws(np.random.default_rng(seed))
    made = [rollout(grammar, [], [A], draws, room=15) for _ in range(150)]
    return [one for one in made if one is not None]


@pytest.mark.parametrize("grammar", GRAMMARS, ids=["default", "nested", "spl"])
def test_the_family_of_a_sequence_is_that_of_its_formula(grammar):
    families = families_of(grammar, sequences(grammar, 0))
    assert len({family.key for family in families}) > 20
    for family in families:
        assert family.key == canonical_key(family.written())


@pytest.mark.parametrize("grammar", GRAMMARS, ids=["default", "nested", "spl"])
def test_the_representative_of_a_family_is_in_it(grammar):
    families = families_of(grammar, sequences(grammar, 1))
    canonical = [canonical_key(family.representative()) == family.key for family in families]
    assert np.mean(canonical) > 0.95  # a rare form has its canonical form only on the second look


def test_modules_count_as_the_formulas_they_hold():
    grammar = default_grammar(Operators("physics"), 1)
    one = sequences(grammar, 2)[0]
    grown = grammar.with_modules([Production(A, (), (grammar.nodes(one),))])
    module, itself = families_of(grown, [[len(grammar.productions)], one])
    assert module.key == canonical_key(module.written())
    assert canonical_key(itself.written()) == itself.key
