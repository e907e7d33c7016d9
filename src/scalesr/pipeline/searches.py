"""Searches by name."""

from __future__ import annotations

from typing import Protocol

from scalesr.expr.operators import Operators
from scalesr.records.config import Settings
from scalesr.records.interfaces import Search
from scalesr.search.default import DefaultSearch
from scalesr.search.exhaustive import ExhaustiveSearch
from scalesr.search.genetic.search import GeneticSearch
from scalesr.search.hybrid.search import NggpSearch
from scalesr.search.mcts import MctsSearch
from scalesr.search.policy.search import DsrSearch


class SearchOf(Protocol):
    """A search for given operators and threads, on which its result does not depend."""

    def __call__(self, *, operators: Operators, n_threads: int) -> Search: ...


SEARCHES: dict[str, SearchOf] = {
    "default": DefaultSearch,
    "exhaustive": ExhaustiveSearch,
    "mcts": MctsSearch,
    "gp": GeneticSearch,
    "dsr": DsrSearch,
    "nggp": NggpSearch,
}


def chosen_search(settings: Settings) -> Search:
    """The search that the settings name, or the one that they hold."""
    chosen = settings.search
    if not isinstance(chosen, str):
        return chosen
    return SEARCHES[chosen](operators=settings.operators, n_threads=settings.n_jobs)
