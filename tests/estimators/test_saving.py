import json

import numpy as np
import pandas as pd
import pytest

import scalesr
from scalesr import Operators, ScaleSRRegressor, load
from scalesr.errors import DataError, ScaleSRWarning
from scalesr.search.mcts import MctsSearch

rng = np.random.default_rng(3)
FRAME = pd.DataFrame({"m": rng.uniform(1, 2, 60), "v 0": rng.uniform(1, 2, 60)})
Y = pd.Series(FRAME["m"] * FRAME["v 0"] ** 2 / 2 + 0.01 * rng.normal(size=60), name="E")


def fitted(X=FRAME, y=Y, **settings) -> ScaleSRRegressor:
    return ScaleSRRegressor(random_state=0, time_limit=None, max_work=3, **settings).fit(X, y)


@pytest.fixture(scope="module")
def model():
    return fitted()


def test_a_saved_law_predicts_the_same_to_the_last_bit(tmp_path, model):
    model.save(tmp_path / "law.json")
    again = load(str(tmp_path / "law.json"))
    assert np.array_equal(again.predict(FRAME), model.predict(FRAME))
    assert again.discovery_ == model.discovery_
    assert again.equations_.equals(model.equations_)
    assert again.get_params() == model.get_params()
    assert again.target_names_ == ("E",)
    assert again.score(FRAME, Y) == model.score(FRAME, Y)


def test_a_loaded_law_knows_its_columns(tmp_path, model):
    model.save(tmp_path / "law.json")
    again = load(tmp_path / "law.json")
    assert again.feature_names_in_.tolist() == ["m", "v 0"]
    with pytest.raises(ValueError, match="feature names should match"):
        again.predict(FRAME.rename(columns={"m": "M"}))
    fitted(FRAME.to_numpy()).save(tmp_path / "law.json")
    assert "feature_names_in_" not in vars(load(tmp_path / "law.json"))


def test_several_laws_are_saved_together(tmp_path):
    model = fitted(y=np.column_stack([Y, FRAME["m"]]))
    model.save(tmp_path / "laws.json")
    again = load(tmp_path / "laws.json")
    assert np.array_equal(again.predict(FRAME), model.predict(FRAME))
    assert again.equation_ == model.equation_


def test_operators_and_settings_are_saved(tmp_path):
    model = fitted(operators=Operators("*", "+", "powi"), verbose=np.int64(0), warm_start=True)
    model.save(tmp_path / "law.json")
    again = load(tmp_path / "law.json")
    assert again.get_params() == model.get_params()
    assert again.fit(FRAME, Y).predict(FRAME) == pytest.approx(Y, abs=0.1)


def test_objects_of_the_users_own_are_not_saved_and_loading_says_so(tmp_path):
    model = fitted(search=MctsSearch(), generator=lambda table: table[:, 0] * table[:, 1] ** 2 / 2)
    model.save(tmp_path / "law.json")
    with pytest.warns(ScaleSRWarning, match="does not hold generator, search; before a new fit"):
        again = load(tmp_path / "law.json")
    assert again.search == "default"
    assert np.array_equal(again.predict(FRAME), model.predict(FRAME))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"colour": "red"}, "unknown parameter 'colour'; known are .*time_limit"),
        ({"time_limit": -5}, "a parameter that cannot be used: time_limit=-5"),
        ({"operators": ["softsign"]}, "cannot be used: Unknown operator or preset 'softsign'"),
        ({"operators": []}, "An operator set needs a member"),
        ({"search": ["mcts"]}, "cannot be used: search="),
        ({"random_state": "x"}, "random_state='x'"),
    ],
)
def test_a_file_with_parameters_that_cannot_be_is_refused(tmp_path, model, settings, message):
    path = tmp_path / "law.json"
    model.save(path)
    document = json.loads(path.read_text())
    document["settings"] |= settings
    path.write_text(json.dumps(document))
    with pytest.raises(DataError, match=message):
        load(path)


def test_the_file_names_its_format_and_the_library(tmp_path, model):
    model.save(tmp_path / "law.json")
    document = json.loads((tmp_path / "law.json").read_text())
    assert (document["format"], document["version"]) == ("scalesr-law", 3)
    assert document["library"] == scalesr.__version__


def test_only_a_fitted_model_is_saved(tmp_path):
    with pytest.raises(ValueError, match="not fitted"):
        ScaleSRRegressor().save(tmp_path / "law.json")
