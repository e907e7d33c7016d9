import numpy as np
import pytest

from scalesr.errors import DataError
from scalesr.expr.text import names_in
from scalesr_bench.problems.hard import HARD_SUITES, KINDS, hard, hard_laws
from scalesr_bench.problems.science import halves
from scalesr_bench.samplers import random_rows

LAWS = hard_laws()
BESIDE = {"one-of-three", "product-of-four", "wave-over-distance"}  # laws with columns that do not matter


def rows(problem, n, seed):
    return random_rows(problem.box, n, problem.sampling.spacing, rng=np.random.default_rng(seed))


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_has_enough_laws_in_the_halves_of_the_rule(kind):
    own = [law for law in LAWS if law.kind == kind]
    assert len(own) == len({law.problem.name for law in own}) >= 40
    assert {law.problem.name: law.part for law in own} == halves([law.problem for law in own])


def test_the_halves_share_nothing_and_make_up_the_suite():
    for suite in HARD_SUITES:
        assert set(hard(suite)).isdisjoint(hard(suite, "unseen"))
        assert set(hard(suite, "all")) == {*hard(suite, "seen"), *hard(suite, "unseen")}
    with pytest.raises(DataError, match="Unknown part 'hidden' of hard-poles"):
        hard("hard-poles", "hidden")


@pytest.mark.parametrize("law", LAWS, ids=lambda law: f"{law.kind}-{law.problem.name}")
def test_a_law_has_finite_values_and_columns_that_matter(law):
    problem = law.problem
    assert problem.expression.n_open == 0
    assert set(names_in(problem.formula)) == set(problem.names) or problem.name in BESIDE
    X, other = rows(problem, 4000, 1), rows(problem, 4000, 2)
    values = problem.values(X)
    assert np.isfinite(values).all()
    for name in names_in(problem.formula):
        changed, column = X.copy(), problem.names.index(name)
        changed[:, column] = other[:, column]
        moved = np.abs(problem.values(changed) - values) > 1e-3 * np.abs(values)
        assert moved.mean() > 0.1, name


def test_a_few_rows_carry_the_variance_of_a_target_with_poles():
    heavy = 0
    for problem in hard("hard-poles", "all"):
        off = np.sort((values := problem.values(rows(problem, 2000, 1))) - values.mean()) ** 2
        heavy += np.sort(off)[-20:].sum() > 0.5 * off.sum()  # one row in a hundred has half of it
    assert heavy > 0.9 * len(hard("hard-poles", "all"))


def test_laws_of_many_terms_have_as_many_as_said():
    for problem in hard("hard-many-terms", "all"):
        assert problem.n_variables in (8, 10)
        assert 16 <= problem.formula.count(" + ") + problem.formula.count(" - ") + 1 <= 20


# A few laws from a calculation of their own, to notice a slip of the pen.
@pytest.mark.parametrize(
    ("suite", "name", "row", "expected"),
    [
        ("hard-poles", "thin-lens", (2.0, 6.0), 3.0),
        ("hard-poles", "cramer", (5.0, 1.0, 1.0, 3.0, 1.0, -1.0), 1.0),  # x + y = 5, -x + y = 3
        ("hard-decades", "clock-near-mass", (1.0, 4.0 / 1.485233e-27, 16.0), 1 / np.sqrt(0.75)),
        ("hard-decades", "binding-quadratic", (3.0, 1.0, 1.5), (5.5 - np.sqrt(5.5**2 - 18)) / 2),
        ("hard-oscillations", "double-slit", (2.0, 1.0, 1.0, 4.0), 1.0),
    ],
)
def test_a_law_has_its_known_value(suite, name, row, expected):
    (problem,) = [one for one in hard(suite, "all") if one.name == name]
    assert problem.values(np.array([row]))[0] == pytest.approx(expected, rel=1e-9)
