"""Other methods, each from the table to its law: a search over all variables at once.

Every rival gets the operators, rows and time of the run and may use ten constants or more. It
searches on at most 1000 of the rows, evenly drawn: all of them are faster that way. What it proposes
ends as our own proposals do: constants refitted on all rows, terms that carry nothing dropped, one
judge for all. That is kinder to most of them than their own end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

import numpy as np

from scalesr.errors import DataError
from scalesr.expr.operators import Operators
from scalesr.pipeline.run import Run
from scalesr.records.budget import Budget
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Discovery
from scalesr.records.interfaces import Search
from scalesr.records.proposal import Proposal
from scalesr.records.skeleton import Ranking
from scalesr.records.sweep import Sweep

ROWS: Final = 1000  # of the table that a rival sees
N_OFFERED: Final = 5  # formulas of a ranking that the rows are asked about, besides its front
SURE: Final = 2  # of them, whatever the time
SHARE: Final = 0.8  # of the time for the search; the rest is for the end
EXACT: Final = 1e-12  # relative error at which a rival stops
LONGEST: Final = 50  # nodes of pyoperon's formulas: room for ten constants and more


@dataclass(frozen=True, slots=True)
class RivalMethod:
    """A search by itself, and what it cannot write down."""

    make: Callable[[Operators], Search]
    limits: str  # a sentence for the notes of a table

    def __call__(self, data: Dataset, settings: Settings, *, rng: np.random.Generator) -> Discovery:
        """The best law that the search proposes."""
        if not isinstance(settings.generator, str):
            raise DataError("Only ScaleSR's own methods can ask an oracle; leave --oracle out.")
        search = self.make(settings.operators)  # before the clock starts: an import must not be cut short
        run = Run(data, settings, rng=rng)
        with run.until_stopped():
            with run.stage("search") as note:
                ranking = _ranking(search, run)
                note.summary = f"{ranking.n_scored} distinct skeletons. {ranking.ended} {ranking.sentence}"
            proposals = _proposals(ranking)
            run.archive.offer(proposals[:SURE])  # a search that used all of its time still has a law to show
            run.offer(proposals[SURE:])
        return run.concluded()


def _ranking(search: Search, run: Run) -> Ranking:
    """What a search makes of the rows; one that is interrupted still has its best so far."""
    limit = run.settings.time_limit
    budget = run.stop.budget(None if limit is None else SHARE * limit)
    sweep = run.data.thinned(ROWS).sweep()
    return search.search(sweep, replace(budget, target_error=EXACT), rng=run.rng)


def _proposals(ranking: Ranking) -> list[Proposal]:
    chosen = dict.fromkeys([*ranking.skeletons[:N_OFFERED], *ranking.front])
    return [Proposal(skeleton.in_group(0), "search in all variables") for skeleton in chosen]


def _spl(operators: Operators) -> Search:
    from scalesr.search.mcts import MctsSearch

    return MctsSearch.spl(operators=operators)


@cache
def _load_torch() -> None:
    """Let torch load all that it needs, more than its import does: an alarm meanwhile would leave it half loaded."""
    from scalesr.search.policy.search import DsrSearch

    x = np.linspace(1.0, 2.0, 20)[:, np.newaxis]
    DsrSearch().search(Sweep.from_groups([x], [x[:, 0]]), Budget(n_fits=1), rng=np.random.default_rng(0))


def _dsr(operators: Operators) -> Search:
    from scalesr.search.policy.search import DsrSearch

    _load_torch()
    return DsrSearch(operators=operators)


def _nggp(operators: Operators) -> Search:
    from scalesr.search.hybrid.search import NggpSearch

    _load_torch()
    return NggpSearch(operators=operators)


def _genetic(operators: Operators) -> Search:
    from scalesr.search.genetic.search import GeneticSearch

    return GeneticSearch(operators=operators)


def _gplearn(operators: Operators) -> Search:
    from scalesr_bench.adapters.gplearn import gplearn_search

    return gplearn_search(population_size=10_000, generations=50, functions=_renamed(operators, _IN_GPLEARN))


def _pyoperon(operators: Operators) -> Search:
    from scalesr_bench.adapters.pyoperon import pyoperon_search

    return pyoperon_search(
        population_size=1000, generations=1_000_000, symbols=_renamed(operators, _IN_OPERON), max_length=LONGEST
    )


def _rils_rols(_: Operators) -> Search:
    from scalesr_bench.adapters.rils_rols import rils_rols_search

    return rils_rols_search()


def _pysindy(operators: Operators) -> Search:
    from scalesr_bench.adapters.pysindy import FUNCTIONS, pysindy_search

    return pysindy_search(functions=[name for name in operators.names if name in FUNCTIONS])


def _pysr(operators: Operators) -> Search:
    from scalesr_bench.adapters.pysr import BINARY, UNARY, pysr_search

    binary = [name for name in BINARY if name in operators]
    return pysr_search(binary=binary, unary=[name for name in UNARY if name in operators])


_IN_GPLEARN: Final = {
    "+": "add", "-": "sub", "*": "mul", "/": "div", "^": "pow", "sin": "sin", "cos": "cos", "exp": "exp",
    "log": "log", "sqrt": "sqrt", "tan": "tan", "tanh": "tanh",
}  # fmt: skip
_IN_OPERON: Final = _IN_GPLEARN | {"powi": "square"}


def _renamed(operators: Operators, names: Mapping[str, str]) -> list[str]:
    """Those of the operators that another tool has, by its names."""
    return [names[name] for name in operators.names if name in names]


RIVALS: Final[Mapping[str, RivalMethod]] = {
    "spl": RivalMethod(_spl, "spl has no function of a function but exp."),
    "dsr": RivalMethod(_dsr, "dsr writes at most 64 symbols and 10 constants."),
    "nggp": RivalMethod(_nggp, "nggp writes at most 64 symbols and 10 constants."),
    "genetic": RivalMethod(_genetic, "genetic writes at most 30 nodes and 10 constants, no function of a function."),
    "gplearn": RivalMethod(
        _gplearn,
        "gplearn has no constants that are fitted: those of the formulas it shows are fitted by us. Population "
        "10 000, at most 50 generations, as many as the time allows.",
    ),
    "pyoperon": RivalMethod(_pyoperon, "pyoperon writes at most 50 nodes and computes in single precision."),
    "rils-rols": RivalMethod(
        _rils_rols,
        "rils-rols has its own operators: + - * / sin cos exp log sqrt and constant powers, no tan, tanh or variable "
        "exponent; it always uses all of its time.",
    ),
    "pysindy": RivalMethod(
        _pysindy,
        "pysindy writes sums of products of two, of powers and functions of one variable: no constants in functions, "
        "no functions of sums, no quotients of sums.",
    ),
    "pysr": RivalMethod(_pysr, "pysr writes at most 40 nodes."),
}
