"""Tables drawn from a law: its rows, the noise of the target and columns that do not matter."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import DataError
from scalesr.generator.asked_rows import ask_rows, rows_in
from scalesr.records.dataset import Dataset
from scalesr.records.oracle import Oracle
from scalesr.tables import read_columns
from scalesr_bench.bundled import bundled
from scalesr_bench.laws.counting import counted
from scalesr_bench.laws.suites import Source
from scalesr_bench.laws.target_noise import NoiseKind, TargetNoise
from scalesr_bench.problems.no_law import NoLaw
from scalesr_bench.problems.problem import Problem
from scalesr_bench.samplers import even_rows, random_rows

Floats = NDArray[np.float64]

N_ROWS: Final = 10_000  # where a law has no usual number
_ROWS, _NOISE, _EXTRA, _ORACLE, _METHOD, _JUDGE, _ASKED = range(7)  # what a stream of random numbers is for


@dataclass(frozen=True, slots=True, eq=False)
class DrawnTable:
    """A table to find a law in and the truth it was made with."""

    source: Source  # over all columns of the table; scaled where its values are counted
    data: Dataset
    extra: tuple[str, ...]  # columns that do not matter
    noise: TargetNoise  # of measured rows the residual of the known law
    seed: int

    @property
    def is_noisy(self) -> bool:
        return self.noise.level > 0

    def method_stream(self) -> np.random.Generator:
        """Random numbers for the method."""
        return stream(self.source, self.seed, _METHOD)

    def judge_stream(self) -> np.random.Generator:
        """Random numbers for the judge."""
        return stream(self.source, self.seed, _JUDGE)

    def oracle(self) -> TrueFunction:
        """The true function, to be asked anywhere."""
        return TrueFunction(self.source, self.noise, stream(self.source, self.seed, _ORACLE))


class TrueFunction:
    """The true function of a source, with the noise that its rows have; it counts the rows it is asked for."""

    def __init__(self, source: Source, noise: TargetNoise, rng: np.random.Generator) -> None:
        self.n_asked = 0
        self._source = source
        self._noise = noise
        self._rng = rng

    def __call__(self, X: Floats) -> Floats:  # (rows, variables) -> (rows,)
        self.n_asked += len(X)
        with np.errstate(all="ignore"):  # outside of the box a law may have no value
            values = self._source.values(np.ascontiguousarray(X, np.float64))
        return self._noise.added_to(values, self._rng)


def draw_table(
    source: Source,
    *,
    seed: int,
    noise: float = 0.0,
    kind: NoiseKind | None = None,
    n_rows: int | None = None,
    n_extra: int = 0,
) -> DrawnTable:
    """A table of a source's usual rows with noise of a kind, of the source's own where none is given.

    Seeds decide the rows, which all methods and levels of noise share; measured rows are as they are.
    Columns that do not matter are drawn from the ranges of those that do, and stand in random places
    among them.
    """
    if isinstance(source, Problem) and source.is_measured:
        return _measured(source, seed)
    source = counted(source, noise) if kind == "counts" and noise else source
    count = n_rows or source.sampling.n_rows or N_ROWS
    own = _rows(source, count, stream(source, seed, _ROWS))
    wide, X = (source, own) if not n_extra else _widened(source, own, n_extra, stream(source, seed, _EXTRA))
    values = wide.values(X)
    target_noise = _noise(source, values, noise, kind)
    y = target_noise.added_to(values, stream(source, seed, _NOISE))
    extra = tuple(name for name in wide.names if name not in source.names)
    return DrawnTable(wide, Dataset.from_table(X, y, names=wide.names), extra, target_noise, seed)


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


def _noise(source: Source, values: Floats, share: float, kind: NoiseKind | None) -> TargetNoise:
    """Noise of a level that is a share of what its kind says or, where none is given, of what the source says."""
    if isinstance(source, NoLaw) and source.is_noise:
        return TargetNoise("constant", 1.0)
    if kind in ("proportional", "counts") or (kind is None and source.sampling.noise == "value"):
        return TargetNoise("counts" if kind == "counts" else "proportional", share)
    is_of_size = kind is None and source.sampling.noise == "size"
    unit = float(np.sqrt(np.mean(values**2)) if is_of_size else values.std())
    return TargetNoise("outliers" if kind == "outliers" else "constant", share * unit)


def _measured(problem: Problem, seed: int) -> DrawnTable:
    table = read_columns(bundled(problem.table), [*problem.names, problem.target])
    X, y = np.ascontiguousarray(table[:, :-1]), table[:, -1]
    noise = TargetNoise("constant", float(np.std(y - problem.values(X))))
    return DrawnTable(problem, Dataset.from_table(X, y, names=problem.names, target=problem.target), (), noise, seed)


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
