"""The Pareto front can be used: chosen from, predicted with, saved and exported."""

import copy

import numpy as np
import pandas as pd
import pytest

from scalesr import Operators, ScaleSRRegressor, load
from scalesr.errors import SettingError

X = pd.DataFrame(np.random.default_rng(0).uniform(1, 3, (80, 2)), columns=["a", "b"])
NOISE = 0.01 * np.random.default_rng(1).normal(size=80)
Y = (2 * X["a"] ** 2 - 0.05 * X["b"] + NOISE).rename("y")


def fitted(y=Y, **settings) -> ScaleSRRegressor:
    return ScaleSRRegressor(**({"random_state": 0, "time_limit": None, "max_work": 5} | settings)).fit(X, y)


@pytest.fixture(scope="module")
def found() -> ScaleSRRegressor:
    return fitted()


@pytest.fixture
def model(found) -> ScaleSRRegressor:
    """The fitted model, of which each test may choose another law."""
    return copy.deepcopy(found)


def test_every_law_of_the_front_predicts_by_its_row(model):
    front = model.equations_
    assert len(front) > 2
    for place, equation in enumerate(front["equation"]):
        assert np.array_equal(model.predict(X, index=place), equation.predict(X))
        assert model.latex(place) == equation.latex()
    assert np.array_equal(model.predict(X), model.equation_.predict(X))


def test_a_chosen_law_is_the_model_until_another_is(tmp_path, model):
    own, short = model.equation_, model.equations_["complexity"].iloc[1]
    assert model.select(complexity=short) is model
    assert model.equation_.complexity == short
    assert np.array_equal(model.predict(X), model.predict(X, index=1))
    assert "The evidence prefers" in model.discovery_.sentence
    model.save(tmp_path / "short.json")
    again = load(tmp_path / "short.json")
    assert again.discovery_ == model.discovery_
    assert again.equation_ == model.equation_
    assert again.select().equation_ == model.select().equation_ == own


def test_several_targets_are_chosen_for_together_or_by_name(rng):
    both = fitted(pd.DataFrame({"y": Y, "a2": X["a"] ** 2 + 0.01 * rng.normal(size=80)}))
    own = both.equation_
    both.select(0, target="a2")
    assert both.equation_[0] == own[0]
    assert both.equation_[1].complexity == 0
    assert [one.complexity for one in both.select(0).equation_] == [0, 0]
    with pytest.raises(SettingError, match="no target 'z'; the targets are y, a2"):
        both.select(0, target="z")


def test_model_selection_takes_the_law_that_its_rule_says():
    model = fitted(model_selection="accuracy")
    assert model.discovery_.taken.loss == model.equations_["loss"].min()
    with pytest.raises(SettingError, match="model_selection='loss' is unknown"):
        fitted(model_selection="loss")


def test_no_law_is_longer_than_allowed():
    model = fitted(max_complexity=4)
    assert model.equations_["complexity"].max() <= 4
    assert model.score(X, Y) > 0.9
    with pytest.raises(SettingError, match="max_complexity=0 is not a whole number of 1 or more"):
        fitted(max_complexity=0)


@pytest.mark.parametrize("given", ["+,*,powi", " + , *, powi", ["+", "*", "powi"], ("+", "*", "powi")])
def test_operators_are_given_as_a_list_or_between_commas(given):
    own = fitted(operators=Operators("+", "*", "powi"), max_work=0.5)
    assert fitted(operators=given, max_work=0.5).equation_ == own.equation_


@pytest.mark.parametrize("given", [3, {"+": 1}, [3], None])
def test_operators_of_another_kind_are_refused(given):
    with pytest.raises(SettingError, match="is not a set of operators; write"):
        fitted(operators=given)


def test_the_front_is_a_latex_table(model):
    lines = model.latex_table().splitlines()
    assert lines[0] == r"\begin{tabular}{rrrl}"
    assert len(lines) == len(model.equations_) + 6
    (taken,) = [line for line in lines if "$^{*}$" in line]
    assert taken.endswith(f"${model.latex()}$ \\\\")


def test_numbers_are_printed_with_the_digits_that_their_errors_allow(model):
    model.select(complexity=model.equations_["complexity"].iloc[-1])
    printed, whole = str(model.equation_), model.equation_.text()
    assert len(printed) < len(whole)
    assert "+ -" not in whole


def test_the_law_is_a_torch_function(model):
    torch = pytest.importorskip("torch")
    rows = torch.tensor(X.to_numpy())
    assert model.torch()(rows).numpy() == pytest.approx(model.predict(X))
    assert model.torch(0)(rows).numpy() == pytest.approx(model.predict(X, index=0))
    assert "import torch" in model.equation_.source("torch")
    assert "import jax.numpy as np" in model.equation_.source("jax")
    with pytest.raises(SettingError, match="'fortran'; known are python, torch, jax, c"):
        model.equation_.source("fortran")
