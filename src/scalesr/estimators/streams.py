"""A law for a table that is read in passes: what the estimator knows of columns and settings, handed to the method."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from numbers import Integral
from typing import Any

import numpy as np

from scalesr.errors import DataError, SettingError
from scalesr.estimators.numbers import require_moderate
from scalesr.estimators.parameters import random_sources
from scalesr.estimators.starts import starting_laws
from scalesr.estimators.telling import tell_end, teller
from scalesr.estimators.units import dimensions_of
from scalesr.estimators.yes_no import is_asked_for
from scalesr.pipeline.beyond_memory import discover_stream
from scalesr.pipeline.beyond_memory.rows import StreamRows
from scalesr.records.budget import Report
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Discovery
from scalesr.records.oracle import Oracle
from scalesr.tables.streams import Stream, open_stream


def opened(source: Any, target: str, given: Mapping[str, Any]) -> tuple[Stream, tuple[str, ...]]:
    """The stream and its features; what only needs a table in memory is refused."""
    for name, value in given.items():
        if value is not None:
            raise DataError(f"{name} needs a table in memory, and this one is read in passes; leave it out.")
    stream = open_stream(source)
    stream.require(target)
    names = tuple(name for name in stream.names if name != target)
    if not names:
        raise DataError(f"{stream.about} has no column of numbers besides the target; a law needs at least one.")
    return stream, names


def discover_rows(
    stream: Stream, names: tuple[str, ...], target: str, settings: Settings, *, n_sample: Any, random_state: Any,
    verbose: int | Report,
) -> Discovery:  # fmt: skip
    """The discovery of one target of a stream."""
    if isinstance(n_sample, bool) or not isinstance(n_sample, Integral) or n_sample < 1:
        raise SettingError(f"sample_rows={n_sample!r} is not a number of rows; give 1 or more.")
    if isinstance(settings.generator, Oracle):
        raise SettingError("A function as generator needs a table in memory; leave it out, or give a part of the rows.")
    for name, is_given in (("template", settings.template is not None), ("constraints", bool(settings.constraints))):
        if is_given:
            raise SettingError(f"{name} needs a table in memory; leave it out, or give a part of the rows.")
    if is_asked_for(settings.given_noise):
        raise SettingError("loss='logistic' needs a table in memory; leave it out, or give a part of the rows.")
    (rng,) = random_sources(random_state, 1)
    rows = StreamRows(stream, names, target, seed=int(rng.integers(2**62)))

    def prepare(data: Dataset) -> tuple[Dataset, Settings]:
        known = [(name, unit) for name, unit in settings.units if name == target or name in names]
        whole = replace(
            data, dimensions=dimensions_of(known, names, target), given_noise=settings.given_noise
        )  # fmt: skip
        require_moderate([*data.columns, data.y], [*(f"Column {name!r}" for name in names), f"Target {target!r}"])
        return whole, replace(settings, start=starting_laws(settings.formulas, whole))

    with np.errstate(all="ignore"):  # a formula that overflows somewhere has no value there, which is looked at
        found = discover_stream(rows, prepare, int(n_sample), rng=rng, progress=teller(verbose, target))
    if verbose and not callable(verbose):
        tell_end(found, target)
    return found
