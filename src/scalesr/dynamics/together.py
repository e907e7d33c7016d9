"""States that move together: where one is a sum of others throughout, no data can show which of them a law uses."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scalesr.dynamics.trajectories import Trajectories

Floats = NDArray[np.float64]

SAME = 1e-7  # of the standard deviation: clean states that differ by less move together
SIGMAS = 3.0  # of the noise
MEMBER = 0.05  # share in a relation from which on a state takes part in it


@dataclass(frozen=True, slots=True)
class Relation:
    """A sum of states that stays constant."""

    states: tuple[int, ...]
    sentence: str


def relations(data: Trajectories, noise: Floats) -> list[Relation]:
    """Sums of states that do not change anywhere in the data."""
    values = data.all_states
    std = values.std(axis=0)
    scaled = (values - values.mean(axis=0)) / std
    found = []
    _, sizes, directions = np.linalg.svd(scaled / np.sqrt(len(scaled)), full_matrices=False)
    for size, direction in zip(sizes, directions, strict=True):
        blur = float(np.sqrt(((direction * noise / std) ** 2).sum()))
        if size <= max(SAME, SIGMAS * blur) and blur < 0.1:
            found.append(_relation(direction / std, data))
    return found


def _relation(direction: Floats, data: Trajectories) -> Relation:
    """The relation in words, in units in which its largest share is one."""
    shares = direction / direction[np.abs(direction).argmax()]
    members = tuple(np.flatnonzero(np.abs(shares) >= MEMBER).tolist())
    terms = " + ".join(f"{shares[j]:.3g}*{data.states[j]}" for j in members).replace("1*", "").replace("+ -", "- ")
    level = float((data.all_states[:, list(members)] @ shares[list(members)]).mean())
    names = ", ".join(data.states[j] for j in members)
    return Relation(
        members, f"{names} move together: {terms} is {level:.4g} throughout, so that each can stand for the others."
    )
