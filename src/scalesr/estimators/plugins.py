"""Searches, generators and operators of other packages, found through entry points.

A package names what it offers in its pyproject.toml:

    [project.entry-points."scalesr.searches"]
    greedy = "my_package:GreedySearch"          # called as GreedySearch(operators=...), a Search
    [project.entry-points."scalesr.generators"]
    nearest = "my_package:learn_nearest"        # called as learn_nearest(data, rng=...), a Generator
    [project.entry-points."scalesr.operators"]
    softsign = "my_package:SOFTSIGN"            # made by define_operator("softsign", ...)

Only what is asked for by its name is loaded.
"""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final

from scalesr.errors import OperatorError, SettingError
from scalesr.expr.operators import BY_NAME, PRESETS, Operator, Operators
from scalesr.records.interfaces import Learner

SEARCHES: Final = "scalesr.searches"
GENERATORS: Final = "scalesr.generators"
OPERATORS: Final = "scalesr.operators"


def names_of(group: str) -> tuple[str, ...]:
    """What other packages offer under a group."""
    return tuple(sorted({point.name for point in entry_points(group=group)}))


def plugin_search(name: str, operators: Operators) -> Any:
    """A search of another package for these operators."""
    search = _loaded(SEARCHES, name)(operators=operators)
    if not callable(getattr(search, "search", None)):
        raise SettingError(f"The plug-in {name!r} makes no search: it lacks search(sweep, budget, *, rng, progress).")
    return search


def plugin_generator(name: str) -> Learner:
    """A way of another package to learn a function from rows."""
    return Learner(name, _loaded(GENERATORS, name))


def operators_of(given: Any) -> Operators:
    """Presets and operators as a set, a list of names or names between commas, those of other packages as well."""
    if isinstance(given, Operators):
        return given
    if isinstance(given, str):
        given = [name for part in given.split(",") if (name := part.strip())]
    if not isinstance(given, list | tuple) or not all(isinstance(member, str | Operator) for member in given):
        raise SettingError(
            f"operators={given!r} is not a set of operators; write 'physics', '+,*,exp', ['+', '*', 'exp'] or "
            "Operators('+', '*', 'exp')."
        )
    for name in given:
        if isinstance(name, str) and name not in PRESETS and name not in BY_NAME and name in names_of(OPERATORS):
            _load_operator(name)
    return Operators(*given)


def load_operators() -> None:
    """Make every operator of other packages known, so that formulas that use them can be read."""
    for name in names_of(OPERATORS):
        if name not in BY_NAME:
            _load_operator(name)


def _load_operator(name: str) -> None:
    row = _loaded(OPERATORS, name)
    if not isinstance(row, Operator) or row.name != name:
        raise OperatorError(
            f"The plug-in {name!r} is not an operator of that name; make it by define_operator({name!r})."
        )


def _loaded(group: str, name: str) -> Any:
    point = _point(group, name)
    try:
        return point.load()
    except (ImportError, AttributeError) as error:
        package = point.dist.name if point.dist is not None else point.module
        raise SettingError(
            f"The plug-in {name!r} of the package {package} cannot be loaded ({error}); reinstall it."
        ) from error


def _point(group: str, name: str) -> EntryPoint:
    """The entry point of that name; two packages that offer the same one are told apart by nobody."""
    points = {point.value: point for point in entry_points(group=group, name=name)}
    if len(points) != 1:
        offers = ", ".join(sorted(points)) or "no package"
        raise SettingError(f"The plug-in {name!r} has to come from one package and comes from {offers}.")
    return next(iter(points.values()))
