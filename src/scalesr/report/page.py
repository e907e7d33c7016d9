"""write_report: a law and everything about it as one HTML file that needs no network."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from importlib import resources
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import ArrayLike

from scalesr import __version__
from scalesr.atomic import write_atomically
from scalesr.errors import DataError
from scalesr.records.discovery import Discovery
from scalesr.records.groups import Label
from scalesr.report import sections
from scalesr.report.formula import STYLE
from scalesr.report.groups import groups_of
from scalesr.report.html import paragraph, text
from scalesr.report.law_on_rows import LawOnRows

# What the page may load: nothing. A script that found its way into it would not run.
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"
_LIBRARIES: Final = ("numpy", "scipy", "numba", "scikit-learn", "torch")


class Described(Protocol):
    """A model that tells its settings."""

    def get_params(self, deep: bool = ...) -> Mapping[str, Any]: ...


class Fitted(Described, Protocol):
    """What a report asks of a model."""

    target_names_: tuple[str, ...]
    discovery_: Any  # a Discovery, or a tuple with one for each target


def write_report(
    path: str | Path,
    model: Fitted,
    X: ArrayLike,
    y: ArrayLike,
    *,
    command: str,
    sample_weight: ArrayLike | None = None,
    groups: Sequence[Label] | None = None,
) -> None:
    """Write the report of a fitted model on a table and its target; `command` is what finds the law again.

    `groups` has the label of each row's group, where the model was fitted with groups.
    """
    write_page(path, report_page(model, X, y, command=command, sample_weight=sample_weight, groups=groups))


def report_page(
    model: Fitted,
    X: ArrayLike,
    y: ArrayLike,
    *,
    command: str,
    sample_weight: ArrayLike | None = None,
    groups: Sequence[Label] | None = None,
) -> str:
    """The report as HTML."""
    labels = None if groups is None else tuple(groups)
    weights = None if sample_weight is None else np.asarray(sample_weight, np.float64).ravel()
    table, targets = np.asarray(X, np.float64), np.asarray(y, np.float64)
    columns = targets.T if targets.ndim == 2 else targets[np.newaxis]
    found: tuple[Discovery, ...] = model.discovery_ if isinstance(model.discovery_, tuple) else (model.discovery_,)
    if len(found) != len(columns):
        raise DataError(f"The model has {len(found)} laws and y has {len(columns)} columns; give the y of the fit.")
    named = zip(found, columns, model.target_names_, strict=True)
    parts = [
        _target(
            discovery,
            LawOnRows.of(discovery.equation, discovery.taken.with_constants(table, labels), column, target, weights),
            f"t{place}",
        )
        for place, (discovery, column, target) in enumerate(named)
    ]
    names = ", ".join(model.target_names_)
    inputs = paragraph(f"Table: {table.shape[0]} rows of {', '.join(found[0].law.columns)}; target: {names}.")
    about = sections.settings(parameters_of(model), versions(), command)
    return document(f"The law of {names}", inputs + "".join(parts) + about)


def write_page(path: str | Path, page: str) -> None:
    """Put a page into a file, in place of one that is there."""
    write_atomically(Path(path), page.encode("utf-8", errors="backslashreplace"))


def _target(discovery: Discovery, rows: LawOnRows, key: str) -> str:
    return (
        sections.law(discovery, rows.target)
        + groups_of(discovery, key)
        + sections.agreement(rows, key)
        + sections.variables(rows, key)
        + sections.front(discovery, key)
        + sections.story(discovery, key)
    )


def document(title: str, body: str) -> str:
    """A page with its style, which loads nothing."""
    style = resources.files("scalesr.report").joinpath("style.css").read_text(encoding="utf-8")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{text(title)}</title>\n<style>\n{style}{STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n<h1>{text(title)}</h1>\n{body}\n</main>\n</body>\n</html>\n"
    )


def parameters_of(model: Described) -> list[tuple[str, str]]:
    """The settings; of an object its kind, of a function its name."""
    return [(name, _setting(value)) for name, value in model.get_params(deep=False).items()]


def _setting(value: object) -> str:
    if value is None or isinstance(value, str | bool | int | float) or type(value).__module__.startswith("scalesr."):
        return repr(value) if not isinstance(value, str) else value
    return str(getattr(value, "__qualname__", type(value).__qualname__))


def versions() -> list[tuple[str, str]]:
    """Of this package and those that its results depend on."""
    found = [("scalesr", __version__), ("python", platform.python_version())]
    for name in _LIBRARIES:
        try:
            found.append((name, version(name)))
        except PackageNotFoundError:  # an extra that is not installed
            continue
    return found
