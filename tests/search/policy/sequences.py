"""Sequences of tokens for tests: a writer without opinions, a reading of its own and the rules once more."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from scalesr.expr.operators import Operators
from scalesr.records.sweep import Sweep
from scalesr.search.policy.rules import SequenceRules
from scalesr.search.policy.vocabulary import Vocabulary

PAPER = Operators("paper")
WIDE = Operators("physics", "neg", "abs")


def curve(function: Callable[..., np.ndarray], n_variables: int = 1, noise: float | None = 0.0) -> Sweep:
    table = np.random.default_rng(1).uniform(-1, 1, (20, n_variables))
    return Sweep.from_groups([table], [function(*table.T)], noise=noise)


def nguyen_1(x: np.ndarray) -> np.ndarray:
    return x**3 + x**2 + x


class Indifferent:
    """A writer that leaves the choice to the prior."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._n_tokens = vocabulary.n_tokens

    def start(self, n_rows: int) -> None:
        pass

    def logits(self, rows: np.ndarray, parent: np.ndarray, sibling: np.ndarray) -> np.ndarray:  # noqa: ARG002
        return np.zeros((len(rows), self._n_tokens))


class Tree(NamedTuple):
    name: str
    kids: tuple["Tree", ...]


def tree_of(vocabulary: Vocabulary, row: np.ndarray) -> Tree:
    """Read a sequence by its own rule, apart from the code under test; fails unless it is one whole tree."""
    names = [str(symbol) for symbol in vocabulary.symbols]
    arities = {0: 0, 1: 0, 2: 0} | dict.fromkeys(range(3, 10), 2) | dict.fromkeys(range(10, 20), 1)
    arity = [arities[code] for code, _ in vocabulary.symbols]
    tokens = [int(token) for token in row]

    def read() -> Tree:
        token = tokens.pop(0)
        return Tree(names[token], tuple(read() for _ in range(arity[token])))

    tree = read()
    assert set(tokens) <= {vocabulary.none}
    return tree


def walk(tree: Tree, above: tuple[str, ...] = ()):
    yield tree, above
    for kid in tree.kids:
        yield from walk(kid, (*above, tree.name))


VARIABLE, OPEN, TRIG = "(0, ", "(2, 0)", {"(13, 0)", "(14, 0)", "(15, 0)"}
INVERSE = {("(16, 0)", "(17, 0)"), ("(17, 0)", "(16, 0)"), ("(12, 0)", "(11, 2)"), ("(11, 2)", "(12, 0)"),
           ("(10, 0)", "(10, 0)")}  # fmt: skip


def check_rules(tree: Tree, rules: SequenceRules) -> None:
    nodes = list(walk(tree))
    assert rules.min_length <= len(nodes) <= rules.max_length
    assert any(node.name.startswith(VARIABLE) for node, _ in nodes)
    assert sum(node.name == OPEN for node, _ in nodes) <= rules.max_constants
    for node, above in nodes:
        assert not (node.name in TRIG and TRIG & set(above))
        assert not (above and (above[-1], node.name) in INVERSE)
        assert not (node.kids and all(kid.name == OPEN for kid in node.kids))
