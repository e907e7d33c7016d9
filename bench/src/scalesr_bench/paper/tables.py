"""The five tables of the paper as experiments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from scalesr.paper.settings import LiteralSettings
from scalesr.records.samples import Samples
from scalesr_bench.laws.methods import missing
from scalesr_bench.paper.experiment import Experiment, MethodColumn
from scalesr_bench.paper.published import BY_K, BY_M, BY_N, NGUYEN, PROBLEMS, RECOVERY, SECONDS, Figures

LITERAL: Final = "scalesr-paper"
OURS: Final = ("scalesr", "scalesr-no-plain", LITERAL)
PEERS: Final = ("pyoperon", "rils-rols", "pysindy")
METHODS: Final = (*dict.fromkeys([*OURS, *RECOVERY]), *PEERS)

_NAMES: Final = (
    "scalesr is our default, scalesr-no-plain the same without sparse laws before the generator, scalesr-paper the "
    "paper to the letter."
)
_M: Final = "M: points along each variable that moves, in every group. Our usual number is {}."
_K: Final = "K: groups along a new variable; ours are at each of three settings. Our usual number is {}."
_N: Final = "N: rows that the paper's generator learns from, four fifths of the table; all methods see the same table."


def table1(methods: Sequence[str] = ()) -> Experiment:
    """Recovery on all ten problems."""
    return _by_method("table1", "Table 1: recovery on Nguyen and Jin", PROBLEMS, RECOVERY, methods)


def table2(methods: Sequence[str] = ()) -> Experiment:
    """Recovery by M, the samples of each group."""
    usual = Samples().n_points
    return _by_number("table2", "M", BY_M, usual, _M.format(usual), methods)


def table3(methods: Sequence[str] = ()) -> Experiment:
    """Recovery by K, the groups."""
    usual = Samples().n_groups
    return _by_number("table3", "K", BY_K, usual, _K.format(usual), methods)


def table4(methods: Sequence[str] = ()) -> Experiment:
    """Recovery by N, the rows that the generator learns from."""
    share = LiteralSettings().training_share
    columns = tuple(
        MethodColumn(f"{method}, N={n}", method, theirs if method == LITERAL else {}, round(n / share))
        for method in methods or OURS
        for n, theirs in BY_N.items()
    )
    return Experiment("table4", "Table 4: recovery by N", NGUYEN, columns, notes=(_NAMES, _N))


def table5(methods: Sequence[str] = ()) -> Experiment:
    """Running time."""
    made = _by_method("table5", "Table 5: running time", NGUYEN, SECONDS, methods)
    note = "Ours are median seconds on one core, cut by the time limit; the paper's server has 32 cores and a GPU."
    return Experiment(made.name, made.title, made.problems, made.columns, "seconds", (*made.notes, note))


def _by_method(
    name: str, title: str, problems: tuple[str, ...], published: Mapping[str, Figures], methods: Sequence[str]
) -> Experiment:
    """One row per method; without a choice, of all that are installed."""
    lacks = {} if methods else {method: why for method in METHODS if (why := missing(method))}
    chosen = [method for method in methods or METHODS if method not in lacks]
    columns = tuple(MethodColumn(method, method, published.get(method, {})) for method in chosen)
    left_out = [f"{method} is left out: {why}" for method, why in lacks.items()]
    return Experiment(name, title, problems, columns, notes=(_NAMES, *left_out))


def _by_number(
    name: str, letter: str, published: Mapping[int, Figures], usual: int, note: str, methods: Sequence[str]
) -> Experiment:
    """One row per method and number; ours with their usual number, too."""
    columns = []
    for method in methods or OURS:
        numbers = published if method == LITERAL else (usual, *published)
        columns += [
            MethodColumn(f"{method}, {letter}={n}", f"{method}@{letter}={n}", published[n] if method == LITERAL else {})
            for n in numbers
        ]
    title = f"Table {name[-1]}: recovery by {letter}"
    return Experiment(name, title, NGUYEN, tuple(columns), notes=(_NAMES, note))


TABLES: Final[Mapping[str, Callable[[Sequence[str]], Experiment]]] = {
    "table1": table1, "table2": table2, "table3": table3, "table4": table4, "table5": table5,
}  # fmt: skip
