"""Methods by name: the whole way from a table to its law."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from operator import attrgetter
from typing import Any, Final, Protocol, cast

import numpy as np

from scalesr import pipeline
from scalesr.errors import DataError, MissingExtra
from scalesr.paper.method import discover_as_in_the_paper
from scalesr.paper.settings import LiteralSettings
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Discovery
from scalesr.records.samples import Samples
from scalesr_bench.laws.published import PUBLISHED
from scalesr_bench.laws.rivals import RIVALS, RivalMethod


class Method(Protocol):
    """Finds the law behind a table."""

    def __call__(self, data: Dataset, settings: Settings, *, rng: np.random.Generator) -> Discovery: ...


# Name -> what it changes in the settings of the pipeline.
OWN: Final[Mapping[str, Mapping[str, Any]]] = {
    "scalesr": {},
    "scalesr-no-plain": {"plain_laws": False},
    "scalesr-paper": {"preset": "paper"},
}
ALIASES: Final[Mapping[str, str]] = {
    "default": "scalesr",
    "no-plain": "scalesr-no-plain",
    "paper": "scalesr-paper",
}
OTHERS: Final[Mapping[str, RivalMethod]] = {**RIVALS, **PUBLISHED}
METHODS: Final = (*OWN, *OTHERS, *ALIASES)
LITERAL: Final = "scalesr-paper"
_NUMBERS: Final[Mapping[str, str]] = {"M": "n_points", "K": "n_groups"}  # that the paper's ablations change
_LITERAL_NUMBERS: Final = {**_NUMBERS, "steps": "n_steps"}  # and what it leaves open


@dataclass(frozen=True, slots=True)
class _Changed:
    """The pipeline with changed settings."""

    changes: Mapping[str, Any]

    def __call__(self, data: Dataset, settings: Settings, *, rng: np.random.Generator) -> Discovery:
        return pipeline.discover(data, replace(settings, **self.changes), rng=rng)


@dataclass(frozen=True, slots=True)
class _Literal:
    """The paper's method with other numbers than its main experiments'."""

    numbers: LiteralSettings

    def __call__(self, data: Dataset, settings: Settings, *, rng: np.random.Generator) -> Discovery:
        return discover_as_in_the_paper(data, settings, rng=rng, literal=self.numbers)


def make_method(name: str) -> Method:
    """A method by its name here, one with other numbers as scalesr@M=50, or `module:function` of your own."""
    given, _, change = name.partition("@")
    plain = ALIASES.get(given, given)
    if change:
        return _ablated(name, plain, change)
    if plain in OWN:
        return _Changed(OWN[plain])
    if plain in OTHERS:
        return OTHERS[plain]
    module, _, function = name.partition(":")
    if not function:
        raise DataError(f"Unknown method {name!r}; known are {', '.join(METHODS)}, or write module:function.")
    try:
        return cast(Method, attrgetter(function)(import_module(module)))
    except (ImportError, AttributeError) as error:
        raise DataError(f"Method {name!r} cannot be loaded: {error}.") from error


def is_own(name: str) -> bool:
    """Whether a method is one of ours, with whatever numbers."""
    given = name.partition("@")[0]
    return ALIASES.get(given, given) in OWN


def missing(name: str) -> str:
    """What a method lacks on this machine, as a sentence; "" for one that can be run."""
    try:
        check_method(name)
    except MissingExtra as error:
        return str(error)
    return ""


def limits_of(name: str) -> str:
    """What a method cannot write down, as a sentence; "" where there is nothing to say."""
    return OTHERS[name].limits if name in OTHERS else ""


def check_method(name: str) -> None:
    """Refuse a method that is unknown or lacks what it needs."""
    if name in OTHERS:
        OTHERS[name].make(Settings().operators)
    else:
        make_method(name)


def _ablated(name: str, plain: str, change: str) -> Method:
    """One of our methods with another number of points (M) or groups (K), or of steps of the paper's training."""
    changed, _, value = change.partition("=")
    numbers = _LITERAL_NUMBERS if plain == LITERAL else _NUMBERS
    if plain not in OWN or changed not in numbers or not value.isdecimal():
        known = " or ".join(f"{plain if plain in OWN else 'scalesr'}@{number}=50" for number in numbers)
        raise DataError(f"{name!r} is not a method; changed numbers are written {known}, of {', '.join(OWN)}.")
    number = {numbers[changed]: int(value)}
    try:
        if plain == LITERAL:
            return _Literal(LiteralSettings(**number))
        return _Changed({**OWN[plain], "samples": Samples(**number)})
    except ValueError as error:
        raise DataError(f"{name!r}: {error}") from error
