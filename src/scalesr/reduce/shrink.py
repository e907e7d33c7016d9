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
from scalesr.kernels.codes import ADD, MUL
from scalesr.records.precision import CLEAN
from scalesr.records.stop import Stop
from scalesr.reduce.config import REDUCE
from scalesr.reduce.parts import Learn, Misses, Parts
from scalesr.reduce.reduction import ONE, ZERO, Key, Move, Reduction, applied, described, together
from scalesr.reduce.symmetry import guessed_factors, has_function, has_point, probe, symmetries

Moves = tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class ReductionTrial:
    """Moves made together, and what the rows say of them."""

    moves: Moves
    misses: Misses

    @property
    def error(self) -> float:
        return self.misses.trimmed_rmse

    @property
    def size(self) -> int:
        """Symbols that the moves are written with."""
        return sum(part.n_nodes for move in self.moves for part in (*move.new, move.factor, move.offset))


@dataclass(frozen=True, slots=True)
class Shrunk:
    """A smaller dataset, or None where no move is confirmed, and what was tried."""

    reduction: Reduction | None
    sentence: str
    error: float  # trimmed, in standard deviations of the target before, on rows not learned from
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
    found = symmetries(probe(start.data.rows(parts.second), generator, share=REDUCE.trimmed_share))
    most = min(REDUCE.most_misfit, REDUCE.least_misfit + REDUCE.per_error * before.error)
    guesses = (
        guessed_factors(start.data)
        if before.trimmed_rmse > REDUCE.unlearned and start.data.n_rows <= REDUCE.few_rows
        else []
    )
    supported = [move for move in found if move.misfit < most]
    rejected: list[str] = []
    second_best: Shrunk | None = None
    for options in _options(start.data.n_variables, *(_writable(moves, operators) for moves in (guesses, supported))):
        trials = [
            ReductionTrial(moves, parts.misses(together(moves), weighted=is_noisy))
            for moves in options
            if not stop.passed
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
    return second_best or Shrunk(None, "", before.trimmed_rmse, tuple(rejected))


def _writable(moves: Sequence[Move], operators: Operators) -> list[Move]:
    """Moves after which the law needs no other operators because of them."""
    return [move for move in moves if operators.can_write(_symbols(move))]


def _symbols(move: Move) -> set[int]:
    """Codes that a move brings into a law."""
    symbols = {code for formula in (*move.new, move.factor, move.offset) for code in formula.codes.tolist()}
    return symbols | ({MUL} if move.factor != ONE else set()) | ({ADD} if move.offset != ZERO else set())


def _simplest(trials: Sequence[ReductionTrial]) -> ReductionTrial:
    """The simplest of the trials that are not clearly worse than the best one."""
    best = min(trials, key=lambda trial: trial.error)
    as_good = [trial for trial in trials if not trial.misses.is_clearly_worse_than(best.misses)]
    return min(as_good, key=lambda trial: (trial.size, trial.error), default=best)


def _is_confirmed(trial: ReductionTrial, before: Misses, *, is_noisy: bool) -> bool:
    """Whether the rows are learned no worse after the moves than before, under noise as far as chance lets tell."""
    if is_noisy and not has_function(trial.moves[0]) and np.isfinite(trial.moves[0].misfit):
        return not trial.misses.is_clearly_worse_than(before)
    return trial.error <= _allowed(before.trimmed_rmse, trial.moves)


def _allowed(before: float, moves: Moves) -> float:
    """The error up to which a trial counts as no worse than the error before; moves that are many must be better."""
    if has_function(moves[0]):
        return max(REDUCE.much_better * before, REDUCE.proof)
    if np.isinf(moves[0].misfit):
        return REDUCE.better * before
    if before < CLEAN:
        return max(REDUCE.much_worse * before, REDUCE.negligible)
    return before * (REDUCE.no_worse if len(moves) == 1 else 1.0)


def _kinds(moves: Sequence[Move]) -> list[list[Move]]:
    """Moves that are compared: powers, pairs, lines through a point, and last what has a function of a column."""
    plain = [move for move in moves if not has_function(move)]
    return [
        [move for move in plain if not move.new and not has_point(move)],
        [move for move in plain if move.new],
        [move for move in plain if has_point(move)],
        [move for move in moves if has_function(move)],
    ]


def _said(moves: Sequence[Move], start: Reduction) -> str:
    return "; ".join(described(move, start) for move in moves)


def _refused(trials: Sequence[ReductionTrial], best: ReductionTrial | None, start: Reduction) -> list[str]:
    return [f"{_said(trial.moves, start)}: error {trial.error:.2g}" for trial in trials if trial is not best]


def _options(n_variables: int, guesses: Sequence[Move], supported: Sequence[Move]) -> Iterator[Sequence[Moves]]:
    """What is tried side by side: the guesses, and of each kind first the best supported ones all at once."""
    yield [(move,) for move in guesses if move.columns(n_variables)]
    for moves in filter(None, _kinds(supported)):
        best = _best_supported(moves)
        if len(best) > 1 and not has_point(moves[0]) and together(best).columns(n_variables):
            yield [best]
        n_trials = REDUCE.n_function_trials if has_function(moves[0]) else REDUCE.n_trials
        yield [(move,) for move in moves if move.columns(n_variables)][:n_trials]


def _best_supported(moves: Sequence[Move]) -> Moves:
    """The moves, of different columns, that are about as well supported as the first."""
    chosen: list[Move] = []
    for move in moves:
        gone = {column for other in chosen for column in other.gone}
        if move.misfit <= REDUCE.as_well_supported * moves[0].misfit and gone.isdisjoint(move.gone):
            chosen.append(move)
    return tuple(chosen)
