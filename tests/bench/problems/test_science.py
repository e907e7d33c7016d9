from itertools import permutations

import numpy as np
import pytest

from scalesr.errors import DataError
from scalesr.expr.canonical import canonical_key
from scalesr.expr.simplify import simplify
from scalesr.expr.text import names_in, parse
from scalesr_bench.laws.suites import suite_of
from scalesr_bench.problems.problem import Problem
from scalesr_bench.problems.science import PARTS, halves, science, science_laws
from scalesr_bench.samplers import random_rows

LAWS = science_laws()
OTHER_SUITES = "feynman,strogatz,paper,nguyen,jin,livermore,constant,rational,empirical,real,many-variables"


def rows(problem, n, seed):
    return random_rows(problem.box, n, problem.sampling.spacing, rng=np.random.default_rng(seed))


def key(problem: Problem, names) -> str:
    """What two laws share that differ in the names of their variables and in their constants only."""
    return canonical_key(simplify(parse(problem.formula, names)).skeleton())


def operators(problem):
    return problem.n_variables, tuple(sorted(simplify(problem.expression).codes.tolist()))


def test_there_are_enough_laws_of_many_fields_and_sizes():
    assert len(LAWS) == len({law.problem.name for law in LAWS}) >= 90
    assert len({law.field for law in LAWS}) >= 8
    assert {law.problem.n_variables for law in LAWS} == set(range(2, 11))
    assert all(law.problem.expression.n_nodes <= 32 for law in LAWS)


def test_the_halves_are_those_of_the_rule_and_share_nothing():
    assert {law.problem.name: law.part for law in LAWS} == halves([law.problem for law in LAWS])
    assert abs(len(science("seen")) - len(science("unseen"))) <= 1
    assert set(science("seen")).isdisjoint(science("unseen"))
    assert set(science("all")) == {*science("seen"), *science("unseen")}
    assert science() == science("seen")


def test_the_halves_are_alike_in_their_numbers_of_variables():
    counts = [np.bincount([law.n_variables for law in science(part)], minlength=11) for part in PARTS[:2]]
    assert np.abs(counts[0] - counts[1]).max() <= 1


def test_an_unknown_part_is_refused():
    with pytest.raises(DataError, match="Unknown part 'hidden' of science"):
        science("hidden")


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.problem.name)
def test_a_law_has_finite_values_and_variables_that_all_matter(law):
    problem = law.problem
    assert problem.expression.n_open == 0
    assert set(names_in(problem.formula)) == set(problem.names)
    X, other = rows(problem, 4000, 1), rows(problem, 4000, 2)
    values = problem.values(X)
    assert np.isfinite(values).all()
    assert values.std() > 0.05 * abs(values.mean())
    off = values - values.mean()
    assert np.mean(off**4) < 50 * np.mean(off**2) ** 2, "a few rows make up the target"
    for column in range(problem.n_variables):
        changed = X.copy()
        changed[:, column] = other[:, column]
        index = np.mean((problem.values(changed) - values) ** 2) / (2 * values.var())  # Sobol's total one
        assert index > 0.008, problem.names[column]  # stated as 0.01; 4000 rows tell it to about a tenth


def test_no_law_is_one_of_another_suite_with_other_names_and_constants():
    known = {}
    for other in suite_of(OTHER_SUITES):
        known.setdefault(operators(other), set()).add(key(other, other.names))
    for law in LAWS:
        for_names = known.get(operators(law.problem), set())
        found = for_names and {key(law.problem, names) for names in permutations(law.problem.names)} & for_names
        assert not found, law.problem.name


def test_the_check_for_renamed_laws_would_see_one():
    renamed = Problem("own", "own", ("a", "b", "c"), "3.7*b*c^2/a", ((1.0, 2.0),) * 3)
    newton = Problem("newton", "own", ("r", "m", "v"), "2*v*r^2/m", ((1.0, 2.0),) * 3)
    assert operators(renamed) == operators(newton)
    assert key(newton, newton.names) in {key(renamed, names) for names in permutations(renamed.names)}


# A few laws from a calculation of their own, to notice a slip of the pen.
@pytest.mark.parametrize(
    ("name", "row", "expected"),
    [
        ("compton-energy", {"E": 511.0, "theta": np.pi / 2}, 255.5),
        ("solar-cell", {"IL": 5.0, "I0": 1e-9, "V": 0.5, "n": 1.0}, 5 - 1e-9 * np.expm1(0.5 / 0.025852)),
        ("bond-price", {"c": 50.0, "r": 0.05, "n": 10.0, "F": 1000.0}, 1000.0),  # a coupon at the rate: at par
        ("mixing-temperature", {"m1": 1.0, "c1": 4000.0, "T1": 300.0, "m2": 3.0, "c2": 4000.0, "T2": 340.0}, 330.0),
        ("van-der-waals-gas", {"n": 1.0, "T": 300.0, "V": 1e-3, "a": 0.0, "b": 0.0}, 8.314 * 300 / 1e-3),
    ],
)
def test_a_law_has_its_known_value(name, row, expected):
    (problem,) = [law.problem for law in LAWS if law.problem.name == name]
    assert problem.values(np.array([[row[name] for name in problem.names]]))[0] == pytest.approx(expected, rel=1e-9)
