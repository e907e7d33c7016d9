"""Laws of streams: all rows decide, and the sample grows where they object."""

import numpy as np
import pandas as pd
import pytest

from scalesr import ScaleSRRegressor
from scalesr.errors import DataError, SettingError
from tests.pipeline.beyond_memory.streams import made_up

FITS = {"max_work": 1500, "time_limit": None, "random_state": 0, "sample_rows": 2000}


def story(model):
    return " ".join(step.summary for step in model.discovery_.trace)


def test_a_law_with_noise_has_constants_and_errors_from_all_rows():
    stream = made_up(lambda x, z: 3.21 * x * z + 0.57 * x, 60_000, noise=0.2)
    model = ScaleSRRegressor(**FITS).fit(stream, "y")
    found = model.discovery_
    assert found.verdict == "within noise"
    assert "all 60,000 rows" in found.reason
    assert "2,0" in story(model)
    errors = model.equation_.standard_errors
    assert 0 < errors[errors > 0].min() < 0.003  # of 2000 rows they would be five times as large
    far = np.array([[1.1, 2.9], [2.5, 1.2]])
    assert model.predict(pd.DataFrame(far, columns=["x", "z"])) == pytest.approx(
        3.21 * far[:, 0] * far[:, 1] + 0.57 * far[:, 0], abs=0.01
    )
    assert found.noise.scale == pytest.approx(0.2, rel=0.02)
    assert list(model.feature_names_in_) == ["x", "z"]


def test_an_exact_law_is_exact_on_all_rows():
    model = ScaleSRRegressor(**FITS).fit(made_up(lambda x, z: x / z, 30_000), "y")
    assert model.equation_.text() == "x/z"
    assert model.discovery_.verdict == "exact"
    assert "On all 30,000 rows the law is off by rounding alone" in model.discovery_.reason


def test_the_sample_grows_where_all_rows_see_a_trend_that_it_did_not():
    stream = made_up(lambda x, z: 3 * x + 0.02 * np.sin(3 * z), 100_000, noise=0.2)
    model = ScaleSRRegressor(**FITS | {"sample_rows": 500, "max_work": 300}).fit(stream, "y")
    assert "All rows contradict the law" in story(model)
    assert "where a law had failed" in story(model)
    found = model.discovery_
    assert found.verdict == "approximate"  # unless a larger sample had shown the sine
    assert "Structure is left in the residual: in the means along z" in found.reason


def test_a_law_that_is_exact_on_the_sample_alone_is_looked_for_anew():
    def rare(x, z):
        return 2 * x + np.where((abs(z - 2) < 0.0004) & (abs(x - 2) < 0.5), 1.0, 0.0)  # at no end of a column

    model = ScaleSRRegressor(**FITS | {"sample_rows": 300}).fit(made_up(rare, 30_000), "y")
    assert "All rows contradict the law" in story(model)
    assert str(model.equation_) == "2*x"
    assert "but for" in model.discovery_.reason


def test_a_small_table_is_fitted_as_if_it_were_in_memory(rng):
    frame = pd.DataFrame({"a": rng.uniform(1, 2, 80), "b": rng.uniform(1, 2, 80), "name": ["n"] * 80})
    frame["y"] = frame["a"] * frame["b"]
    frame.loc[3, "a"] = np.nan
    model = ScaleSRRegressor(**FITS).fit(frame, "y")
    assert model.equation_.text() == "a*b"
    assert "The search saw all 79 rows. 1 rows with a missing cell were left out." in story(model)


def test_a_saved_law_of_a_stream_is_loaded(tmp_path):
    from scalesr import load

    model = ScaleSRRegressor(**FITS).fit(made_up(lambda x, z: x + z, 5000), "y")
    model.save(tmp_path / "law.json")
    again = load(tmp_path / "law.json")
    assert again.equation_ == model.equation_
    assert again.sample_rows == 2000


@pytest.mark.parametrize(
    ("target", "options", "given", "error", "message"),
    [
        ("w", {}, {}, DataError, "has no column 'w'; its columns are x, z, y"),
        ("y", {"sample_rows": 0}, {}, SettingError, "sample_rows=0 is not a number of rows"),
        ("y", {"generator": np.sum}, {}, SettingError, "A function as generator"),
        ("y", {}, {"sample_weight": [1.0]}, DataError, "sample_weight needs a table in memory"),
        ("y", {}, {"y_error": 0.1}, DataError, "y_error needs a table in memory"),
    ],
)
def test_what_does_not_go_with_passes_is_refused(target, options, given, error, message):
    with pytest.raises(error, match=message):
        ScaleSRRegressor(**FITS | options).fit(made_up(lambda x, z: x, 500), target, **given)


def test_an_array_has_no_columns_to_be_named(rng):
    with pytest.raises(DataError, match=r"not numpy\.ndarray\. Arrays need an array as y"):
        ScaleSRRegressor(**FITS).fit(rng.normal(size=(9, 2)), "y")


def with_outliers(x, z):
    rng = np.random.default_rng(int(x[0] * 1e9))
    return 2 * x * z + np.where(rng.random(len(x)) < 0.01, 50 * rng.normal(size=len(x)), 0)


def proportional(x, z):
    rng = np.random.default_rng(int(x[0] * 1e9))
    return 2.2 * x**3 * z * (1 + 0.1 * rng.normal(size=len(x)))


@pytest.mark.parametrize(
    ("law", "noise", "options", "found", "verdict", "kind"),
    [
        (with_outliers, 0.0, {}, "2*x*z", "exact", None),
        (with_outliers, 0.1, {}, "2*x*z", "within noise", "constant"),
        (proportional, 0.0, {}, "2.2*x^3*z", "within noise", "proportional"),
        (lambda x, z: x * z, 0.1, {"noise": "constant:0.1"}, "x*z", "within noise", "constant"),
        (lambda x, z: 0 * x + 4, 0.0, {}, "4", "exact", None),
        (lambda x, z: 0 * x, 1.0, {}, None, "no law found", "constant"),
    ],
)
def test_errors_of_every_kind_are_seen_in_passes(law, noise, options, found, verdict, kind):
    model = ScaleSRRegressor(**FITS | options).fit(made_up(law, 30_000, noise=noise), "y")
    discovery = model.discovery_
    assert discovery.verdict == verdict
    assert found is None or str(model.equation_) == found
    if kind is not None:
        assert discovery.noise.kind == kind
    if law is with_outliers:
        assert discovery.noise.outliers == pytest.approx(0.01, rel=0.1)
