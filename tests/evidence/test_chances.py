"""Laws of log-odds: their constants and errors are those of the highest likelihood."""

import numpy as np
import pytest
from scipy.optimize import minimize

from scalesr.evidence.chances import Chances
from scalesr.expr.text import parse
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Verdict


def answers(rng, odds):
    return (rng.uniform(size=len(odds)) < 1 / (1 + np.exp(-odds))).astype(float)


def table(rng, n_rows=300):
    return rng.uniform(0, 5, (n_rows, 2))


def law_of(text):
    return parse(text, ["x", "z"])


def test_constants_and_errors_are_those_of_the_highest_likelihood(rng):
    X = table(rng)
    y = answers(rng, 1.2 * X[:, 0] - 0.8 * X[:, 1] - 0.5)
    chances = Chances(Dataset.from_table(X, y, names=["x", "z"]))
    chances.offer(law_of("1.1*x - 0.7*z - 0.6").skeleton().bind([1.1, 0.7, 0.6]), "given")

    def cost(c):
        odds = c[0] * X[:, 0] - c[1] * X[:, 1] - c[2]
        return np.logaddexp(0, odds).sum() - y @ odds

    best = minimize(cost, [1.0, 1.0, 1.0], tol=1e-10)
    law = chances.best.law.equation
    assert np.sort(chances.best.fit.constants) == pytest.approx(np.sort(best.x), rel=1e-4)
    p = law.predict(X)
    jacobian = np.column_stack([X[:, 0], -X[:, 1], -np.ones(len(X))])
    information = jacobian.T @ (jacobian * (p * (1 - p))[:, np.newaxis])
    errors = np.sqrt(np.diag(np.linalg.inv(information)))
    assert np.sort(law.standard_errors[law.standard_errors > 0]) == pytest.approx(
        np.sort(errors), rel=1e-2
    )  # one step before


def test_numbers_that_are_written_stay_where_the_answers_do_not_object(rng):
    X = table(rng)
    y = answers(rng, 2 * X[:, 0] - X[:, 1] - 2)
    chances = Chances(Dataset.from_table(X, y, names=["x", "z"]))
    chances.offer(law_of("2*x - z - 2"), "given")
    assert str(chances.best.law.equation) == "1/(1 + exp(-(2*x - z - 2)))"
    assert chances.judged()[0] is Verdict.WITHIN_NOISE
    probability, rivals = chances.probability(Verdict.WITHIN_NOISE)
    assert probability > 0.9
    assert not rivals


def test_a_share_is_no_law_and_has_the_error_of_a_share(rng):
    X = table(rng)
    y = (rng.uniform(size=300) < 0.3).astype(float)
    chances = Chances(Dataset.from_table(X, y, names=["x", "z"]))
    chances.offer(law_of("0.1*x"), "given")
    law = chances.best.law.equation
    assert law.constants[0] == pytest.approx(y.mean())
    assert law.standard_errors[0] in (0.0, pytest.approx(np.sqrt(y.mean() * (1 - y.mean()) / 300), rel=1e-3))
    verdict, reason = chances.judged()
    assert verdict is Verdict.NO_LAW
    assert reason == "No law that was tried predicts the answers better than their overall share does."
    assert chances.probability(verdict)[0] == 0


def test_answers_that_a_law_tells_apart_leave_its_steepness_open(rng):
    X = table(rng)
    y = (X[:, 0] > 2.5).astype(float)
    chances = Chances(Dataset.from_table(X, y, names=["x", "z"]))
    chances.offer(law_of("3*x - 7.5"), "given")
    verdict, reason = chances.judged()
    assert verdict is Verdict.NOT_IDENTIFIABLE
    assert "the rows do not determine how fast the probability changes" in reason


def test_what_is_left_of_a_wrong_law_is_seen(rng):
    X = table(rng, 1500)
    y = answers(rng, 3 - 1.5 * (X[:, 0] - 2.5) ** 2)
    chances = Chances(Dataset.from_table(X, y, names=["x", "z"]))
    chances.offer(law_of("0.1*z - 0.3"), "given")
    assert chances.judged()[0] in (Verdict.APPROXIMATE, Verdict.NO_LAW)
    chances.offer(law_of("3 - 1.4*(x - 2.5)^2"), "given")
    assert chances.judged()[0] is Verdict.WITHIN_NOISE
    assert [law.complexity for law in chances.front] == sorted(law.complexity for law in chances.front)


def test_long_laws_are_left_out_where_that_is_asked_for(rng):
    X = table(rng)
    y = answers(rng, X[:, 0] - 2.0)
    chances = Chances(Dataset.from_table(X, y, names=["x", "z"]), max_complexity=3)
    chances.offer(law_of("x - 2"), "given")
    assert not chances.best.law.equation.expression.variables
