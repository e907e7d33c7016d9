import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest

from scalesr.errors import FormulaError
from scalesr.expr.expression import Expression
from scalesr.expr.operators import Operators
from scalesr.expr.text import parse
from scalesr.records.budget import Budget, Progress
from scalesr.records.sweep import Sweep
from scalesr.search.policy.rules import SequenceRules
from scalesr.search.policy.sampling import lessons, obey, sample
from scalesr.search.policy.search import DsrSearch
from scalesr.search.policy.training import Training, elite, risk_seeking_weights
from scalesr.search.policy.vocabulary import Vocabulary, padded
from scalesr.search.scoring import SKELETONS_AT_ONCE

PAPER = Operators("paper")
WIDE = Operators("physics", "neg", "abs")
SMALL = DsrSearch(batch_size=200, n_batches=30, training=Training(device="cpu"))


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


@pytest.mark.parametrize(
    ("operators", "n_variables", "rules"),
    [
        (PAPER, 1, SequenceRules()),
        (WIDE, 3, SequenceRules()),
        (WIDE, 2, SequenceRules(min_length=6, max_length=9, max_constants=2)),
        (PAPER, 1, SequenceRules(min_length=1, max_length=12, max_constants=0, usual_length=4, length_deviation=1)),
        (Operators("sin", "+"), 1, SequenceRules(min_length=20, max_length=30)),
    ],
)
def test_every_sequence_obeys_every_rule(operators, n_variables, rules):
    vocabulary = Vocabulary.over(operators, n_variables)
    tokens = sample(Indifferent(vocabulary), vocabulary, rules, 1500, np.random.default_rng(0))
    for row in tokens:
        check_rules(tree_of(vocabulary, row), rules)
    assert obey(lessons(tokens, vocabulary, rules)).all()
    assert len(np.unique(tokens, axis=0)) > 150


def test_operators_that_cannot_reach_the_least_length_end_in_a_variable():
    vocabulary = Vocabulary.over(Operators("sin"), 1)
    tokens = sample(Indifferent(vocabulary), vocabulary, SequenceRules(), 5, np.random.default_rng(0))
    assert {str(vocabulary.expression(row)) for row in tokens} == {"sin(x0)"}


def test_the_soft_prior_moves_the_length():
    vocabulary = Vocabulary.over(PAPER, 1)

    def mean_length(usual: float) -> float:
        rules = SequenceRules(usual_length=usual, length_deviation=2)
        tokens = sample(Indifferent(vocabulary), vocabulary, rules, 500, np.random.default_rng(0))
        return float((tokens != vocabulary.none).sum(axis=1).mean())

    assert 4 < mean_length(6) < 10 < mean_length(12) < 18 < mean_length(25) < 30


@pytest.mark.parametrize(
    "broken",
    ["log(exp(x0*x0))", "exp(log(x0*x0))", "sin(x0 + x0*cos(x0))", "x0 + x0*(C + C)", "x0 + x0*exp(C)", "x0 + x0",
     "C + (C + C*x0)", "sqrt((x0*x0)^2)", "C*(C*C)"],
)  # fmt: skip
def test_a_broken_rule_is_noticed(broken):
    vocabulary, rules = Vocabulary.over(WIDE, 1), SequenceRules(max_constants=2)
    texts = ["x0 + x0*x0", "sin(x0 + C*exp(x0))", broken]
    rows = padded([vocabulary.sequence(parse(text)) for text in texts], vocabulary, rules.max_length)
    assert obey(lessons(rows, vocabulary, rules)).tolist() == [True, True, False]


def test_tokens_and_formulas_are_the_same_thing():
    vocabulary = Vocabulary.over(WIDE, 3)
    tokens = sample(Indifferent(vocabulary), vocabulary, SequenceRules(), 1000, np.random.default_rng(0))
    for row in tokens:
        expr = vocabulary.expression(row)
        assert expr == Expression.from_arrays(expr.codes, expr.args, expr.constants)
        assert vocabulary.sequence(expr) == [token for token in row.tolist() if token != vocabulary.none]


