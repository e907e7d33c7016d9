import numpy as np
import pytest

from scalesr.expr.operators import Operators
from scalesr.expr.text import parse
from scalesr.records.budget import Budget, Progress
from scalesr.records.sweep import Sweep
from scalesr.search.genetic.symbols import Symbols
from scalesr.search.hybrid.breeding import Breeder, Evolution
from scalesr.search.hybrid.search import NggpSearch
from scalesr.search.hybrid.sequences import ScoredSequences
from scalesr.search.policy.grading import Grader
from scalesr.search.policy.rules import SequenceRules
from scalesr.search.policy.sampling import lessons, obey, sample
from scalesr.search.policy.training import Training
from scalesr.search.policy.vocabulary import Vocabulary, padded
from scalesr.search.scoring import Scorer
from tests.search.policy.sequences import Indifferent, check_rules, curve, nguyen_1, tree_of

PHYSICS = Operators("physics")
SMALL = NggpSearch(
    rules=SequenceRules(max_constants=0), batch_size=60, n_batches=100,
    evolution=Evolution(n_generations=5, n_returned=10),
    training=Training(device="cpu", learning_rate=2.5e-3, epsilon=0.02),
)  # fmt: skip


def hard() -> Sweep:
    return curve(lambda x: np.sin(x**2) * np.cos(x) / (np.abs(x) + 0.3) - 1)


def breeder(rules: SequenceRules, n_variables: int = 2) -> Breeder:
    return Breeder(
        Vocabulary.over(PHYSICS, n_variables), rules, Symbols.over(PHYSICS, n_variables, nesting=3), Evolution()
    )


def test_offspring_obey_every_rule_and_tokens_stay_their_formulas():
    rules, rng = SequenceRules(max_length=20, max_constants=3), np.random.default_rng(0)
    bred = breeder(rules)
    tokens = sample(Indifferent(bred.vocabulary), bred.vocabulary, rules, 300, rng)
    first = tokens
    forms = [bred.vocabulary.expression(row) for row in tokens]
    for _ in range(5):
        forms, tokens = bred.offspring(forms, tokens, rng)
        for form, row in zip(forms, tokens, strict=True):
            check_rules(tree_of(bred.vocabulary, row), rules)
            assert bred.vocabulary.expression(row) == form
    assert obey(lessons(tokens, bred.vocabulary, rules)).all()
    assert (tokens != first).any(axis=1).mean() > 0.8


def test_generations_improve_on_the_seeds():
    rules, rng = SequenceRules(), np.random.default_rng(0)
    bred = breeder(rules, 1)
    tokens = sample(Indifferent(bred.vocabulary), bred.vocabulary, rules, 50, rng)
    grader = Grader(Scorer(hard(), Budget()), bred.vocabulary, share=0.05)
    seeds = ScoredSequences(tokens, grader.errors(tokens))
    best = bred.evolve(seeds, grader, rng)
    assert len(best) == 50
    assert (np.diff(best.errors) >= 0).all()
    assert best.errors[0] < seeds.errors.min()


def test_a_pool_keeps_distinct_sequences_with_values_best_first():
    tokens = np.array([[1, 1], [2, 2], [1, 1], [3, 3], [4, 4]])
    best = ScoredSequences(tokens, np.array([0.5, 0.1, 0.5, np.inf, 0.7])).best(4)
    assert best.tokens[:, 0].tolist() == [2, 1, 4]
    assert len(ScoredSequences(tokens, np.full(5, np.inf)).best(3)) == 0


def test_grades_are_errors_of_fits_and_infinite_without_values():
    vocabulary = Vocabulary.over(PHYSICS, 1)
    grader = Grader(Scorer(curve(nguyen_1), Budget()), vocabulary, share=0.5)
    texts = ["C*x0 + (x0^2 + x0^3)", "log(0.0*x0 - x0^2)", "x0 + (x0 - x0)"]
    tokens = padded([vocabulary.sequence(parse(text)) for text in texts], vocabulary, 20)
    errors = grader.errors(tokens)
    assert errors[0] < 1e-12
    assert errors[1] == np.inf
    y, x = curve(nguyen_1).y, curve(nguyen_1).columns[0]
    np.testing.assert_allclose(errors[2], np.sqrt(np.mean((y - x) ** 2)) / np.std(y))


@pytest.mark.parametrize(("law", "n_variables"), [(nguyen_1, 1), (lambda x, y: x * y, 2)])
def test_small_laws_are_found(law, n_variables):
    pytest.importorskip("torch")
    ranking = SMALL.search(curve(law, n_variables), Budget(), rng=np.random.default_rng(0))
    assert ranking.best.within_noise
    assert ranking.best.error < 1e-10


def test_the_policy_comes_to_write_the_best_that_was_bred():
    pytest.importorskip("torch")
    from scalesr.search.policy.network import Policy, one_thread

    vocabulary, rules, rng = Vocabulary.over(PHYSICS, 1), SequenceRules(), np.random.default_rng(0)
    policy = Policy(vocabulary, Training(device="cpu", learning_rate=0.02), rng)
    law = padded([vocabulary.sequence(parse("x0^3 + x0*sin(C*x0)"))], vocabulary, rules.max_length)
    taught = lessons(law, vocabulary, rules)
    with one_thread():
        for _ in range(100):
            policy.learn(taught, np.array([200.0]))
    drawn = sample(policy, vocabulary, rules, 200, rng)
    assert (drawn == law).all(axis=1).sum() > 20


def test_the_same_seed_gives_the_same_ranking():
    pytest.importorskip("torch")
    search = NggpSearch(
        batch_size=50, n_batches=2, evolution=Evolution(n_generations=3), training=Training(device="cpu")
    )
    found = [search.search(hard(), Budget(), rng=np.random.default_rng(seed)) for seed in (3, 3, 4)]
    lists = [[(str(s.expression), s.error) for s in ranking.skeletons] for ranking in found]
    assert lists[0] == lists[1] != lists[2]
    assert lists[0]


def test_budgets_are_kept():
    pytest.importorskip("torch")
    ranking = SMALL.search(hard(), Budget(n_fits=400), rng=np.random.default_rng(0))
    assert 400 <= ranking.n_fits < 550
    assert "400 fits" in ranking.ended
    ranking = SMALL.search(hard(), Budget(seconds=0.3), rng=np.random.default_rng(0))
    assert "time limit" in ranking.ended


def test_an_interrupt_returns_the_best_so_far():
    pytest.importorskip("torch")
    count = [0]

    def interrupt(progress: Progress) -> None:
        count[0] += 1
        if count[0] == 8:
            raise KeyboardInterrupt

    ranking = SMALL.search(hard(), Budget(), rng=np.random.default_rng(0), progress=interrupt)
    assert ranking.ended == "The search was interrupted."
    assert ranking.skeletons
