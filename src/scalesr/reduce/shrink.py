"""Shrinking: moves that symmetries suggest, each confirmed on rows that its generator has not seen.

A right move loses nothing: with one variable fewer the rows are learned as well as before, mostly
better. So every move is tried on one part of the rows and measured on another, in units of the
target before it; the evidence of the derivatives only says which moves are worth the trial. Under
noise several moves do about as well, and the simplest of them is made.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from scalesr.expr.operators import Operators
from scalesr.kernels.codes import MUL
from scalesr.records.precision import CLEAN
from scalesr.records.stop import Stop
from scalesr.reduce.parts import NO_WORSE, USUAL, Learn, Misses, Parts
from scalesr.reduce.reduction import ONE, Key, Move, Reduction, applied, described, together
from scalesr.reduce.symmetry import guessed_factors, has_function, probe, symmetries

Moves = tuple[Move, ...]

MOST_MISFIT, LEAST_MISFIT = 0.4, 0.02  # of derivatives, above which a move is not tried
PER_ERROR = 50.0  # times the error of values: what the error of derivatives may come to
AS_WELL_SUPPORTED = 3.0  # times the smallest misfit: moves that are tried together
N_TRIALS, N_FUNCTION_TRIALS = 8, 4  # moves of a kind that are tried one by one, and of those with functions
NEGLIGIBLE = 2e-4  # relative error that a right move may end in, however well the rows were learned before
MUCH_BETTER = 0.5  # times the error before: what a move with a function has to reach,
BETTER = 0.8  # and one that no derivative speaks for
UNLEARNED, FEW = 0.03, 600  # relative error above which derivatives say little; rows from which it is noise
PROOF = 1e-5  # relative error that only a right move ends in
MUCH_WORSE = 2.0  # times the error before: what a generator's luck may add on clean rows


@dataclass(frozen=True, slots=True)
class Trial:
    """Moves made together, and what the rows say of them."""

    moves: Moves
    misses: Misses

    @property
    def error(self) -> float:
        return self.misses.usual

    @property
    def size(self) -> int:
        """Symbols that the moves are written with."""
        return sum(part.n_nodes for move in self.moves for part in (*move.new, move.factor))


@dataclass(frozen=True, slots=True)
class Shrunk:
    """A smaller dataset, or None where no move is confirmed, and what was tried."""

    reduction: Reduction | None
    sentence: str
    error: float  # usual one over the spread of the target before, on rows not learned from
    rejected: tuple[str, ...]


def shrink(
    start: Reduction,
    *,
    operators: Operators,
    learn: Learn,
    rng: np.random.Generator,
    stop: Stop,
    is_noisy: bool = False,
    known: Container[Key] = (),
) -> Shrunk:
    """Take the move after which the rows are learned best; factors come before pairs, and functions last.

    A move to a reduction that is known by its key is only taken where no other one is confirmed.
    """
    parts = Parts(start.data, learn, rng)
    generator, before = parts.measured_as_is()
    found = symmetries(probe(start.data.rows(parts.second), generator, share=USUAL))
    most = min(MOST_MISFIT, LEAST_MISFIT + PER_ERROR * before.error)
    guesses = guessed_factors(start.data) if before.usual > UNLEARNED and start.data.n_rows <= FEW else []
    supported = [move for move in found if move.misfit < most]
    rejected: list[str] = []
    second_best: Shrunk | None = None
    for options in _options(start.data.n_variables, *(_writable(moves, operators) for moves in (guesses, supported))):
        trials = [
            Trial(moves, parts.misses(together(moves), weighted=is_noisy)) for moves in options if not stop.passed
        ]
        while trials:
            best = _simplest(trials) if is_noisy else min(trials, key=lambda trial: trial.error)
            after = applied(together(best.moves), start, weighted=is_noisy)
            if after is None or not _is_confirmed(best, before, is_noisy=is_noisy):
                break
            shrunk = Shrunk(after, _said(best.moves, start), best.error, (*rejected, *_refused(trials, best, start)))
            if after.key not in known:
                return shrunk
            second_best = second_best or shrunk
            trials.remove(best)
        rejected += _refused(trials, None, start)
    return second_best or Shrunk(None, "", before.usual, tuple(rejected))


def _writable(moves: Sequence[Move], operators: Operators) -> list[Move]:
    """Moves after which the law needs no other operators because of them."""
    return [move for move in moves if operators.can_write(_symbols(move))]


def _symbols(move: Move) -> set[int]:
    """Codes that a move brings into a law."""
    symbols = {code for formula in (*move.new, move.factor) for code in formula.codes.tolist()}
    return symbols | ({MUL} if move.factor != ONE else set())


def _simplest(trials: Sequence[Trial]) -> Trial:
    """The simplest of the trials that are not clearly worse than the best one."""
    best = min(trials, key=lambda trial: trial.error)
    as_good = [trial for trial in trials if not trial.misses.is_clearly_worse_than(best.misses)]
    return min(as_good, key=lambda trial: (trial.size, trial.error), default=best)


def _is_confirmed(trial: Trial, before: Misses, *, is_noisy: bool) -> bool:
    """Whether the rows are learned no worse after the moves than before, under noise as far as chance lets tell."""
    if is_noisy and not has_function(trial.moves[0]) and np.isfinite(trial.moves[0].misfit):
        return not trial.misses.is_clearly_worse_than(before)
    return trial.error <= _allowed(before.usual, trial.moves)


def _allowed(before: float, moves: Moves) -> float:
    """The error up to which a trial counts as no worse than the error before; moves that are many must be better."""
    if has_function(moves[0]):
        return max(MUCH_BETTER * before, PROOF)
    if np.isinf(moves[0].misfit):
        return BETTER * before
    if before < CLEAN:
        return max(MUCH_WORSE * before, NEGLIGIBLE)
    return before * (NO_WORSE if len(moves) == 1 else 1.0)


def _kinds(moves: Sequence[Move]) -> list[list[Move]]:
    """Moves that are compared with each other: powers, pairs, and last what has a function of a column."""
    plain = [move for move in moves if not has_function(move)]
    return [
        [move for move in plain if not move.new],
        [move for move in plain if move.new],
        [move for move in moves if has_function(move)],
    ]


def _said(moves: Sequence[Move], start: Reduction) -> str:
    return "; ".join(described(move, start) for move in moves)


def _refused(trials: Sequence[Trial], best: Trial | None, start: Reduction) -> list[str]:
    return [f"{_said(trial.moves, start)}: error {trial.error:.2g}" for trial in trials if trial is not best]


def _options(n_variables: int, guesses: Sequence[Move], supported: Sequence[Move]) -> Iterator[Sequence[Moves]]:
    """What is tried side by side: the guesses, and of each kind first the best supported ones all at once."""
    yield [(move,) for move in guesses if move.columns(n_variables)]
    for moves in filter(None, _kinds(supported)):
        best = _best_supported(moves)
        if len(best) > 1 and together(best).columns(n_variables):
            yield [best]
        n_trials = N_FUNCTION_TRIALS if has_function(moves[0]) else N_TRIALS
        yield [(move,) for move in moves if move.columns(n_variables)][:n_trials]


def _best_supported(moves: Sequence[Move]) -> Moves:
    """The moves, of different columns, that are about as well supported as the first."""
    chosen: list[Move] = []
    for move in moves:
        gone = {column for other in chosen for column in other.gone}
        if move.misfit <= AS_WELL_SUPPORTED * moves[0].misfit and gone.isdisjoint(move.gone):
            chosen.append(move)
    return tuple(chosen)
