"""What the user knows of the target's errors replaces what the rows would tell."""

import numpy as np
import pandas as pd
import pytest

from scalesr import Noise, ScaleSRRegressor, load
from scalesr.errors import DataError, SettingError
from scalesr.estimators.errors_of_rows import LOSSES, as_weights, given_noise, read_errors

X = pd.DataFrame({"x": np.random.default_rng(0).uniform(1, 5, 80)})
LINE = 3 * X["x"] + 2


def fitted(y, y_error=None, **settings) -> ScaleSRRegressor:
    model = ScaleSRRegressor(random_state=0, time_limit=None, max_work=5, **settings)
    return model.fit(X, y, y_error=y_error)


@pytest.mark.parametrize(
    ("settings", "kind", "scale", "outliers"),
    [
        ({"noise": "constant"}, "constant", None, True),
        ({"noise": "constant:0.1", "outliers": False}, "constant", 0.1, False),
        ({"noise": "mixed:0.1:0.02"}, "mixed", 0.1, True),
        ({"noise": Noise("proportional", 0.01)}, "proportional", 0.01, True),
        ({"loss": "squared"}, "constant", None, False),
        ({"loss": "huber"}, "constant", None, True),
        ({"loss": "relative"}, "proportional", None, False),
        ({"loss": "poisson"}, "counts", 1.0, False),
        ({"loss": "poisson", "outliers": True}, "counts", 1.0, True),
    ],
)
def test_each_name_is_a_noise(settings, kind, scale, outliers):
    found = given_noise(settings.get("noise", "auto"), settings.get("outliers", "auto"), settings.get("loss"))
    assert (found.noise.kind, found.noise.scale, found.outliers) == (kind, scale, outliers)
    assert found.noise.source == "given"


def test_nothing_given_is_nothing_known():
    assert given_noise("auto", "auto", None) is None
    assert given_noise("auto", False, None).noise is None
    assert set(LOSSES) == {"squared", "absolute", "huber", "relative", "poisson", "logistic"}


def test_a_known_error_is_the_noise_of_the_discovery(rng):
    noisy = LINE + 0.2 * rng.normal(size=80)
    model = fitted(noisy, y_error=0.2)
    found = model.discovery_.noise
    assert (found.kind, found.scale, found.source) == ("constant", pytest.approx(0.2), "given")
    assert "The errors are taken as given: the same everywhere, 0.2." in model.discovery_.reason


def test_errors_of_rows_decide_how_much_they_count(rng):
    errors = np.where(np.arange(80) % 2, 5.0, 0.01)
    y = LINE + errors * rng.normal(size=80)
    model = fitted(y, y_error=errors)
    slope, level = np.polyfit(X["x"], LINE, 1)
    assert np.polyfit(X["x"], model.predict(X), 1) == pytest.approx([slope, level], abs=0.02)


def test_a_law_that_errs_less_than_the_known_error_is_no_better(rng):
    """With a known error of 1 a curve of 0.1 cannot be seen; without, it is."""
    y = LINE + 0.1 * np.sin(3 * X["x"]) + 0.001 * rng.normal(size=80)
    assert fitted(y, noise="constant:1", outliers=False).equation_.complexity <= 4
    assert fitted(y).equation_.complexity > 4


def test_given_noise_is_saved_with_the_law(tmp_path, rng):
    model = fitted(LINE + 0.1 * rng.normal(size=80), noise=Noise("constant", 0.1), outliers=False)
    model.save(tmp_path / "law.json")
    again = load(tmp_path / "law.json")
    assert (again.noise, again.outliers, again.loss) == ("constant:0.1", False, None)
    assert again.discovery_ == model.discovery_


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"noise": "loud"}, "The noise 'loud' is unknown; known are exact, constant"),
        ({"noise": "constant:much"}, "has a size that is not a number"),
        ({"noise": "constant:1:2"}, "is unknown"),
        ({"noise": 3}, "is neither a kind of noise nor Noise"),
        ({"outliers": "few"}, "outliers='few' is neither 'auto' nor True nor False"),
        ({"loss": "l2"}, "loss='l2' is unknown; known are 'squared'"),
        ({"loss": "squared", "noise": "constant"}, "both say what errors are like; give one"),
    ],
)
def test_what_is_no_noise_is_refused(settings, message):
    with pytest.raises(SettingError, match=message):
        fitted(LINE, **settings)


@pytest.mark.parametrize(
    ("y_error", "message"),
    [
        (0.0, "y_error is 0 in row 0 .from 0.; a standard error is above zero"),
        ([1.0, 2.0], r"y_error has the shape \(2,\); give one number, or one per row, 80 in all"),
        ([np.nan] * 80, "y_error"),
    ],
)
def test_errors_that_are_none_are_refused(y_error, message):
    with pytest.raises(DataError, match=message):
        fitted(LINE, y_error=y_error)


def test_errors_do_not_go_with_weights_or_another_noise():
    with pytest.raises(DataError, match="give y_error alone"):
        ScaleSRRegressor().fit(X, LINE, np.ones(80), y_error=1.0)
    with pytest.raises(SettingError, match="y_error and noise='proportional' both say"):
        ScaleSRRegressor(noise="proportional").fit(X, LINE, y_error=1.0)


def test_weights_and_scale_are_the_errors_again():
    errors = np.array([0.5, 1.0, 2.0])
    shares, given = as_weights(errors, None, None)
    assert given.noise.scale / np.sqrt(shares / shares.mean()) == pytest.approx(errors)
    assert read_errors(None, 3) is None
