"""An estimator's parameters as Settings of the method, checked when they are used."""

from __future__ import annotations

import math
from collections.abc import Mapping
from numbers import Integral, Real
from pathlib import Path
from typing import Any, get_args

import numpy as np
from joblib import effective_n_jobs

from scalesr.errors import SettingError
from scalesr.estimators import plugins
from scalesr.estimators.constraints import constraints_of
from scalesr.estimators.errors_of_rows import given_noise
from scalesr.estimators.starts import formulas_of
from scalesr.estimators.templates import template_of
from scalesr.estimators.units import named_units
from scalesr.expr.operators import Operators
from scalesr.records.config import GeneratorName, Preset, SearchName, Settings
from scalesr.records.oracle import Oracle
from scalesr.records.selection import rule_called

PRESETS = get_args(Preset)
SEARCHES = get_args(SearchName)
GENERATORS = get_args(GeneratorName)


def settings_of(parameters: Mapping[str, Any]) -> Settings:
    """Settings from an estimator's parameters."""
    for name in ("plain_laws", "warm_start"):
        _require_flag(parameters[name], name)
    if not callable(parameters["verbose"]):
        _require_whole(parameters["verbose"], "verbose", least=0)
    rule_called(parameters["model_selection"])
    operators = plugins.operators_of(parameters["operators"])
    return Settings(
        preset=_one_of(parameters["preset"], PRESETS, "preset"),
        operators=operators,
        search=_search(parameters["search"], operators),
        generator=_generator(parameters["generator"]),
        time_limit=_limit(parameters["time_limit"], "time_limit", "seconds"),
        max_work=_limit(parameters["max_work"], "max_work", "units of work"),
        max_complexity=_max_complexity(parameters["max_complexity"]),
        units=named_units(parameters["units"]),
        given_noise=given_noise(parameters["noise"], parameters["outliers"], parameters["loss"]),
        formulas=formulas_of(parameters["start"]),
        constraints=constraints_of(parameters["constraints"], parameters["preset"]),
        template=template_of(parameters["template"], parameters["preset"], parameters["start"]),
        plain_laws=bool(parameters["plain_laws"]),
        n_jobs=_n_jobs(parameters["n_jobs"]),
        checkpoint=_checkpoint(parameters["checkpoint"]),
    )


def random_sources(random_state: Any, count: int) -> list[np.random.Generator]:
    """Independent sources of randomness; the first is numpy's own for that seed."""
    seed = _seed_sequence(random_state)
    return [np.random.default_rng(part) for part in (seed, *seed.spawn(count - 1))]


def _seed_sequence(random_state: Any) -> np.random.SeedSequence:
    if isinstance(random_state, np.random.RandomState):
        return np.random.SeedSequence(random_state.randint(0, 2**32, size=4, dtype=np.uint32).tolist())
    if isinstance(random_state, np.random.Generator):
        return np.random.SeedSequence(random_state.integers(0, 2**32, size=4).tolist())
    if random_state is None:
        return np.random.SeedSequence()
    _require_whole(random_state, "random_state", least=0)
    return np.random.SeedSequence(int(random_state))


def _one_of(value: Any, known: tuple[str, ...], name: str) -> Any:
    if not isinstance(value, str) or value not in known:
        raise SettingError(f"{name}={value!r} is unknown; known are {_listed(known)}.")
    return value


def _search(value: Any, operators: Operators) -> Any:
    if isinstance(value, str):
        if value in SEARCHES:
            return value
        known = _one_of(value, (*SEARCHES, *plugins.names_of(plugins.SEARCHES)), "search")
        return plugins.plugin_search(known, operators)
    if isinstance(value, type) or not callable(getattr(value, "search", None)):
        raise SettingError(
            f"search={value!r} is neither one of {_listed(SEARCHES)} nor an object with the method "
            f"search(sweep, budget, *, rng, progress=None)."
        )
    return value


def _generator(value: Any) -> Any:
    if isinstance(value, Oracle):
        return value
    if not isinstance(value, str) and callable(value):
        return Oracle(value)
    if isinstance(value, str) and value in GENERATORS:
        return value
    offered = plugins.names_of(plugins.GENERATORS)
    if isinstance(value, str) and value in offered:
        return plugins.plugin_generator(value)
    raise SettingError(
        f"generator={value!r} is unknown; give {_listed((*GENERATORS, *offered))} or a function that maps a table "
        f"(rows, columns) to values (rows,)."
    )


def _limit(value: Any, name: str, unit: str) -> float | None:
    if value is None:
        return None
    try:
        number = math.nan if isinstance(value, bool) or not isinstance(value, Real) else float(value)
    except OverflowError:
        number = math.inf
    if not number > 0:
        raise SettingError(f"{name}={value!r} is not a positive number of {unit}; None means no limit.")
    return None if math.isinf(number) else number


def _max_complexity(value: Any) -> int | None:
    if value is not None:
        _require_whole(value, "max_complexity", least=1)
    return None if value is None else int(value)


def _n_jobs(value: Any) -> int:
    """Workers by joblib's rules: None is one, or what a surrounding `parallel_config` says; -1 is every core."""
    if value is not None and (isinstance(value, bool) or not isinstance(value, Integral) or value == 0):
        raise SettingError(f"n_jobs={value!r} is not a number of workers; give 1 or more, -1 for every core, or None.")
    return int(effective_n_jobs(value))


def _checkpoint(value: Any) -> Path | None:
    if value is not None and not isinstance(value, str | Path):
        raise SettingError(f"checkpoint={value!r} is neither the path of a file nor None.")
    return None if value is None else Path(value)


def _require_flag(value: Any, name: str) -> None:
    if not isinstance(value, bool | np.bool_):
        raise SettingError(f"{name}={value!r} is neither True nor False.")


def _require_whole(value: Any, name: str, *, least: int) -> None:
    if not isinstance(value, Integral) or value < least:
        raise SettingError(f"{name}={value!r} is not a whole number of {least} or more.")


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(repr(name) for name in names)
