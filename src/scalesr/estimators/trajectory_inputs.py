"""What a user hands over as trajectories: arrays, lists of arrays or a table, as checked runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

from scalesr.dynamics.trajectories import Trajectories, Trajectory, whole_trajectories
from scalesr.errors import DataError, FormulaError
from scalesr.estimators.numbers import Floats, numbers_of
from scalesr.expr.names import check_names, default_name
from scalesr.masks import require_unmasked


@dataclass(frozen=True, slots=True)
class Columns:
    """Which columns of a table are what; with arrays only the names of the states."""

    states: tuple[str, ...] | None = None  # None: all that are nothing else
    time: str | None = None
    trajectory: str | None = None


def read_trajectories(
    trajectories: Any, t: Any, columns: Columns, *, inputs: Any = None, parameters: Any = None, is_map: bool = False
) -> Trajectories:
    """Runs from whatever holds them."""
    if isinstance(trajectories, pd.DataFrame):
        runs, states, known = _from_table(trajectories, t, columns, _listed(inputs), _listed(parameters), is_map)
    else:
        runs, states, known = _from_arrays(trajectories, t, columns, inputs, parameters, is_map)
    try:
        check_names((*states, *known))
    except FormulaError as error:
        raise DataError(str(error)) from error
    return whole_trajectories(runs, states, known, is_map=is_map)


Read = tuple[list[Trajectory], tuple[str, ...], tuple[str, ...]]


def _from_table(
    table: pd.DataFrame, t: Any, columns: Columns, inputs: Sequence[str], parameters: Sequence[str], is_map: bool
) -> Read:
    time = columns.time if columns.time is not None else (t if isinstance(t, str) else None)
    if time is None and not is_map:
        raise DataError("A table of trajectories needs the name of its column of times: give time='t'.")
    known = (*inputs, *parameters)
    special = [name for name in (time, columns.trajectory) if name is not None]
    states = columns.states or tuple(str(c) for c in table.columns if c not in {*special, *known})
    missing = [name for name in (*special, *states, *known) if name not in table.columns]
    if missing:
        raise DataError(
            f"The table has no column {missing[0]!r}; its columns are {', '.join(map(str, table.columns))}."
        )
    if not states:
        raise DataError("No column is left for the states; name them with states=[...].")
    if columns.trajectory is None:
        groups = [table]
    elif table[columns.trajectory].isna().any():
        raise DataError(f"Column {columns.trajectory!r} has empty cells; every row belongs to a trajectory.")
    else:
        groups = [group for _, group in table.groupby(columns.trajectory, sort=False)]
    runs = []
    for group in groups:
        times = np.arange(len(group), dtype=float) if time is None else numbers_of(group[time], f"Column {time!r}")
        runs.append(Trajectory(times, _cells(group, states), _cells(group, known)))
    return runs, states, known


def _cells(table: pd.DataFrame, names: Sequence[str]) -> Floats:
    columns = [numbers_of(table[name], f"Column {name!r}") for name in names]
    return np.array(columns).T if columns else np.empty((len(table), 0))


def _from_arrays(trajectories: Any, t: Any, columns: Columns, inputs: Any, parameters: Any, is_map: bool) -> Read:
    states = _state_arrays(trajectories)
    if not states:
        raise DataError("There are no trajectories; give at least one.")
    n_states = states[0].shape[1]
    if odd := [k for k, one in enumerate(states) if one.shape[1] != n_states]:
        raise DataError(f"Trajectory {odd[0]} has {states[odd[0]].shape[1]} states and trajectory 0 has {n_states}.")
    names = columns.states or tuple(map(default_name, range(n_states)))
    if len(names) != n_states:
        raise DataError(f"{n_states} states need as many names; got {', '.join(names)}.")
    times = _time_arrays(t, [len(one) for one in states], is_map)
    known = {**_curves(inputs, states), **_levels(parameters, states)}
    runs = [
        Trajectory(
            times[k], one, np.column_stack([known[name][k] for name in known]) if known else np.empty((len(one), 0))
        )
        for k, one in enumerate(states)
    ]
    return runs, tuple(names), tuple(known)


def _state_arrays(trajectories: Any) -> list[Floats]:
    """One array (points, states) per run."""
    if isinstance(trajectories, Mapping | str | bytes) or trajectories is None:
        raise DataError(f"Trajectories are arrays, a list of arrays or a table, not {type(trajectories).__name__}.")
    if isinstance(trajectories, Sequence) and len(trajectories) and not isinstance(trajectories[0], Real | str):
        parts = [_array(one, f"trajectory {k}") for k, one in enumerate(trajectories)]
        if all(part.ndim in (1, 2) for part in parts) and any(part.ndim == 2 for part in parts):
            return [_two_sided(part) for part in parts]
    array = _array(trajectories, "the trajectories")
    if array.size == 0:
        return []
    if array.ndim == 3:
        return list(array)
    if array.ndim in (1, 2):
        return [_two_sided(array)]
    raise DataError(f"Trajectories of shape {array.shape} are not understood; give (runs, points, states).")


def _two_sided(array: Floats) -> Floats:
    return array[:, np.newaxis] if array.ndim == 1 else array


def _array(values: Any, label: str) -> Floats:
    require_unmasked(values, label)
    try:
        found = np.asarray(values)
    except ValueError as error:
        raise DataError(f"{label} is ragged: {error}. Give a list of arrays (points, states).") from error
    if found.dtype.kind == "c":
        raise DataError(f"{label} is complex; give the real and the imaginary part as separate states.")
    try:
        return found.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"{label} holds what is not a number: {error}.") from error


def _time_arrays(t: Any, lengths: Sequence[int], is_map: bool) -> list[Floats]:
    """Times per run: a step, one array for all, or one for each."""
    if t is None:
        if not is_map:
            raise DataError("Times are missing: give t, an array of times or one for each trajectory.")
        t = 1.0
    if isinstance(t, Real):
        if not np.isfinite(float(t)) or float(t) <= 0:
            raise DataError(f"A time step is a positive number, not {t}.")
        return [np.asarray(float(t) * np.arange(n), np.float64) for n in lengths]
    if not isinstance(t, np.ndarray | Sequence | pd.Series) or isinstance(t, str):
        raise DataError(f"Times are an array or one for each trajectory, not {type(t).__name__}.")
    single = not any(np.ndim(part) for part in t)
    parts = [_array(t, "t")] * len(lengths) if single else [_array(part, "t").ravel() for part in t]
    if len(parts) != len(lengths):
        raise DataError(f"{len(lengths)} trajectories need as many arrays of times; got {len(parts)}.")
    for k, (part, n) in enumerate(zip(parts, lengths, strict=True)):
        if len(part) != n:
            raise DataError(f"Trajectory {k} (from 0) has {n} points and {len(part)} times.")
    return parts


def _curves(inputs: Any, states: Sequence[Floats]) -> dict[str, list[Floats]]:
    """Known inputs by name, an array per run."""
    found = {}
    for name, values in _mapping(inputs, "inputs").items():
        parts = [_array(values, name)] if np.ndim(values[0]) == 0 else [_array(part, name) for part in values]
        parts = parts * len(states) if len(parts) == 1 else parts
        lengths = [len(part) for part in parts]
        if lengths != [len(one) for one in states] or any(part.ndim != 1 for part in parts):
            raise DataError(f"Input {name!r} needs a value for every point of every trajectory.")
        found[str(name)] = parts
    return found


def _levels(parameters: Any, states: Sequence[Floats]) -> dict[str, list[Floats]]:
    """Parameters by name, constant along each run."""
    found = {}
    for name, values in _mapping(parameters, "parameters").items():
        levels = _array(values, name).ravel()
        if len(levels) != len(states):
            raise DataError(f"Parameter {name!r} needs a value per trajectory ({len(states)}); got {len(levels)}.")
        found[str(name)] = [np.full(len(one), level) for one, level in zip(states, levels, strict=True)]
    return found


def _mapping(given: Any, what: str) -> Mapping[str, Any]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise DataError(f"With arrays, {what} are given by name: {what}={{'name': values}}.")
    return given


def _listed(names: Any) -> tuple[str, ...]:
    if names is None:
        return ()
    if isinstance(names, str):
        return (names,)
    if isinstance(names, Mapping):
        raise DataError("With a table, inputs and parameters are names of columns: inputs=['u'].")
    return tuple(names)
