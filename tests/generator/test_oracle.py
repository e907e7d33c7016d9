import numpy as np
import pytest

from scalesr.errors import DataError, SettingError
from scalesr.generator.oracle import OracleGenerator
from scalesr.generator.questions import Questions
from scalesr.records.dataset import Dataset
from scalesr.records.oracle import Oracle

X = np.random.default_rng(0).uniform(1, 3, (200, 2))
DATA = Dataset.from_table(X, X[:, 0] * X[:, 1])


def product(table):
    return table[:, 0] * table[:, 1]


def asking(function, budget=None):
    questions = Questions(Oracle(function, budget))
    return questions, OracleGenerator(questions, DATA)


def test_values_and_derivatives_are_those_of_the_function_and_every_row_is_counted():
    questions, oracle = asking(product)
    before = questions.n_asked
    np.testing.assert_array_equal(oracle.predict(X), product(X))
    np.testing.assert_allclose(oracle.gradient(X[:10]), X[:10, ::-1], rtol=1e-9)
    assert questions.n_asked - before == 200 + 2 * 2 * 10
    assert f"asked for {questions.n_asked} rows" in oracle.description
    assert oracle.noise == 0


def test_the_budget_on_rows_is_kept():
    questions, oracle = asking(product, budget=100)
    assert questions.rest == Oracle(product, questions.n_left)
    values = oracle.predict(X)
    assert (questions.n_asked, questions.n_left) == (100, 0)
    assert not questions.may_ask(1)
    assert np.isnan(values[-1])


def test_noise_is_how_much_answers_vary():
    rng = np.random.default_rng(1)
    _, oracle = asking(lambda table: product(table) + 0.1 * rng.standard_normal(len(table)))
    assert 0.05 < oracle.noise < 0.2


def test_rows_that_raise_or_have_no_number_are_missing_and_the_others_are_not():
    def moody(table):
        if (table[:, 0] > 2.9).any():
            raise RuntimeError("too hot")
        return np.where(table[:, 1] > 2.5, np.nan, product(table))

    rows = X[:100]
    values = asking(moody)[1].predict(rows)
    known = (rows[:, 0] <= 2.9) & (rows[:, 1] <= 2.5)
    np.testing.assert_array_equal(np.isfinite(values), known)
    np.testing.assert_array_equal(values[known], product(rows)[known])


def test_one_bad_row_in_thousands_costs_no_other_and_few_questions():
    calls = []

    def brittle(table):
        calls.append(len(table))
        if (table[:, 0] == 7.0).any():
            raise ValueError("seven")
        return product(table)

    _, oracle = asking(brittle)
    rows = np.random.default_rng(2).uniform(1, 3, (5000, 2))
    rows[1234, 0] = 7.0
    calls.clear()
    assert np.flatnonzero(np.isnan(oracle.predict(rows))).tolist() == [1234]
    assert len(calls) < 40


def test_a_function_that_always_fails_is_an_error_with_its_message():
    def broken(table):
        raise RuntimeError("no licence")

    with pytest.raises(DataError, match="no licence"):
        asking(broken)


def test_an_answer_of_the_wrong_shape_is_an_error():
    with pytest.raises(DataError, match=r"shape \(200, 2\)|shape \(16, 2\)"):
        asking(lambda table: table)


def test_trust_ends_at_the_box_of_the_data():
    _, oracle = asking(product)
    assert oracle.trusted(np.array([[2.0, 2.0], [2.0, 9.0]])).tolist() == [True, False]


@pytest.mark.parametrize("budget", [-1, 1.5, "many"])
def test_a_budget_is_a_number_of_rows(budget):
    with pytest.raises(SettingError, match="budget="):
        Oracle(product, budget)


def test_an_oracle_is_a_function():
    with pytest.raises(SettingError, match="function"):
        Oracle("product")
