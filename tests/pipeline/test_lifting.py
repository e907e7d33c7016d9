"""A function of the original columns, asked at rows of a smaller dataset."""

import numpy as np
import pytest

from scalesr.expr.evaluate import evaluate_many
from scalesr.expr.text import parse
from scalesr.generator.questions import Questions
from scalesr.pipeline.lifting import Lifted
from scalesr.records.dataset import Dataset
from scalesr.records.oracle import Oracle
from scalesr.reduce.reduction import ONE, Transformation, applied, untouched

NAMES = ("a", "b", "c", "d")
X = np.random.default_rng(0).uniform([0.5, 1, -3, -1], [2, 5, 3, 1], (400, 4))


def reduced(y, *moves):
    """The dataset after moves that are written in the names of its columns at the time."""
    here = untouched(Dataset.from_table(X, y, names=NAMES))
    for gone, new, factor in moves:
        places = [f"x{j}" for j in range(here.data.n_variables)]
        formulas = tuple(parse(text, places) for text in new)
        here = applied(Transformation(gone, formulas, parse(factor, places) if factor else ONE, 0.0), here)
        assert here is not None
    return here


@pytest.mark.parametrize(
    "formula", ["x0*x1", "x0/x1", "x0^2 + x1^2", "x0 - x1", "1/x0 + 1/x1", "x1^2/x0", "x0^3 - x1^3", "x0/1000"]
)
def test_rows_behind_have_the_values_and_lie_in_the_box(formula):
    here = reduced(X[:, 0], ((0, 1), (formula,), ""))
    low, high = here.data.columns.min(axis=1), here.data.columns.max(axis=1)
    Z = np.random.default_rng(1).uniform(low, high, (300, 3))
    rows = Lifted(Questions(Oracle(lambda X: X[:, 0])), Dataset.from_table(X, X[:, 0]), here).rows_behind(Z)
    assert np.isfinite(rows).all()
    assert (rows >= X.min(axis=0)).all()
    assert (rows <= X.max(axis=0)).all()
    np.testing.assert_allclose(evaluate_many(here.columns, rows).T, Z, rtol=1e-11, atol=1e-11)


def test_answers_are_those_of_the_reduced_law_after_several_moves():
    def law(X):
        return 3 * X[:, 2] * np.sin(X[:, 0] * X[:, 1]) * np.exp((X[:, 0] * X[:, 1]) / 10) + X[:, 2] * 0 * X[:, 3]

    # the target over c, a*b in the place of a and b, then d left out
    here = reduced(law(X), ((2,), (), "x2"), ((0, 1), ("x0*x1",), ""), ((1,), (), ""))
    assert here.data.names == ("a*b",)
    questions = Questions(Oracle(law))
    Z = np.linspace(0.6, 9.5, 200)[:, np.newaxis]
    values = Lifted(questions, Dataset.from_table(X, law(X)), here).ask(Z)
    np.testing.assert_allclose(values, 3 * np.sin(Z[:, 0]) * np.exp(Z[:, 0] / 10), rtol=1e-11, atol=1e-12)
    assert questions.n_asked == 200


def test_a_row_that_no_original_row_has_is_not_asked_for():
    questions = Questions(Oracle(lambda X: X[:, 0]))
    here = reduced(X[:, 0], ((0, 1), ("x0*x1",), ""))
    values = Lifted(questions, Dataset.from_table(X, X[:, 0]), here).ask(np.array([[99.0, 0.0, 0.0], [2.0, 0.0, 0.0]]))
    assert np.isnan(values).tolist() == [True, False]
    assert questions.n_asked == 1


def test_columns_that_no_formula_has_are_held_at_one_setting():
    seen = []

    def watched(table):
        seen.append(table.copy())
        return table[:, 0]

    here = reduced(X[:, 0], ((2, 3), (), ""))
    Lifted(Questions(Oracle(watched)), Dataset.from_table(X, X[:, 0]), here).ask(X[:50, :2])
    (rows,) = seen
    assert (rows[:, 2:] == rows[0, 2:]).all()
    assert (X[:, 2:] == rows[0, 2:]).all(axis=1).any()
