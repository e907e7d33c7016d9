"""What a model shows of itself: figures, and the law in a notebook."""

import re

import numpy as np
import pytest
import sklearn
from sklearn.exceptions import NotFittedError

from scalesr import ScaleSRRegressor, load
from scalesr.errors import DataError
from tests.report import models

pytest.importorskip("matplotlib")


def test_a_plot_without_rows_is_the_front():
    model, _, _ = models.exact()
    (axes,) = model.plot().axes
    complexities = np.concatenate([line.get_xdata() for line in axes.lines])
    assert set(complexities) == {law.complexity for law in model.discovery_.front}


def test_a_plot_with_rows_shows_each_of_them():
    model, X, y = models.noisy()
    against, left, _ = model.plot(X, y).axes
    np.testing.assert_allclose(against.lines[1].get_xydata(), np.column_stack([model.predict(X), y]))
    np.testing.assert_allclose(left.lines[1].get_ydata(), y - model.predict(X))


def test_each_target_has_its_own_row_of_pictures():
    model, X, y = models.two_targets()
    assert len(model.plot(X, y).axes) == 6
    assert len(model.plot().axes) == 2


def test_rows_that_a_plot_cannot_use_are_refused():
    model, X, y = models.noisy()
    with pytest.raises(DataError, match="needs both X and y"):
        model.plot(X)
    with pytest.raises(NotFittedError):
        ScaleSRRegressor().plot()
    assert model.plot(X, y) is not model.plot(X, y)


def test_a_notebook_shows_the_law_and_its_verdict(tmp_path):
    model, _, _ = models.exact()
    shown = model._repr_mimebundle_()["text/html"]
    assert shown == model._repr_html_()
    assert 'class="formula"' in shown
    assert "<i>θ</i>" in shown
    assert "Exact: " in shown
    model.save(tmp_path / "law.json")
    assert load(tmp_path / "law.json")._repr_html_() == shown


def test_a_notebook_shows_hostile_names_as_text():
    model, _, _ = models.hostile()
    assert not re.search(r"<(script|img)", model._repr_html_())


def test_a_model_that_is_not_fitted_shows_itself_as_others_do():
    assert "ScaleSRRegressor" in ScaleSRRegressor()._repr_html_()
    assert ScaleSRRegressor()._repr_latex_() is None
    with sklearn.config_context(display="text"):
        assert "text/html" not in models.exact()[0]._repr_mimebundle_()
