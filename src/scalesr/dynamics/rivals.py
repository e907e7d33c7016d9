"""Rivals: other systems that describe the trajectories almost as shortly, and what they mean for the best one."""

from __future__ import annotations

from dataclasses import dataclass

from scalesr.dynamics.choose import Contest, snapped
from scalesr.dynamics.shooting import Shot
from scalesr.dynamics.terms import weighted_terms
from scalesr.dynamics.tidy import tidied
from scalesr.expr.canonical import canonical_key
from scalesr.expr.expression import Expression

NEAR = 10.0  # nats behind the best before numbers are written simply: what simple numbers can make up for
CLOSE = 3.0  # nats: odds of one to twenty, behind which another law is no rival any more
MOST = 3  # rivals whose numbers are written simply


@dataclass(frozen=True, slots=True)
class StateRival:
    """Another law of one state, and by how much the description with it is longer."""

    state: int
    law: Expression
    behind: float  # nats


def best_of_rivals(best: Shot, contest: Contest) -> tuple[Shot, tuple[StateRival, ...]]:
    """The best system with its numbers written simply, and laws that the trajectories cannot tell from its own."""
    near = _near(best, contest)
    finals = [tidied(snapped(shot, contest), contest) for shot in (best, *near)]
    winner = finals[0]
    for final in finals[1:]:
        winner = final if contest.is_better(final, winner) else winner
    others = [final for final in finals if final is not winner]
    rivals = [
        StateRival(state, final.system.laws[state].expression, behind)
        for final, behind in zip(others, contest.lengths(others, winner), strict=True)
        for state in _different_states(final, winner)
        if behind < CLOSE
    ]
    return winner, tuple(rivals)


def _near(best: Shot, contest: Contest) -> list[Shot]:
    """Systems that are not far behind, the nearest first, none of which is the best with terms besides."""
    trials = [one for one in contest.trials if one.is_finite and one.is_determined and one.system.n_free]
    ranked = sorted(zip(contest.lengths(trials, best), range(len(trials)), strict=True))
    found: list[Shot] = []
    for behind, place in ranked:
        if behind > NEAR or len(found) == MOST:
            break
        trial = trials[place]
        if all(_is_another(trial, known) for known in (best, *found)):
            found.append(trial)
    return found


def _is_another(trial: Shot, known: Shot) -> bool:
    """Whether a system has a law without one of the terms that the known one has, in a form of its own."""
    return any(
        not _forms(theirs.expression) >= _forms(own.expression)
        for theirs, own in zip(trial.system.laws, known.system.laws, strict=True)
    )


def _different_states(trial: Shot, known: Shot) -> list[int]:
    pairs = zip(trial.system.laws, known.system.laws, strict=True)
    return [k for k, (one, other) in enumerate(pairs) if _forms(one.expression) != _forms(other.expression)]


def _forms(law: Expression) -> frozenset[str]:
    """The terms of a law but for their constants."""
    return frozenset(canonical_key(term.skeleton()) for _, term in weighted_terms(law))
