"""Methods by name: the whole way from a table to its law."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from operator import attrgetter
from typing import Any, Final, Protocol, cast

import numpy as np

from scalesr import pipeline
from scalesr.errors import DataError
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Discovery


class Method(Protocol):
    """Finds the law behind a table."""

    def __call__(self, data: Dataset, settings: Settings, *, rng: np.random.Generator) -> Discovery: ...


# Name -> what it changes in the settings of the pipeline.
METHODS: Final[Mapping[str, Mapping[str, Any]]] = {
    "default": {},
    "no-plain": {"plain_laws": False},
    "paper": {"preset": "paper"},
}


@dataclass(frozen=True, slots=True)
class _Changed:
    """The pipeline with changed settings."""

    changes: Mapping[str, Any]

    def __call__(self, data: Dataset, settings: Settings, *, rng: np.random.Generator) -> Discovery:
        return pipeline.discover(data, replace(settings, **self.changes), rng=rng)


def make_method(name: str) -> Method:
    """A method by its name here, or by `module:function` for one of your own."""
    if name in METHODS:
        return _Changed(METHODS[name])
    module, _, function = name.partition(":")
    if not function:
        raise DataError(f"Unknown method {name!r}; known are {', '.join(METHODS)}, or write module:function.")
    try:
        return cast(Method, attrgetter(function)(import_module(module)))
    except (ImportError, AttributeError) as error:
        raise DataError(f"Method {name!r} cannot be loaded: {error}.") from error
