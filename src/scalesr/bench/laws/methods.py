"""Methods by name: the whole way from a table to its law."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from operator import attrgetter
from typing import Any, Final, Protocol, cast

import numpy as np

from scalesr import pipeline
from scalesr.bench.laws.rivals import RIVALS
from scalesr.errors import DataError
from scalesr.pipeline.paper import discover_as_in_the_paper
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Discovery
from scalesr.records.literal import LiteralSettings


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
METHODS: Final = (*OWN, *RIVALS, *ALIASES)
ABLATED: Final = "scalesr-paper"  # the method whose numbers the paper's ablations change
_NUMBERS: Final[Mapping[str, str]] = {"M": "n_points", "K": "n_groups"}


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
    """A method by its name here, scalesr-paper@M=50, or `module:function` for one of your own."""
    plain, _, change = ALIASES.get(name, name).partition("@")
    if change:
        return _Literal(_numbers(name, plain, change))
    if plain in OWN:
        return _Changed(OWN[plain])
    if plain in RIVALS:
        return RIVALS[plain]
    module, _, function = name.partition(":")
    if not function:
        raise DataError(f"Unknown method {name!r}; known are {', '.join(METHODS)}, or write module:function.")
    try:
        return cast(Method, attrgetter(function)(import_module(module)))
    except (ImportError, AttributeError) as error:
        raise DataError(f"Method {name!r} cannot be loaded: {error}.") from error


def limits_of(name: str) -> str:
    """What a method cannot write down, as a sentence; "" where there is nothing to say."""
    return RIVALS[name].limits if name in RIVALS else ""


def check_method(name: str) -> None:
    """Refuse a method that is unknown or lacks what it needs."""
    if name in RIVALS:
        RIVALS[name].make(Settings().operators)
    else:
        make_method(name)


def _numbers(name: str, plain: str, change: str) -> LiteralSettings:
    """The paper's numbers with one of them changed."""
    letter, _, value = change.partition("=")
    if ALIASES.get(plain, plain) != ABLATED or letter not in _NUMBERS or not value.isdecimal():
        raise DataError(f"{name!r} is no method; changed numbers are written {ABLATED}@M=50 or {ABLATED}@K=50.")
    try:
        return replace(LiteralSettings(), **{_NUMBERS[letter]: int(value)})
    except ValueError as error:
        raise DataError(f"{name!r}: {error}") from error
