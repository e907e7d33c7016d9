"""The five tables of the paper as experiments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from scalesr.bench.paper.experiment import Column, Experiment
from scalesr.bench.paper.published import BY_K, BY_M, BY_N, NGUYEN, PROBLEMS, RECOVERY, SECONDS
from scalesr.records.literal import LiteralSettings

METHODS: Final = ("scalesr", *RECOVERY)

_OURS: Final = "scalesr is our default; scalesr-paper follows the paper to the letter."
_NO_NUMBERS: Final = "Our default has no M and no K: it chooses its settings and points by what the generator can tell."


def table1(methods: Sequence[str] = METHODS) -> Experiment:
    """Recovery on all ten problems."""
    columns = tuple(Column(method, method, RECOVERY.get(method, {})) for method in methods)
    return Experiment("table1", "Table 1: recovery on Nguyen and Jin", PROBLEMS, columns, notes=(_OURS,))


def table2(_: Sequence[str] = ()) -> Experiment:
    """Recovery by M, the samples of each group."""
    columns = tuple(Column(f"M={m}", f"scalesr-paper@M={m}", theirs) for m, theirs in BY_M.items())
    return Experiment("table2", "Table 2: recovery by M", NGUYEN, columns, notes=(_NO_NUMBERS,))


def table3(_: Sequence[str] = ()) -> Experiment:
    """Recovery by K, the groups."""
    columns = tuple(Column(f"K={k}", f"scalesr-paper@K={k}", theirs) for k, theirs in BY_K.items())
    return Experiment("table3", "Table 3: recovery by K", NGUYEN, columns, notes=(_NO_NUMBERS,))


def table4(methods: Sequence[str] = ("scalesr", "scalesr-paper")) -> Experiment:
    """Recovery by N, the rows that the generator learns from: four fifths of the table."""
    share = LiteralSettings().training_share
    columns = tuple(
        Column(f"{method}, N={n}", method, theirs if method in RECOVERY else {}, round(n / share))
        for method in methods
        for n, theirs in BY_N.items()
    )
    return Experiment("table4", "Table 4: recovery by N", NGUYEN, columns, notes=(_OURS,))


def table5(methods: Sequence[str] = METHODS) -> Experiment:
    """Running time."""
    columns = tuple(Column(method, method, SECONDS.get(method, {})) for method in methods)
    note = "Ours are median seconds on one core, cut by the time limit; the paper's server has 32 cores and a GPU."
    return Experiment("table5", "Table 5: running time", NGUYEN, columns, "seconds", notes=(_OURS, note))


TABLES: Final[Mapping[str, Callable[..., Experiment]]] = {
    "table1": table1, "table2": table2, "table3": table3, "table4": table4, "table5": table5,
}  # fmt: skip