def test_operands_keep_their_order_and_numbers_become_open():
    vocabulary = Vocabulary.over(WIDE, 2)
    expr = parse("2*x0^3 - sin(x1)/x0^1.5")
    assert str(vocabulary.expression(vocabulary.sequence(expr))) == "C*x0^3 - sin(x1)/x0^C"


def test_a_formula_without_tokens_is_refused():
    vocabulary = Vocabulary.over(PAPER, 1)
    assert not vocabulary.knows(parse("x0^2"))
    with pytest.raises(FormulaError, match="without a token"):
        vocabulary.sequence(parse("x0 + x1"))


@pytest.mark.parametrize("tokens", [[], [0], [0, 8], [8, 8], [0, 8, 8, 8]])
def test_tokens_that_are_no_formula_are_refused(tokens):
    with pytest.raises(FormulaError, match="not one whole formula"):
        Vocabulary.over(PAPER, 1).expression(tokens)


def test_only_the_best_share_is_learned_from_and_the_least_of_it_is_the_baseline():
    rewards = np.array([0.1, 0.9, 0.5, 0.7, 0.0, 0.2, 0.3, 0.6])
    best = elite(rewards, 0.5)
    assert best.tolist() == [1, 3, 7, 2]
    np.testing.assert_allclose(risk_seeking_weights(rewards[best]), np.array([0.4, 0.2, 0.1, 0.0]) / 4)


def test_a_step_raises_the_probability_of_what_was_rewarded():
    pytest.importorskip("torch")
    from scalesr.search.policy.network import Policy, one_thread

    vocabulary, rules, rng = Vocabulary.over(PAPER, 1), SequenceRules(), np.random.default_rng(0)
    policy = Policy(vocabulary, Training(device="cpu", entropy_weight=0.0), rng)
    taught = lessons(sample(policy, vocabulary, rules, 2, rng), vocabulary, rules)
    before = policy.log_probabilities(taught)
    with one_thread():
        for _ in range(5):
            policy.learn(taught, np.array([1.0, 0.0]))
    assert policy.log_probabilities(taught)[0] > before[0] + 0.01


def test_probabilities_are_those_of_sampling():
    pytest.importorskip("torch")
    from scalesr.search.policy.network import Policy

    vocabulary, rng = Vocabulary.over(Operators("+", "sin"), 1), np.random.default_rng(0)
    rules = SequenceRules(min_length=1, max_length=3, max_constants=1)
    policy = Policy(vocabulary, Training(device="cpu", learning_rate=0.1), rng)
    policy.learn(lessons(padded([[1, 2]], vocabulary, 3), vocabulary, rules), np.array([1.0]))  # no longer the prior
    drawn = sample(policy, vocabulary, rules, 20_000, rng)
    rows, counts = np.unique(drawn, axis=0, return_counts=True)
    probabilities = np.exp(policy.log_probabilities(lessons(rows, vocabulary, rules)))
    np.testing.assert_allclose(probabilities.sum(), 1, atol=1e-5)  # all there is has been drawn
    np.testing.assert_allclose(counts / 20_000, probabilities, atol=0.015)


def test_entropy_keeps_the_policy_open():
    pytest.importorskip("torch")
    from scalesr.search.policy.network import Policy, one_thread

    vocabulary, rules = Vocabulary.over(PAPER, 1), SequenceRules()
    left = []
    for weight in (0.0, 100.0):
        rng = np.random.default_rng(0)
        policy = Policy(vocabulary, Training(device="cpu", learning_rate=0.01, entropy_weight=weight), rng)
        taught = lessons(sample(policy, vocabulary, rules, 1, rng), vocabulary, rules)
        with one_thread():
            for _ in range(20):
                policy.learn(taught, np.array([1.0]))
        left.append(policy.log_probabilities(taught)[0])
    assert left[1] < left[0] - 1


@pytest.mark.parametrize(
    ("operators", "max_constants", "law", "n_variables"),
    [
        (Operators("paper", "powi"), 0, nguyen_1, 1),  # open constants would let other forms come close
        (Operators("+", "*", "sin", "exp"), 10, lambda x: 2.5 * np.sin(3 * x) + 1, 1),
        (PAPER, 10, lambda x, y: x * y, 2),
    ],
)
def test_small_laws_are_found(operators, max_constants, law, n_variables):
    pytest.importorskip("torch")
    search = replace(SMALL, operators=operators, rules=SequenceRules(max_constants=max_constants), n_batches=150)
    ranking = search.search(curve(law, n_variables), Budget(), rng=np.random.default_rng(3))
    assert ranking.best.within_noise
    assert ranking.best.error < 1e-10


