"""What plain machine learning predicts of new rows: the door to scikit-learn."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.stats import wilcoxon

Floats = NDArray[np.float64]

N_NEIGHBOURS: Final = 5
LEVEL: Final = 0.01  # of the test whether a prediction is better, shared by the predictors that are tried

WORST: Final = 1e300  # an error that can still be averaged


@dataclass(frozen=True, slots=True)
class Comparison:
    """A predictor beside a law on new rows."""

    predictor: str
    law_error: float  # mean absolute error
    predictor_error: float
    p_value: float  # that the predictor is no better

    @property
    def is_better(self) -> bool:
        """Whether the predictor errs significantly less."""
        return self.predictor_error < self.law_error and self.p_value < LEVEL / len(PREDICTORS)


def compare(X: Floats, y: Floats, fresh: Floats, fresh_y: Floats, law: Floats) -> list[Comparison]:
    """Predictors that learn from X and y beside a law's values on fresh rows.

    The test is Wilcoxon's signed-rank test of the absolute errors, one-sided, which a few wild rows do not decide.
    """
    law_errors = np.abs(np.nan_to_num(law, nan=np.inf) - fresh_y)
    law_errors = np.minimum(law_errors, WORST)  # where a law has no value it errs more than any other
    found = []
    for name, make in PREDICTORS.items():
        errors = np.abs(_fitted(make, X, y, fresh) - fresh_y)
        p_value = _p_value(law_errors - errors)
        found.append(Comparison(name, float(law_errors.mean()), float(errors.mean()), p_value))
    return found


def _p_value(differences: Floats) -> float:
    if not differences.any():
        return 1.0
    return float(wilcoxon(differences, alternative="greater", method="approx").pvalue)


def _fitted(make: Any, X: Floats, y: Floats, fresh: Floats) -> Floats:
    model = make(len(y))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn's advice on small tables
        return np.asarray(model.fit(X, y).predict(fresh), np.float64)


def _boosted_trees(_: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingRegressor

    return HistGradientBoostingRegressor(random_state=0)


def _nearest_neighbours(n_rows: int) -> Any:
    from sklearn.neighbors import KNeighborsRegressor
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), KNeighborsRegressor(min(N_NEIGHBOURS, n_rows), weights="distance"))


PREDICTORS: Final[Mapping[str, Any]] = {"boosted trees": _boosted_trees, "nearest neighbours": _nearest_neighbours}


def sklearn_table(name: str) -> list[dict[str, str]]:
    """A table that ships with scikit-learn, as texts."""
    from sklearn import datasets

    made = getattr(datasets, f"load_{name}")(**({"scaled": False} if name == "diabetes" else {}))
    columns = [*(str(column) for column in made.feature_names), "target"]
    rows = np.column_stack([made.data, made.target])
    return [{column: repr(float(value)) for column, value in zip(columns, row, strict=True)} for row in rows]


def linear_regression(X: Floats, y: Floats, fresh: Floats) -> Floats:
    """What ordinary least squares on all columns predicts."""
    from sklearn.linear_model import LinearRegression

    return np.asarray(LinearRegression().fit(X, y).predict(fresh), np.float64)
