"""Fits without a target: a function is asked for it."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from scalesr import Oracle, ScaleSRRegressor, Verdict, discover
from scalesr.errors import DataError, SettingError

X = np.random.default_rng(0).uniform(1, 3, (200, 2))


class Simulator:
    """A law that counts its rows, and fails where it is told to."""

    def __init__(self, fails_above=np.inf):
        self.n_rows, self.fails_above = 0, fails_above

    def __call__(self, table):
        self.n_rows += len(table)
        if (table[:, 0] > self.fails_above).any():
            raise RuntimeError("too hot")
        return 2 * table[:, 0] * table[:, 1] ** 2 + 1


def test_a_fit_without_y_asks_for_it():
    simulator = Simulator()
    model = ScaleSRRegressor(generator=simulator, time_limit=None, random_state=0).fit(
        pd.DataFrame(X, columns=["m", "v"])
    )
    assert str(model.equation_) == "2*m*v^2 + 1"
    assert model.discovery_.verdict is Verdict.EXACT
    assert model.target_names_ == ("y",)
    assert simulator.n_rows >= 200
    assert model.discovery_.trace[0].summary == "The given function was asked for 200 rows."
    np.testing.assert_allclose(model.predict(pd.DataFrame(X, columns=["m", "v"])), simulator(X))


def test_rows_without_an_answer_are_left_out_with_their_weights():
    model = ScaleSRRegressor(generator=Simulator(fails_above=2.5), time_limit=None, random_state=0)
    model.fit(X, sample_weight=np.linspace(1, 2, 200))
    missing = int((X[:, 0] > 2.5).sum())
    assert f"{missing} of 200 rows have no answer" in model.discovery_.trace[0].summary
    assert str(model.equation_) == "2*x0*x1^2 + 1"


def test_a_budget_is_never_passed():
    simulator = Simulator()
    asked = Oracle(simulator, budget=120)
    model = ScaleSRRegressor(generator=asked, plain_laws=False, time_limit=None, max_work=50, random_state=0)
    clone(model).fit(X)
    assert simulator.n_rows == 0  # the clone has a copy of its own
    model.fit(X)
    assert simulator.n_rows == 120
    assert "80 of 200 rows have no answer" in model.discovery_.trace[0].summary


@pytest.mark.parametrize("generator", ["auto", "kernel"])
def test_without_y_and_without_a_function_the_error_says_what_to_do(generator):
    with pytest.raises(DataError, match=r"requires y to be passed.*generator="):
        ScaleSRRegressor(generator=generator).fit(X)


def test_a_function_is_asked_in_a_box_where_there_are_no_rows():
    simulator = Simulator()
    found = discover(simulator, box={"m": (1, 3), "v": (0.01, 10)}, n_rows=300, time_limit=None, random_state=0)
    assert str(found.equation) == "2*m*v^2 + 1"
    assert found.verdict is Verdict.EXACT
    assert "asked for 300 rows" in found.trace[0].summary
    again = discover(
        Oracle(Simulator()), box={"m": (1, 3), "v": (0.01, 10)}, n_rows=300, time_limit=None, random_state=0
    )
    assert again.law.loss == found.law.loss  # the same rows


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "box="),
        ({"box": {"m": (3, 1)}}, "range of 'm'"),
        ({"box": {"m": (1, 3)}, "y": [1.0]}, "leave out y"),
        ({"box": {"m": (1, 3)}, "generator": "auto"}, "leave out y"),
        ({"box": {"m": (1, 3)}, "n_rows": 1}, "n_rows=1"),
    ],
)
def test_what_does_not_go_with_a_function_is_refused(arguments, said):
    with pytest.raises(DataError, match=said):
        discover(Simulator(), **arguments)


def test_a_box_does_not_go_with_rows():
    with pytest.raises(DataError, match="box"):
        discover(X, X[:, 0], box={"m": (1, 3)})


def test_a_bad_budget_is_refused():
    with pytest.raises(SettingError, match="budget=-5"):
        Oracle(Simulator(), budget=-5)