def test_constants_are_free_in_every_group():
    pytest.importorskip("torch")
    x = np.linspace(0.1, 2, 20)
    sweep = Sweep.from_groups([x, x], [2 * np.exp(-x), 3 * np.exp(0.5 * x)], noise=0.0)
    ranking = SMALL.search(sweep, Budget(), rng=np.random.default_rng(0))
    assert ranking.best.within_noise
    assert ranking.best.constants.shape[0] == 2


def hard() -> Sweep:
    return curve(lambda x: np.sin(x**2) * np.cos(x) / (np.abs(x) + 0.3) - 1, noise=0.0)


def test_the_same_seed_gives_the_same_ranking_with_any_number_of_threads():
    pytest.importorskip("torch")
    searches = [DsrSearch(batch_size=100, n_batches=3, n_threads=n, training=Training(device="cpu")) for n in (1, 1, 2)]
    found = [search.search(hard(), Budget(), rng=np.random.default_rng(3)) for search in searches]
    lists = [[(str(s.expression), s.error) for s in ranking.skeletons] for ranking in found]
    assert lists[0] == lists[1] == lists[2]
    assert lists[0]
    other = searches[0].search(hard(), Budget(), rng=np.random.default_rng(4))
    assert [(str(s.expression), s.error) for s in other.skeletons] != lists[0]


def test_torch_is_left_as_it_was():
    torch = pytest.importorskip("torch")
    threads, state = torch.get_num_threads(), torch.get_rng_state()
    DsrSearch(batch_size=20, n_batches=1).search(hard(), Budget(), rng=np.random.default_rng(0))
    assert torch.get_num_threads() == threads
    assert torch.equal(torch.get_rng_state(), state)


def test_budgets_are_kept():
    pytest.importorskip("torch")
    ranking = SMALL.search(hard(), Budget(n_fits=300), rng=np.random.default_rng(0))
    assert 300 <= ranking.n_fits <= 300 + 2 * SKELETONS_AT_ONCE
    assert "300 fits" in ranking.ended
    assert ranking.skeletons
    ranking = SMALL.search(hard(), Budget(seconds=0.3), rng=np.random.default_rng(0))
    assert "time limit" in ranking.ended
    ranking = SMALL.search(hard(), Budget(target_error=0.5), rng=np.random.default_rng(0))
    assert "target error" in ranking.ended
    assert ranking.best.error <= 0.5


def test_an_interrupt_returns_the_best_so_far():
    pytest.importorskip("torch")
    stages = []

    def interrupt(progress: Progress) -> None:
        stages.append(progress.stage)
        if len(stages) == 5:
            raise KeyboardInterrupt

    ranking = SMALL.search(hard(), Budget(), rng=np.random.default_rng(0), progress=interrupt)
    assert ranking.ended == "The search was interrupted."
    assert ranking.skeletons
    assert stages[0] == "batch 1"


@pytest.mark.parametrize(
    "wrong", [{"min_length": 0}, {"min_length": 70}, {"max_constants": -1}, {"length_deviation": 0}]
)
def test_rules_that_nothing_can_obey_are_refused(wrong):
    with pytest.raises(ValueError, match=r"Lengths|limit"):
        SequenceRules(**wrong)


def test_a_training_that_learns_from_nothing_is_refused():
    with pytest.raises(ValueError, match="share"):
        Training(epsilon=0)


def test_torch_loads_only_for_a_search():
    code = "import scalesr.search.policy.search, scalesr.search.hybrid.search, sys; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_a_missing_torch_says_how_to_get_it(monkeypatch):
    from scalesr.errors import MissingExtra

    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "scalesr.search.policy.network", raising=False)
    with pytest.raises(MissingExtra, match=r"pip install 'scalesr\[torch\]'"):
        DsrSearch().search(hard(), Budget(), rng=np.random.default_rng(0))
