"""The regressor keeps scikit-learn's contract, alone and inside its tools."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import (
    check_estimators_pickle,
    check_fit_idempotent,
    check_regressors_train,
    parametrize_with_checks,
)

from scalesr import Operators, ScaleSRRegressor
from scalesr.estimators.parameters import SEARCHES
from scalesr.search.mcts import MctsSearch

rng = np.random.default_rng(0)
X = rng.uniform(1, 2, (60, 2))
y = 3 * X[:, 0] * X[:, 1]


def limits_for(check) -> dict[str, float | None]:
    """Most checks look at the shape of things or fit noise; these ask for the law of a noisy table."""
    asks = check.func.__name__ in ("check_regressors_train", "check_regressor_data_not_an_array")
    return {"time_limit": None, "max_work": 5.0 if asks else 0.1}


@parametrize_with_checks([ScaleSRRegressor()])
def test_scikit_learn_has_no_objection(estimator, check):
    check(estimator.set_params(**limits_for(check)))


@pytest.mark.parametrize("check", [check_regressors_train, check_fit_idempotent, check_estimators_pickle])
@pytest.mark.parametrize("name", [name for name in SEARCHES if name != ScaleSRRegressor().search])
def test_no_search_breaks_what_scikit_learn_asks_of_a_fit(name, check):
    """All else is the estimator's own, whichever search it calls."""
    limits = {"time_limit": None, "max_work": 5.0 if check is check_regressors_train else 0.1}
    check("ScaleSRRegressor", ScaleSRRegressor(search=name, **limits))


def test_a_pipeline_predicts_what_the_transformed_table_gives():
    chain = make_pipeline(FunctionTransformer(np.log), ScaleSRRegressor(random_state=0)).fit(X, np.log(y))
    assert chain.predict(X) == pytest.approx(np.log(y))


def test_cross_validation_scores_an_exact_law_with_one():
    assert cross_val_score(ScaleSRRegressor(random_state=0), X, y, cv=3) == pytest.approx(1.0)


def test_a_grid_search_may_vary_every_kind_of_parameter():
    grid = {"operators": ["paper", Operators("+", "*")], "plain_laws": [True], "time_limit": [None]}
    found = GridSearchCV(ScaleSRRegressor(random_state=0), grid, cv=2).fit(X, y)
    assert found.best_score_ == pytest.approx(1.0)
    assert found.best_estimator_.equation_.predict([[2.0, 5.0]]) == pytest.approx(30.0)


@pytest.mark.parametrize("copied", [clone, lambda model: pickle.loads(pickle.dumps(model))])  # noqa: S301
def test_copies_keep_parameters_that_are_objects(copied):
    operators = Operators("paper", "sqrt")
    model = ScaleSRRegressor(operators=operators, search=MctsSearch(operators), generator=np.prod, time_limit=3)
    parameters = copied(model).get_params()
    assert parameters["operators"] == operators
    assert parameters["search"] == MctsSearch(operators)
    assert parameters["generator"] is np.prod
    assert parameters["time_limit"] == 3


def test_a_pickle_of_a_fitted_model_predicts_the_same_and_has_the_whole_record():
    model = ScaleSRRegressor(operators=Operators("physics"), random_state=0).fit(X, y)
    again = pickle.loads(pickle.dumps(model))  # noqa: S301
    assert np.array_equal(again.predict(X), model.predict(X))
    assert again.equation_ == model.equation_
    assert again.discovery_.trace == model.discovery_.trace


def test_a_clone_of_a_fitted_model_is_not_fitted():
    model = clone(ScaleSRRegressor(random_state=0).fit(X, y))
    for use in (lambda: model.predict(X), lambda: model.equation_, lambda: model.equations_, model.latex):
        with pytest.raises(NotFittedError):
            use()
    assert model._repr_latex_() is None


def test_the_constructor_takes_keywords_only_and_fit_checks_them():
    with pytest.raises(TypeError):
        ScaleSRRegressor("paper")
    ScaleSRRegressor(preset="nonsense", time_limit=-1)


def test_a_table_with_other_columns_is_refused_by_name():
    model = ScaleSRRegressor(random_state=0).fit(pd.DataFrame(X, columns=["m", "v"]), y)
    with pytest.raises(ValueError, match=r"unseen at fit time:\n- w\n.*now missing:\n- v"):
        model.predict(pd.DataFrame(X, columns=["m", "w"]))
    with pytest.raises(ValueError, match="same order"):
        model.predict(pd.DataFrame(X, columns=["v", "m"]))
    with (
        pytest.raises(ValueError, match="X has 1 features, but ScaleSRRegressor is expecting 2"),
        pytest.warns(UserWarning, match="feature names"),
    ):
        model.predict(X[:, :1])


def test_the_score_is_minus_infinity_where_the_law_has_no_value():
    model = ScaleSRRegressor(random_state=0).fit(X[:, :1], np.log(X[:, 0]))
    assert model.score(X[:, :1], np.log(X[:, 0])) == pytest.approx(1.0)
    beyond = np.array([[1.0], [-1.0]])
    assert np.isnan(model.predict(beyond)[1])
    assert model.score(beyond, [0.0, 1.0]) == -np.inf


def test_the_html_of_a_notebook_is_scikit_learns():
    assert "ScaleSRRegressor" in ScaleSRRegressor(operators=Operators("paper"))._repr_html_()
