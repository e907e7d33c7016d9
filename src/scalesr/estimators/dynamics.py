"""ScaleSRDynamics: the laws of motion behind trajectories, one formula per state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from scalesr import __version__
from scalesr.dynamics.crossing import second_order_hint
from scalesr.dynamics.find import find_laws
from scalesr.dynamics.second_order import with_rates
from scalesr.dynamics.simulate import simulated, trajectory_score
from scalesr.dynamics.starts import fitted_starts
from scalesr.dynamics.system import System, system_of
from scalesr.dynamics.trajectories import Trajectories
from scalesr.errors import DataError, SettingError
from scalesr.estimators.looking import TRAJECTORY_SHARE, look_for
from scalesr.estimators.parameters import random_sources, settings_of
from scalesr.estimators.regressor import ScaleSRRegressor
from scalesr.estimators.saved import from_values, to_values
from scalesr.estimators.telling import teller
from scalesr.estimators.trajectory_inputs import Columns, read_trajectories
from scalesr.expr.operators import Operator, Operators
from scalesr.expr.typeset import latex_name
from scalesr.masks import require_unmasked
from scalesr.model_files import DynamicsModel, read_dynamics, write_dynamics
from scalesr.records.budget import Report
from scalesr.records.discovery import Discovery
from scalesr.records.engine import ready_engine
from scalesr.records.equation import Equation
from scalesr.records.interfaces import Search
from scalesr.records.oracle import Function, Oracle
from scalesr.records.stop import Stop
from scalesr.search.linear.blas import one_thread

KINDS = ("ode", "map")


class ScaleSRDynamics(BaseEstimator):  # type: ignore[misc]
    """Finds the laws of motion behind trajectories.

    kind : "ode" for x' = f(x, u), "map" for x[k + 1] = f(x[k], u[k])
    order : 1, or 2 for x'' = f(x, x', u) of states whose rates were not measured, as positions of a pendulum
    operators, search, generator, plain_laws : as for ScaleSRRegressor
    time_limit : seconds for the whole fit; None means no limit
    max_work : units of work for the whole fit; one is the fit of one formula to 1000 rows, or a step of the fit of a
        system along 1000 points. Work is counted, so with time_limit=None the laws are the same on every machine
    n_jobs : workers by joblib's rules, one per state at most; the result does not depend on it
    random_state : the same whole number gives the same laws, unless time cuts the search short
    verbose : 0 is quiet, 1 prints what is new to standard error, 2 prints every report; a function gets them all,
        where n_jobs is 1

    After `fit`: `equations_` (one Equation per state, over states and inputs), `discoveries_` (verdict,
    reason and trace of each), `statements_` (sentences on what the data can and cannot determine),
    `state_names_` and `input_names_`. With order 2 every state x is followed by as many rates x_dot, which are
    states like the others: laws may use them, and simulations begin with them. An interrupt (Ctrl-C) ends the
    search at hand and keeps the best.
    """

    def __init__(  # noqa: PLR0913 - these are the public settings
        self,
        *,
        kind: str = "ode",
        order: int = 1,
        operators: str | Sequence[str | Operator] | Operators = "physics",
        search: str | Search = "default",
        generator: str | Function | Oracle = "auto",
        time_limit: float | None = 300,
        max_work: float | None = None,
        plain_laws: bool = True,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        verbose: int | Report = 0,
    ) -> None:
        self.kind = kind
        self.order = order
        self.operators = operators
        self.search = search
        self.generator = generator
        self.time_limit = time_limit
        self.max_work = max_work
        self.plain_laws = plain_laws
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def fit(
        self,
        trajectories: Any,
        t: Any = None,
        *,
        states: Any = None,
        inputs: Any = None,
        parameters: Any = None,
        time: str | None = None,
        trajectory: str | None = None,
    ) -> Self:
        """Find the laws of one or more trajectories.

        trajectories : an array (points, states), a list of such arrays, an array (runs, points, states),
            or a DataFrame with the columns `time`, `trajectory` (where there are several) and the states
        t : times (points,), one array per trajectory, or a time step
        states : names of the states
        inputs : known curves beside the states, {"u": values} with arrays, names of columns with a DataFrame
        parameters : numbers that are constant along a trajectory, {"k": one per trajectory}, or names of columns
        """
        settings = settings_of({**_of_a_regressor(), **self.get_params(deep=False)})
        self._check_kind()
        columns = Columns(None if states is None else tuple(states), time, trajectory)
        data = self._read(trajectories, t, columns, inputs, parameters)
        hints = () if self.kind == "map" or self.order == 2 else second_order_hint(data)
        data = with_rates(data) if self.order == 2 else data
        ready_engine(teller(self.verbose, "engine"))
        work = None if settings.max_work is None else TRAJECTORY_SHARE * settings.max_work
        stop = Stop(seconds=settings.time_limit, work=work)
        rng = random_sources(self.random_state, 1)[0]
        look = look_for(settings, seed=int(rng.integers(2**63)), n_states=data.n_states, verbose=self.verbose)
        with one_thread():  # the last digits of sums then depend on nothing
            found = find_laws(
                data, look, operators=settings.operators, is_map=self.kind == "map", rng=rng, deadline=stop
            )
        self.state_names_, self.input_names_ = data.states, data.inputs
        self.discoveries_ = found.discoveries
        self.statements_ = (*hints, *found.statements)
        return self

    @property
    def equations_(self) -> tuple[Equation, ...]:
        """One law per state."""
        check_is_fitted(self)
        return tuple(discovery.equation for discovery in self._found)

    def simulate(self, x0: Any, t: Any, inputs: Mapping[str, Any] | None = None) -> NDArray[np.float64]:
        """States (points, states) at times t from x0 (states,), or (runs, points, states) from x0 (runs, states).

        `inputs` has a number or a value per time for every input and parameter. States are NaN from
        where a system blows up.
        """
        check_is_fitted(self)
        for what, values in {"t": t, "x0": x0, **(inputs or {})}.items():
            require_unmasked(values, what)
        times = np.asarray(t, np.float64).ravel()
        starts = np.asarray(x0, np.float64)
        n_states = len(self.state_names_)
        if starts.ndim not in (1, 2) or starts.shape[-1] != n_states or not np.isfinite(starts).all():
            raise DataError(
                f"x0 needs a number for each of {', '.join(self.state_names_)}; its shape is {starts.shape}."
            )
        if len(times) == 0 or not np.isfinite(times).all() or (np.diff(times) <= 0).any():
            raise DataError("t needs one or more finite times that increase.")
        known = self._inputs_at(inputs or {}, len(times))
        runs = [simulated(self._system, start, times, known) for start in np.atleast_2d(starts)]
        return runs[0] if starts.ndim == 1 else np.stack(runs)

    def score(
        self,
        trajectories: Any,
        t: Any = None,
        *,
        inputs: Any = None,
        parameters: Any = None,
        time: str | None = None,
        trajectory: str | None = None,
    ) -> float:
        """The share of variance that simulations from fitted starts explain; -inf where a system blows up."""
        runs = self.compare(
            trajectories, t, inputs=inputs, parameters=parameters, time=time, trajectory=trajectory
        )  # fmt: skip
        return trajectory_score([measured for _, measured, _ in runs], [found for _, _, found in runs])

    def compare(
        self,
        trajectories: Any,
        t: Any = None,
        *,
        inputs: Any = None,
        parameters: Any = None,
        time: str | None = None,
        trajectory: str | None = None,
    ) -> list[tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]]:
        """For each trajectory its times, its states and those simulated from the start that fits it best."""
        check_is_fitted(self)
        data = self._read(trajectories, t, Columns(self._measured, time, trajectory), inputs, parameters)
        if data.inputs != self.input_names_:
            raise DataError(f"The laws were found with the inputs {self.input_names_}, not {data.inputs}.")
        n_measured = data.n_states
        starts = fitted_starts(self._system, with_rates(data) if self.order == 2 else data)
        return [
            (run.times, run.states, simulated(self._system, start, run.times, run.inputs)[:, :n_measured])
            for run, start in zip(data.runs, starts, strict=True)
        ]

    def sympy(self) -> tuple[Any, ...]:
        """The laws as sympy expressions."""
        return tuple(equation.sympy() for equation in self.equations_)

    def latex(self) -> str:
        """The system as LaTeX source."""
        lines = [f"{self._left_side(name)} &= {eq.latex()}" for name, eq in self._named()]
        return r"\begin{aligned} " + r" \\ ".join(lines) + r" \end{aligned}"

    def save(self, path: str | Path) -> None:
        """Write the laws and their whole record to a file that `scalesr.load` reads."""
        check_is_fitted(self)
        model = DynamicsModel(
            discoveries=self._found,
            states=self.state_names_,
            inputs=self.input_names_,
            statements=self.statements_,
            settings=to_values(self.get_params(deep=False)),
            library=__version__,
        )
        write_dynamics(Path(path), model)

    def _named(self) -> list[tuple[str, Equation]]:
        return list(zip(self.state_names_, self.equations_, strict=True))

    def _left_side(self, name: str) -> str:
        symbol = latex_name(name)
        return rf"{symbol}_{{k+1}}" if self.kind == "map" else rf"\dot{{{symbol}}}"

    def _read(self, trajectories: Any, t: Any, columns: Columns, inputs: Any, parameters: Any) -> Trajectories:
        return read_trajectories(
            trajectories, t, columns, inputs=inputs, parameters=parameters, is_map=self.kind == "map"
        )  # fmt: skip

    def _inputs_at(self, inputs: Mapping[str, Any], n_points: int) -> NDArray[np.float64]:
        """Known inputs (points, inputs) in the order of the fit."""
        if odd := sorted({*self.input_names_} ^ {*inputs}):
            raise DataError(
                f"Give values for the inputs {', '.join(self.input_names_) or '(none)'}; {odd[0]!r} is off."
            )
        columns = [np.broadcast_to(np.asarray(inputs[name], np.float64), n_points) for name in self.input_names_]
        return np.stack(columns, axis=1) if columns else np.empty((n_points, 0))

    @property
    def _system(self) -> System:
        return system_of([equation.expression for equation in self.equations_], is_map=self.kind == "map")

    @property
    def _found(self) -> tuple[Discovery, ...]:
        return tuple(self.discoveries_)

    @property
    def _measured(self) -> tuple[str, ...]:
        """Names of the states that were measured; with order 2 their rates were not."""
        return self.state_names_[: len(self.state_names_) // self.order]

    def _check_kind(self) -> None:
        if self.kind not in KINDS:
            raise SettingError(f"kind={self.kind!r} is unknown; known are {', '.join(map(repr, KINDS))}.")
        # As texts, so that True and 1.0 are neither.
        if str(self.order) not in ("1", "2") or (self.order == 2 and self.kind == "map"):
            raise SettingError(f"order={self.order!r} is unknown; it is 1, or 2 with kind='ode'.")

    def __sklearn_is_fitted__(self) -> bool:
        return "discoveries_" in vars(self)

    def __str__(self) -> str:
        if not self.__sklearn_is_fitted__():
            return repr(self)
        return "\n".join(f"{left} = {discovery.equation}" for left, discovery in self.shown_laws())

    def shown_laws(self) -> list[tuple[str, Discovery]]:
        """What stands on the left of each law, and its discovery; rates that are states by definition are left out."""
        check_is_fitted(self)
        n_given = len(self.state_names_) - len(self._measured)
        pattern = "next {}" if self.kind == "map" else "d2{}/dt2" if n_given else "d{}/dt"
        return [
            (pattern.format(name), discovery)
            for name, discovery in zip(self._measured, self._found[n_given:], strict=True)
        ]

    def _repr_latex_(self) -> str | None:
        """The laws for a notebook that shows LaTeX."""
        return f"${self.latex()}$" if self.__sklearn_is_fitted__() else None


def load_dynamics(path: str | Path) -> ScaleSRDynamics:
    """Fitted laws of motion from a file that `save` has written; reading runs nothing that the file holds."""
    model = read_dynamics(Path(path))
    system = ScaleSRDynamics()
    defaults = system.get_params(deep=False)
    system.set_params(**from_values(model.settings, defaults, extra=_of_a_regressor()))
    try:
        system._check_kind()
    except SettingError as error:
        raise DataError(f"{path} is not a model file that can be read: {error}") from error
    if len(model.states) % system.order:
        raise DataError(f"{path} is not a model file that can be read: {len(model.states)} states have no rates each.")
    system.state_names_, system.input_names_ = model.states, model.inputs
    system.discoveries_ = model.discoveries
    system.statements_ = model.statements
    return system


def _of_a_regressor() -> dict[str, Any]:
    """The parameters of a regressor, as the method asks for all of them."""
    defaults: dict[str, Any] = ScaleSRRegressor().get_params(deep=False)
    return defaults
