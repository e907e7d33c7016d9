"""Searches by name."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from operator import attrgetter
from typing import Final, cast

from scalesr.errors import DataError
from scalesr.records.interfaces import Search

# Name -> module:factory. Modules load when their method is asked for.
METHODS: Final[Mapping[str, str]] = {
    "default": "scalesr.search.default:DefaultSearch",
    "exhaustive": "scalesr.search.exhaustive:ExhaustiveSearch",
    "mcts": "scalesr.search.mcts:MctsSearch",
    "spl": "scalesr.search.mcts:MctsSearch.spl",
    "genetic": "scalesr.search.genetic.search:GeneticSearch",
    "dsr": "scalesr.search.policy.search:DsrSearch",
    "nggp": "scalesr.search.hybrid.search:NggpSearch",
    "linear": "scalesr.search.linear:LinearSearch",
}


def make_search(method: str) -> Search:
    """A search by its name here, or by `module:factory` for one of your own."""
    module, _, factory = METHODS.get(method, method).partition(":")
    if not factory:
        raise DataError(f"Unknown method {method!r}; known are {', '.join(METHODS)}, or write module:factory.")
    try:
        make = attrgetter(factory)(import_module(module))
    except (ImportError, AttributeError) as error:
        raise DataError(f"Method {method!r} cannot be loaded: {error}.") from error
    return cast(Search, make())
