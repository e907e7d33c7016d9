"""Tables drawn from a law: its rows, the noise of the target and columns that do not matter."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.bench.bundled import bundled
from scalesr.bench.laws.suites import Source
from scalesr.bench.problems.no_law import NoLaw
from scalesr.bench.problems.problem import Problem
from scalesr.bench.samplers import even_rows, random_rows
from scalesr.errors import DataError
from scalesr.generator.asked_rows import ask_rows, rows_in
from scalesr.records.dataset import Dataset
from scalesr.records.oracle import Oracle
from scalesr.tables import read_columns

Floats = NDArray[np.float64]

N_ROWS: Final = 10_000  # where a law has no usual number
_ROWS, _NOISE, _EXTRA, _ORACLE, _METHOD, _JUDGE, _ASKED = range(7)  # what a stream of random numbers is for


@dataclass(frozen=True, slots=True, eq=False)
class DrawnTable:
    """A table to find a law in and the truth it was made with."""

    source: Source  # over all columns of the table
    data: Dataset
    extra: tuple[str, ...]  # columns that do not matter
    level: float  # standard deviation of the noise, or its share of each value; of measured rows that of the residual
    seed: int

    def method_stream(self) -> np.random.Generator:
        """Random numbers for the method."""
        return stream(self.source, self.seed, _METHOD)

    def judge_stream(self) -> np.random.Generator:
        """Random numbers for the judge."""
        return stream(self.source, self.seed, _JUDGE)

    def oracle(self) -> TrueFunction:
        """The true function, to be asked anywhere."""
        return TrueFunction(self.source, self.level, stream(self.source, self.seed, _ORACLE))


class TrueFunction:
    """The true function of a source, with the noise that its rows have; it counts the rows it is asked for."""

    def __init__(self, source: Source, level: float, rng: np.random.Generator) -> None:
        self.n_asked = 0
        self._source = source
        self._level = level
        self._rng = rng

    def __call__(self, X: Floats) -> Floats:  # (rows, variables) -> (rows,)
        self.n_asked += len(X)
        with np.errstate(all="ignore"):  # outside of the box a law may have no value
            values = self._source.values(np.ascontiguousarray(X, np.float64))
        if not self._level:
            return values
        return values + self._level * _weights(self._source, values) * self._rng.normal(size=len(values))


def draw_table(
    source: Source, *, seed: int, noise: float = 0.0, n_rows: int | None = None, n_extra: int = 0
) -> DrawnTable:
    """A table of a source's usual rows; `noise` is a share of what the source says, usually the target's spread.

    Seeds decide the rows, which all methods and levels of noise share; measured rows are as they are.
    Columns that do not matter are drawn from the ranges of those that do, and stand in random places
    among them.
    """
    if isinstance(source, Problem) and source.is_measured:
        return _measured(source, seed)
    count = n_rows or source.sampling.n_rows or N_ROWS
    own = _rows(source, count, stream(source, seed, _ROWS))
    wide, X = (source, own) if not n_extra else _widened(source, own, n_extra, stream(source, seed, _EXTRA))
    values = wide.values(X)
    level = 1.0 if isinstance(source, NoLaw) and source.is_noise else noise * _unit(source, values)
    y = values + level * _weights(source, values) * stream(source, seed, _NOISE).normal(size=count) if level else values
    extra = tuple(name for name in wide.names if name not in source.names)
    return DrawnTable(wide, Dataset.from_table(X, y, names=wide.names), extra, level, seed)


def asked_table(drawn: DrawnTable, oracle: Oracle) -> tuple[Dataset, Oracle]:
    """Rows that an oracle answers for, in the box of the drawn ones and as many, and the oracle with what is left.

    The drawn rows are not used: where they lie in the box is decided here, as it is for a user who has none.
    """
    X = rows_in(drawn.source.box, drawn.data.n_rows, rng=stream(drawn.source, drawn.seed, _ASKED))
    asked = ask_rows(oracle, X)
    data = Dataset.from_table(X[asked.answered], asked.y, names=drawn.data.names, target=drawn.data.target)
    return data, asked.oracle


def stream(source: Source, seed: int, purpose: int) -> np.random.Generator:
    """Random numbers of a source's own, the same on every machine."""
    return np.random.default_rng([zlib.crc32(source.key.encode()), seed, purpose])


def _unit(source: Source, values: Floats) -> float:
    """What a share of noise is a share of."""
    if source.sampling.noise == "value":
        return 1.0
    return float(values.std() if source.sampling.noise == "spread" else np.sqrt(np.mean(values**2)))


def _weights(source: Source, values: Floats) -> Floats | float:
    """How large the noise of each row is, in units of its level."""
    return np.abs(values) if source.sampling.noise == "value" else 1.0


def _measured(problem: Problem, seed: int) -> DrawnTable:
    table = read_columns(bundled(problem.table), [*problem.names, problem.target])
    X, y = np.ascontiguousarray(table[:, :-1]), table[:, -1]
    level = float(np.std(y - problem.values(X)))
    return DrawnTable(problem, Dataset.from_table(X, y, names=problem.names, target=problem.target), (), level, seed)


def _rows(source: Source, count: int, rng: np.random.Generator) -> Floats:
    if source.sampling.spacing == "even":
        return even_rows(source.box, count)
    return random_rows(source.box, count, source.sampling.spacing, rng=rng)


def _widened(source: Source, own: Floats, n_extra: int, rng: np.random.Generator) -> tuple[Problem, Floats]:
    """The law over more columns than it has, and the wider table."""
    if not isinstance(source, Problem):
        raise DataError(f"Extra columns are for laws; {source.key} has none.")
    box = [source.box[place % len(source.box)] for place in range(n_extra)]
    extra = random_rows(box, len(own), source.sampling.spacing, rng=rng)
    order = rng.permutation(len(source.names) + n_extra)
    names = [*source.names, *(f"extra{place}" for place in range(1, n_extra + 1))]
    ranges = [*source.box, *box]
    wide = replace(source, names=tuple(names[j] for j in order), box=tuple(ranges[j] for j in order))
    return wide, np.hstack([own, extra])[:, order]
