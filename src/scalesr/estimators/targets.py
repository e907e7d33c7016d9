"""One law per target, each looked for on its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed

from scalesr import pipeline
from scalesr.estimators.constraints import read_constraints
from scalesr.estimators.counting_rows import CountingRows, counting_rows
from scalesr.estimators.given import Given
from scalesr.estimators.numbers import Floats, require_moderate
from scalesr.estimators.parameters import random_sources
from scalesr.estimators.starts import starting_laws, with_comparison
from scalesr.estimators.telling import tell_end, teller
from scalesr.estimators.templates import frame_of
from scalesr.estimators.units import dimensions_of
from scalesr.estimators.yes_no import is_yes_or_no
from scalesr.expr.expression import Expression, constant
from scalesr.expr.substitute import substitute
from scalesr.records.budget import Report
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Discovery, Law, Step
from scalesr.records.engine import ready_engine
from scalesr.records.groups import GroupedData, Labels
from scalesr.records.proposal import Proposal


def discover_each(
    given: Given,
    *,
    names: Sequence[str],
    random_state: Any,
    earlier: Sequence[Discovery] = (),
    verbose: int | Report = 0,
) -> tuple[Discovery, ...]:
    """The discovery of each target; they share the time and the workers equally.

    `earlier` has a discovery per target whose laws the search begins from, or none.
    """
    settings, targets = given.settings, given.targets
    n_targets = len(targets.names)
    n_workers = min(settings.n_jobs, n_targets)
    limit = None if settings.time_limit is None else settings.time_limit * n_workers / n_targets
    work = None if settings.max_work is None else settings.max_work / n_targets
    jobs = []
    for place, rng in enumerate(random_sources(random_state, n_targets)):
        rows, labels, categories, x_errors = _counting(given, place)
        data = Dataset.from_table(
            rows.table, rows.y, names=names, target=targets.names[place], weights=rows.weights
        )  # fmt: skip
        own_units = [(name, unit) for name, unit in settings.units if name not in targets.names or name == data.target]
        dimensions = dimensions_of(own_units, names, data.target)
        data = replace(data, dimensions=dimensions, given_noise=settings.given_noise)
        require_moderate([*data.columns, data.y], [*(f"Column {name!r}" for name in names), f"Target {data.target!r}"])
        start = (*starting_laws(settings.formulas, data), *(_proposals(earlier[place]) if earlier else ()))
        own = replace(
            settings, time_limit=limit, max_work=work, start=start, checkpoint=_file(settings.checkpoint, place),
            n_jobs=settings.n_jobs // n_workers, frame=frame_of(settings.template, names),
            rules=read_constraints(settings.constraints, names, data.target),
        )  # fmt: skip
        jobs.append((data, own, rng, verbose, (*given.notes, *rows.notes), labels, categories, x_errors))
    if n_workers == 1:
        return tuple(_discovered(*job) for job in jobs)
    ready_engine(teller(verbose, "engine"))  # once, not in every process
    return tuple(Parallel(n_jobs=n_workers)(delayed(_discovered)(*job) for job in jobs))


def _discovered(
    data: Dataset,
    settings: Settings,
    rng: np.random.Generator,
    verbose: int | Report,
    notes: Sequence[str],
    labels: Labels | None,
    categories: tuple[Labels, ...],
    x_errors: Floats | None,
) -> Discovery:
    """The discovery of one target, told while it is made."""
    told = teller(verbose, data.target)
    with np.errstate(all="ignore"):  # a formula that overflows somewhere has no value there, which is looked at
        if labels is not None:
            groups = GroupedData.from_labels(data, labels.of_rows, labels.by)
            found = pipeline.discover_in_groups(groups, settings, rng=rng, progress=told)
        elif x_errors is not None:
            found = pipeline.discover_measured(data, x_errors, settings, rng=rng, progress=told)
        elif categories:
            found = pipeline.discover_with_categories(data, categories, settings, rng=rng, progress=told)
        elif is_yes_or_no(data, settings):
            found = pipeline.discover_yes_no(data, settings, rng=rng, progress=told)
        else:
            found = pipeline.discover(data, settings, rng=rng, progress=told)
    if verbose and not callable(verbose):
        tell_end(found, data.target)
    compared = with_comparison(found, settings.formulas, data) if found.law.groups is None else ()
    return noted(replace(found, trace=(*found.trace, *compared)), notes)


def _counting(given: Given, place: int) -> tuple[CountingRows, Labels | None, tuple[Labels, ...], Floats | None]:
    """The rows that count for a target, their groups, their categories and the errors of their cells.

    Rows that differ in any of these are not copies of each other.
    """
    y = given.targets.values[place]
    all_labels = [*([] if given.labels is None else [given.labels]), *given.categories]
    numbers = [_numbered(labels) for labels in all_labels]
    errors = [] if given.x_errors is None else [given.x_errors]
    rows = counting_rows(np.column_stack([given.table, *numbers, *errors]), y, given.weights)
    n_columns = given.table.shape[1]
    kept = tuple(_kept(one, rows.table[:, n_columns + k]) for k, one in enumerate(all_labels))
    cells = rows.table[:, n_columns + len(numbers) :] if errors else None
    rows = replace(rows, table=np.ascontiguousarray(rows.table[:, :n_columns]))
    return (rows, None, kept, cells) if given.labels is None else (rows, kept[0], kept[1:], cells)


def _numbered(labels: Labels) -> Floats:
    """A number for each row, equal where the groups are."""
    places = {label: float(number) for number, label in enumerate(dict.fromkeys(labels.of_rows))}
    return np.array([places[label] for label in labels.of_rows])


def _kept(labels: Labels, numbers: Floats) -> Labels:
    """The groups of some rows, by their numbers."""
    known = list(dict.fromkeys(labels.of_rows))
    return replace(labels, of_rows=tuple(known[int(number)] for number in numbers))


def _file(checkpoint: Path | None, place: int) -> Path | None:
    """The checkpoint of a target: the file itself for the first, others beside it."""
    if checkpoint is None or place == 0:
        return checkpoint
    return checkpoint.with_name(f"{checkpoint.name}.{place}")


def _proposals(discovery: Discovery) -> tuple[Proposal, ...]:
    """The laws of an earlier discovery, the best first."""
    laws: list[Law] = [discovery.law, *(law for law in discovery.front if law.equation != discovery.law.equation)]
    return tuple(Proposal(_without_letters(law), f"earlier fit, {_origin(law)}") for law in laws)


def _without_letters(law: Law) -> Expression:
    """The law with a typical value in the place of each constant that differed between groups."""
    if law.groups is None:
        return law.equation.expression
    first = len(law.equation.names) - len(law.groups.letters)
    typical = np.median(law.groups.values, axis=0).tolist()
    return substitute(law.equation.expression, {first + place: constant(one) for place, one in enumerate(typical)})


def _origin(law: Law) -> str:
    """How a law was first found, however often it has been taken over since."""
    return law.origin.removeprefix("earlier fit, ")


def noted(discovery: Discovery, notes: Sequence[str]) -> Discovery:
    """The discovery with what became of the rows before it began."""
    if not notes:
        return discovery
    return replace(discovery, trace=(Step("input", " ".join(notes), 0.0), *discovery.trace))
