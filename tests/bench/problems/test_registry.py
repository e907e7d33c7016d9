import numpy as np
import pytest

from scalesr.expr.text import names_in
from scalesr_bench.problems.registry import SUITES
from scalesr_bench.samplers import uniform_rows

PROBLEMS = [problem for suite in SUITES.values() for problem in suite]


def test_every_suite_is_whole():
    assert {name: len(suite) for name, suite in SUITES.items()} == {
        "paper": 10,
        "nguyen": 13,
        "jin": 6,
        "livermore": 25,
        "constant": 8,
        "rational": 6,
        "strogatz": 14,
        "feynman": 100,
    }
    assert len({problem.key for problem in PROBLEMS}) == len(PROBLEMS)
    assert all(problem.suite == name for name, suite in SUITES.items() for problem in suite)


@pytest.mark.parametrize("suite", SUITES)
def test_every_law_has_finite_values_on_its_box(suite):
    for problem in SUITES[suite]:
        X = uniform_rows(problem.box, 500, rng=np.random.default_rng(1))
        values = problem.values(X)
        assert np.isfinite(values).all(), problem.key
        assert values.std() > 0, problem.key


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.key)
def test_every_law_has_the_stated_variables(problem):
    assert problem.expression.n_open == 0
    unused = {"y"} if problem.key == "strogatz/vdp2" else set()
    assert set(names_in(problem.formula)) == set(problem.names) - unused


# Each law once from a calculation of its own, to notice a slip of the pen.
@pytest.mark.parametrize(
    ("key", "row", "expected"),
    [
        ("paper/Jin-6", (0.0, 2.0), 5.5 * np.sin(-1.0)),
        ("nguyen/Nguyen-4", (0.5,), 0.984375),
        ("livermore/Livermore-9", (0.5,), 1 - 0.5**9),
        ("livermore/Livermore-7", (0.3,), np.sinh(0.3)),
        ("constant/Constant-8", (0.6,), np.log(2.0 * 1.66)),
        ("rational/R3", (1.0,), 0.4),
        ("strogatz/shearflow1", (0.3, 0.7), np.cos(0.3) / np.tan(0.7)),
        ("feynman/I.25.13", (3.0, 2.0), 1.5),
        ("feynman/I.26.2", (0.5, 2.0), np.arcsin(0.5 * np.sin(2.0))),
        ("feynman/I.41.16", (2.0, 3.0, 4.0, 1.5, 2.5), 32 / (2 * np.pi**3 * 6.25 * np.expm1(8 / (9 * np.pi)))),
        ("feynman/III.9.52", (1.0, 2.0, 3.0, 1.0, 2.0, 1.0), 12 * np.pi * np.sin(1.5) ** 2 / 2.25),
    ],
)
def test_a_law_has_its_known_value(key, row, expected):
    problem = next(problem for problem in PROBLEMS if problem.key == key)
    assert problem.values(np.array([row]))[0] == pytest.approx(expected, rel=1e-12)
