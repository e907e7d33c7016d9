"""ScaleSRRegressor: a scikit-learn regressor whose model is a formula."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from scalesr.errors import DataError, SettingError
from scalesr.estimators.categories import without_categories, without_unused_text
from scalesr.estimators.errors_of_columns import read_x_errors, require_no_more
from scalesr.estimators.frames import constants_table, front_table
from scalesr.estimators.given import read_given
from scalesr.estimators.groups import (
    group_table,
    is_list_of_tables,
    joined_targets,
    labels_of_rows,
    require_plain,
    with_group,
    without_groups,
    without_label,
)
from scalesr.estimators.inputs import as_table, read_table, read_targets, read_weights
from scalesr.estimators.parameters import settings_of
from scalesr.estimators.saved import model_of_fit
from scalesr.estimators.streams import discover_rows, opened
from scalesr.estimators.targets import discover_each
from scalesr.estimators.units import named_units
from scalesr.expr.functions import ArrayFunction
from scalesr.expr.names import default_name
from scalesr.expr.operators import Operator, Operators
from scalesr.masks import require_unmasked
from scalesr.model_files import Model, model_content, write_model
from scalesr.records.budget import Report
from scalesr.records.config import Settings
from scalesr.records.discovery import Discovery, Law
from scalesr.records.equation import Equation
from scalesr.records.interfaces import Search
from scalesr.records.noise import Noise
from scalesr.records.oracle import Function, Oracle
from scalesr.records.selection import EVIDENCE, place_of
from scalesr.report.figure import law_figure
from scalesr.report.latex import latex_table
from scalesr.report.notebook import law_html

if TYPE_CHECKING:
    from scalesr.report.figure import Figure

T = TypeVar("T")


class ScaleSRRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Finds the law behind a table.

    preset : "default", or "paper" for the paper to the letter, whose runs took about 700 s: give it such a time_limit
    operators : "physics", "paper", names between commas or in a list ("+,*,exp"), or Operators(...)
    search : of formulas in one variable: "default", "exhaustive", "mcts", "gp", "dsr", "nggp", or an
        object with the method search(sweep, budget, *, rng, progress=None)
    generator : "auto", "network", "kernel", or a function of tables that is asked instead of a learned one;
        Oracle(function, budget=1000) asks it for 1000 rows at most
    time_limit : seconds for the whole fit; None means no limit
    max_work : units of work for the whole fit, one for each fit of one formula to 1000 rows (more or fewer rows count
        in proportion); None means no limit. Work is counted, so that with time_limit=None the law is the same on
        every machine
    max_complexity : of a law; None means no limit
    model_selection : which law of the Pareto front is taken: "evidence" is the one with the highest posterior
        probability; "accuracy", "score" and "best" choose as PySR's rules of these names do
    units : of every column and of the target by their names, {"m": "kg", "v": "m/s", "E": "J"} or "m=kg,v=m/s,E=J",
        "1" for plain numbers: laws are looked for in dimensionless groups first, and none that is dimensionally wrong
        is taken; needs pint
    noise : "auto" is estimated from the rows; "exact", "constant", "proportional", "mixed", "counts", with a size where
        it is known ("constant:0.1"), or Noise(...)
    outliers : "auto", or False where no row is one
    loss : "squared", "absolute", "huber", "relative", "poisson" or "logistic", the names that other tools have; each
        is a noise. Under "logistic", and where the target is 0 and 1, the law is the probability of a 1
    start : formulas to begin from, ["k*m1*m2/r^2"]; names that are not columns are constants to be fitted
    template : a law with holes, "a*f(x) + g(y, z)": what is in the holes is found; other names are constants
    constraints : what is known of the law, ["increasing in x", "f(x=0) = 0", "no exp inside exp"]; laws that break one
        are ruled out
    plain_laws : whether sparse linear laws are tried first
    n_jobs : workers by joblib's rules; the result does not depend on it
    random_state : the same whole number gives the same law, unless time cuts the search short
    verbose : 0 is quiet, 1 prints what is new to standard error, 2 prints every report; a function is called with
        each report, a scalesr.records.budget.Progress
    warm_start : whether a second fit begins from the laws of the first
    checkpoint : a file that keeps what has been done; the same fit, started again after a kill, goes on from there
        to the same law
    sample_rows : rows that the search sees of a table that is read in passes (see `fit`)

    After `fit`: `equation_` (the law), `equations_` (the Pareto front of complexity and loss),
    `discovery_` (verdict, reason, trace), `target_names_`, `n_features_in_` and, where the table has
    named columns, `feature_names_in_`. With several targets the first three are tuples with an item
    for each. An interrupt (Ctrl-C) ends the search for the target at hand and keeps its best law.
    """

    def __init__(  # noqa: PLR0913 - these are the public settings
        self,
        *,
        preset: str = "default",
        operators: str | Sequence[str | Operator] | Operators = "physics",
        search: str | Search = "default",
        generator: str | Function | Oracle = "auto",
        time_limit: float | None = 60,
        max_work: float | None = None,
        max_complexity: int | None = None,
        model_selection: str = EVIDENCE,
        units: Mapping[str, str] | str | None = None,
        noise: str | Noise = "auto",
        outliers: str | bool = "auto",
        loss: str | None = None,
        start: str | Sequence[str] | None = None,
        template: str | None = None,
        constraints: str | Sequence[str] | None = None,
        plain_laws: bool = True,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        verbose: int | Report = 0,
        warm_start: bool = False,
        checkpoint: str | Path | None = None,
        sample_rows: int = 20_000,
    ) -> None:
        self.preset = preset
        self.operators = operators
        self.search = search
        self.generator = generator
        self.time_limit = time_limit
        self.max_work = max_work
        self.max_complexity = max_complexity
        self.model_selection = model_selection
        self.units = units
        self.noise = noise
        self.outliers = outliers
        self.loss = loss
        self.start = start
        self.template = template
        self.constraints = constraints
        self.plain_laws = plain_laws
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start
        self.checkpoint = checkpoint
        self.sample_rows = sample_rows

    def fit(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        groups: Any = None,
        y_error: Any = None,
        x_error: Any = None,
    ) -> Self:
        """Find the law of a table (rows, columns) and a target (rows,), or a law per column of y.

        Without y, the function that is the generator is asked for it. `y_error` is the standard error of the target,
        one number or one per row; `x_error` that of the columns, one number, one per column or cell, or {"x": 0.1},
        for the last refit of the constants. `groups` tells rows that belong together, by the name of a column or a
        label for each row; X and y may also be lists with a table and a target for each. The law is one form then, with
        constants that all groups share and constants that differ (`group_constants_`).

        With the name of a column as y, X is a Parquet file or a folder of them, a dataset of pyarrow or a frame of
        pandas, Dask, polars or DuckDB, of any number of rows: a sample of `sample_rows` is searched, and all rows
        decide by passes on constants, evidence and verdict. Where they contradict the law the sample grows and is
        searched again, three times at most; the limits of time and work are those of each search.
        """
        settings = settings_of(self.get_params(deep=False))
        if isinstance(y, str):
            given_besides = {"sample_weight": sample_weight, "y_error": y_error, "x_error": x_error, "groups": groups}
            self.discovery_ = self._discovered_in_passes(X, y, settings, given_besides)
            return self.select(rule=self.model_selection)
        if is_list_of_tables(X):
            y = joined_targets(y, X)
        X, labels = without_groups(X, groups)
        if labels is not None:
            require_plain(settings)
        X, categories, notes = (X, (), ()) if labels is not None else without_categories(X, settings)
        earlier = self._found if self.warm_start and self.__sklearn_is_fitted__() else ()
        table = self._table(X, reset=not earlier)
        if x_error is not None:
            require_no_more(settings, has_groups=labels is not None)
        given = read_given(
            table, y, sample_weight, settings, y_error=y_error, labels=labels, categories=categories, notes=notes,
            x_errors=read_x_errors(x_error, self._names, len(table)),
        )  # fmt: skip
        names = given.targets.names
        if earlier and len(earlier) != len(names):
            raise DataError(
                f"A warm start from {len(earlier)} laws does not fit {len(names)} targets; set warm_start=False."
            )
        found = discover_each(
            given, names=self._names, random_state=self.random_state, earlier=earlier, verbose=self.verbose
        )
        self.target_names_ = names
        self.discovery_ = found[0] if len(found) == 1 else found
        return self.select(rule=self.model_selection)

    def select(
        self,
        index: int | None = None,
        *,
        complexity: int | None = None,
        rule: str | None = None,
        target: str | None = None,
    ) -> Self:
        """Take another law of the Pareto front for all that follows: prediction, printing, saving and reports.

        index : its row in `equations_`; complexity : its complexity; rule : as `model_selection`. Without any of
        them the law that the evidence prefers is taken again. `target` names one of several targets.
        """
        check_is_fitted(self)
        if target is not None and target not in self.target_names_:
            raise SettingError(f"There is no target {target!r}; the targets are {', '.join(self.target_names_)}.")
        found = tuple(
            replace(one, chosen=place_of(one, index=index, complexity=complexity, rule=rule))
            if target in (None, name) else one
            for one, name in zip(self._found, self.target_names_, strict=True)
        )  # fmt: skip
        self.discovery_ = found[0] if len(found) == 1 else found
        return self

    def predict(
        self, X: Any, index: int | None = None, *, groups: Any = None
    ) -> NDArray[np.float64]:  # (rows,) or (rows, targets)
        """The law's values, or those of the law in row `index` of `equations_`; NaN or infinite where it has none.

        `groups` says which group each row is of, as in `fit`, or one group for all rows.
        """
        check_is_fitted(self)
        laws = [_law(discovery, index) for discovery in self._found]
        X, labels = labels_of_rows(X, groups, laws)
        table = self._table(X, reset=False)
        values = [law.equation.predict(law.with_constants(table, labels)) for law in laws]
        return values[0] if len(values) == 1 else np.column_stack(values)

    def score(self, X: Any, y: Any, sample_weight: Any = None, *, groups: Any = None) -> float:
        """The coefficient of determination; minus infinity where the law lacks a value on some row."""
        require_unmasked(y, "the target y")
        require_unmasked(sample_weight, "sample_weight")
        predicted = self.predict(X, groups=groups)
        if not np.isfinite(predicted).all():
            return -np.inf
        from sklearn.metrics import r2_score  # as in RegressorMixin: with it half of scikit-learn is loaded

        return float(r2_score(y, predicted, sample_weight=sample_weight))

    @property
    def group_constants_(self) -> pd.DataFrame | tuple[pd.DataFrame, ...]:
        """The constants that differ between groups: a line per group, for each a column and one of standard errors."""
        return self._each(lambda discovery: group_table(discovery.taken))

    def calibrate(self, X: Any, y: Any, group: Any, sample_weight: Any = None) -> pd.DataFrame:
        """The constants of a new group, from some rows of it; the rows of `predict` may be of this group from then on.

        The shared constants stay as they are. A known group gets the constants of these rows.
        """
        check_is_fitted(self)
        X, y = without_label(X, self._found), read_targets(y, len(X)).values
        table, weights = self._table(X, reset=False), read_weights(sample_weight, len(X))
        if len(y) != len(self._found):
            raise DataError(f"The model has {len(self._found)} targets and y has {len(y)}; give the y of the new rows.")
        found = tuple(with_group(one, table, own, weights, group) for one, own in zip(self._found, y, strict=True))
        self.discovery_ = found[0] if len(found) == 1 else found
        lines = [group_table(one.taken).iloc[[-1]] for one in found]
        return lines[0] if len(lines) == 1 else pd.concat(lines, axis=1, keys=self.target_names_)

    @property
    def equation_(self) -> Equation | tuple[Equation, ...]:
        """The law, or one for each target."""
        return self._each(lambda discovery: discovery.equation)

    @property
    def equations_(self) -> pd.DataFrame | tuple[pd.DataFrame, ...]:
        """The Pareto front: laws that no other beats in both complexity and loss, simplest first."""
        return self._each(front_table)

    @property
    def constants_(self) -> pd.DataFrame | tuple[pd.DataFrame, ...]:
        """The constants of the law from left to right: value, standard error, unit, and the name it has in physics."""
        check_is_fitted(self)
        given = named_units(self.units)
        tables = tuple(
            constants_table(discovery.equation, given, name)
            for discovery, name in zip(self._found, self.target_names_, strict=True)
        )
        return tables[0] if len(tables) == 1 else tables

    def sympy(self, index: int | None = None) -> Any:
        """The law as a sympy expression, or that in row `index` of `equations_`."""
        return self._each(lambda discovery: _equation(discovery, index).sympy())

    def latex(self, index: int | None = None) -> str | tuple[str, ...]:
        """The law as LaTeX source, or that in row `index` of `equations_`."""
        return self._each(lambda discovery: _equation(discovery, index).latex())

    def latex_table(self) -> str | tuple[str, ...]:
        """The Pareto front as a LaTeX table of the package booktabs."""
        return self._each(latex_table)

    def torch(self, index: int | None = None) -> ArrayFunction | tuple[ArrayFunction, ...]:
        """The law as a function of a torch tensor (rows, columns), or that in row `index` of `equations_`."""
        return self._each(lambda discovery: _equation(discovery, index).torch())

    def jax(self, index: int | None = None) -> ArrayFunction | tuple[ArrayFunction, ...]:
        """The law as a function of a JAX array (rows, columns), or that in row `index` of `equations_`."""
        return self._each(lambda discovery: _equation(discovery, index).jax())

    def plot(self, X: Any = None, y: Any = None, *, groups: Any = None) -> Figure:
        """A matplotlib figure: the Pareto front and, where rows are given, law against table and what it leaves."""
        check_is_fitted(self)
        if (X is None) != (y is None):
            raise DataError("A plot of rows needs both X and y; give both, or neither for the Pareto front alone.")
        if X is None:
            return law_figure(self._found, self.target_names_)
        X, labels = labels_of_rows(X, groups, [discovery.taken for discovery in self._found])
        table = self._table(X, reset=False)
        return law_figure(self._found, self.target_names_, table, read_targets(y, len(table)).values, labels)

    def save(self, path: str | Path) -> None:
        """Write the law and its whole record to a file that `scalesr.load` reads."""
        write_model(Path(path), self._model())

    def __bytes__(self) -> bytes:
        """What `save` writes; `regressor_of` is its inverse."""
        return model_content(self._model())

    def _model(self) -> Model:
        check_is_fitted(self)
        return model_of_fit(self, self._names)

    def _discovered_in_passes(
        self, X: Any, target: str, settings: Settings, given: Mapping[str, Any]
    ) -> Discovery | tuple[Discovery, ...]:
        """The discovery for a column of what is read in passes."""
        stream, names = opened(X, target, given)
        self.n_features_in_, self.feature_names_in_ = len(names), np.array(names, dtype=object)
        self.target_names_ = (target,)
        return discover_rows(
            stream, names, target, settings, n_sample=self.sample_rows, random_state=self.random_state,
            verbose=self.verbose,
        )  # fmt: skip

    def named(self, X: NDArray[np.float64]) -> Any:
        """A table (rows, columns) with the names of the fit, where it had any."""
        return pd.DataFrame(X, columns=list(self._names)) if "feature_names_in_" in vars(self) else X

    def _table(self, X: Any, *, reset: bool) -> NDArray[np.float64]:
        """The table as numbers; with `reset` its columns are remembered, without they have to be the same."""
        X = X if reset else without_unused_text(X, self._names)
        table = as_table(X)
        validate_data(self, X, reset=reset, skip_check_array=True)
        return read_table(table)

    @property
    def _names(self) -> tuple[str, ...]:
        """Of the columns seen in fit."""
        given = vars(self).get("feature_names_in_")
        return tuple(given) if given is not None else tuple(map(default_name, range(self.n_features_in_)))

    @property
    def _found(self) -> tuple[Discovery, ...]:
        """A discovery per target."""
        return self.discovery_ if isinstance(self.discovery_, tuple) else (self.discovery_,)

    def _each(self, view: Callable[[Discovery], T]) -> T | tuple[T, ...]:
        check_is_fitted(self)
        views = tuple(view(discovery) for discovery in self._found)
        return views[0] if len(views) == 1 else views

    def __sklearn_is_fitted__(self) -> bool:
        return "discovery_" in vars(self)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

    def _repr_latex_(self) -> str | None:
        """The law for a notebook that shows LaTeX."""
        if not self.__sklearn_is_fitted__():
            return None
        return "$" + r" \\ ".join(discovery.equation.latex() for discovery in self._found) + "$"

    def _repr_html_inner(self) -> str:
        """What a notebook shows: the law and its verdict, or before `fit` scikit-learn's diagram."""
        if not self.__sklearn_is_fitted__():
            return str(super()._repr_html_inner())
        return law_html(self._found, self.target_names_)

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        shown: dict[str, Any] = super()._repr_mimebundle_(**options)
        if "text/html" in shown:
            shown["text/html"] = self._repr_html_inner()
        return shown


def _law(discovery: Discovery, index: int | None) -> Law:
    """The law at a place of the Pareto front, or the one that is taken."""
    place = None if index is None else place_of(discovery, index=index)
    return discovery.taken if place is None else discovery.front[place]


def _equation(discovery: Discovery, index: int | None) -> Equation:
    return _law(discovery, index).equation
