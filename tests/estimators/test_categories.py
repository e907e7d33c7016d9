"""Columns of text with few values: what they add or multiply, found by the evidence and used in predictions."""

import numpy as np
import pandas as pd
import pytest

from scalesr import ScaleSRRegressor, load
from scalesr.errors import DataError
from scalesr.tables.categories import are_categories, levels_of, names_in

FACTORS = {"oak": 1.3, "steel": 4.1, "brass": 2.2}


def beams(rng, n_rows=90):
    return pd.DataFrame(
        {
            "material": rng.choice(list(FACTORS), n_rows),
            "x": rng.uniform(1, 5, n_rows),
            "season": rng.choice(["dry", "wet"], n_rows),
            "z": rng.uniform(1, 5, n_rows),
        }
    )


def fitted(X, y, **settings):
    return ScaleSRRegressor(random_state=0, time_limit=None, max_work=30, **settings).fit(X, y)


def said(model):
    return [step.summary for step in model.discovery_.trace if step.stage == "categories"]


def test_a_value_that_multiplies_is_found_and_others_are_left_out(rng):
    X = beams(rng)
    factor = X["material"].map(FACTORS)
    y = (factor * X["x"] ** 2 + 0.02 * rng.normal(size=len(X))).rename("load")
    model = fitted(X, y)
    assert str(model.equation_) == "x^2*a"
    assert said(model) == [
        "Each of the 3 values of material has its own a, which multiplies; they share everything else."
    ]
    own = model.group_constants_
    for name, value in FACTORS.items():
        assert abs(own.loc[name, "a"] - value) < 5 * own.loc[name, "a_standard_error"]
    assert np.std(model.predict(X) - y) < 0.03
    assert model.predict(X[["z", "material", "x"]][["x", "z", "material"]]) == pytest.approx(model.predict(X))


def test_a_value_that_adds_is_told_from_one_that_multiplies(rng):
    X = beams(rng)
    y = X["material"].map(FACTORS) + X["x"] ** 2 * X["z"] + 0.02 * rng.normal(size=len(X))
    model = fitted(X, y)
    assert str(model.equation_) == "x^2*z + a"
    assert said(model) == [
        "Each of the 3 values of material has its own a, which is added; they share everything else."
    ]


def test_two_columns_that_matter_are_groups_together(rng, tmp_path):
    X = beams(rng, 120)
    y = X["material"].map(FACTORS) * (X["x"] + np.where(X["season"] == "dry", 0.3, 1.2))
    y += 0.02 * rng.normal(size=len(X))
    model = fitted(X, y)
    assert model.group_constants_.index.name == "material, season"
    assert np.std(model.predict(X) - y) < 0.03
    model.save(tmp_path / "law.json")
    assert load(tmp_path / "law.json").predict(X) == pytest.approx(model.predict(X))


def test_a_column_without_effect_is_left_out_and_predictions_do_without_it(rng):
    X = beams(rng)[["season", "x", "z"]]
    y = X["x"] ** 2 * X["z"] + 0.02 * rng.normal(size=len(X))
    model = fitted(X, y)
    assert str(model.equation_) == "x^2*z"
    assert said(model) == ["By the evidence, no constant differs between the 2 values of season."]
    assert model.predict(X) == pytest.approx(model.predict(X[["x", "z"]]))


def test_an_exact_law_of_the_numbers_needs_no_categories(rng):
    X = beams(rng)
    model = fitted(X, X["x"] ** 2 * X["z"])
    assert model.discovery_.verdict == "exact"
    assert said(model) == ["The law does not need material and season."]


def test_what_does_not_go_with_groups_leaves_the_text_out_and_says_so(rng):
    X = beams(rng)[["season", "x"]]
    model = fitted(X, 2 * X["x"] + 1, constraints=["increasing in x"])
    inputs = [step.summary for step in model.discovery_.trace if step.stage == "input"]
    assert inputs == ["season: text, left out. Constraints cannot be combined with groups yet."]


def test_many_values_and_numbers_as_text_are_errors_as_before(rng):
    X = beams(rng)
    with pytest.raises(DataError, match="Column 'name' holds text"):
        fitted(X.assign(name=[f"n{row}" for row in range(len(X))]), X["x"])
    with pytest.raises(DataError, match="Column 'level' holds text"):
        fitted(X.assign(level=rng.choice(["1", "2"], len(X))), X["x"])


def test_few_values_are_told_from_many():
    assert are_categories(["a", "b", "", "a", "b", "", "a"])
    assert not are_categories(["a", "b", "c", "a", "b", "c"])  # two rows for each
    assert not are_categories(["a"] * 9)
    assert levels_of([" a ", ""]) == ("a", "(missing)")
    assert names_in("a, b", {"a", "b"}) == ("a", "b")
    assert names_in("a, b", {"a, b"}) == ("a, b",)
