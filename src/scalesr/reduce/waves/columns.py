"""Waves as columns: the rows with a column cos(w u + p) for every wave, beside the columns that still matter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.numbers import simple_number
from scalesr.expr.expression import Expression, apply, constant
from scalesr.expr.operators import Operators
from scalesr.records.stop import Stop
from scalesr.reduce.reduction import ONE, Reduction, Transformation, applied
from scalesr.reduce.waves.config import WAVE
from scalesr.reduce.waves.find import Found, find_waves
from scalesr.reduce.waves.model import Wave

Floats = NDArray[np.float64]

QUARTER: Final = np.pi / 2


@dataclass(frozen=True, slots=True, eq=False)
class Waved:
    """The rows with waves as columns, and what was found, as a sentence."""

    reduction: Reduction
    sentence: str


def with_waves(here: Reduction, operators: Operators, stop: Stop) -> Waved | None:
    """The rows with columns for the waves in them; None where there are none."""
    found = find_waves(here.data, operators, stop)
    if found is None or found.share < WAVE.least_explained:
        return None
    written = [_written(phase) for phase in _factors(found)]
    gone = tuple(j for j in range(here.data.n_variables) if j not in found.needed)
    after = applied(Transformation(gone, tuple(written), ONE, 0.0), here)
    if after is None:
        return None
    said = ", ".join(here.text(one) for one in written)
    return Waved(after, f"Waves explain {found.share:.3%} of what smooth functions leave: {said}.")


@dataclass(frozen=True, slots=True)
class WavePhase:
    """A sum of coordinates with weights, and a number that is added."""

    parts: tuple[tuple[Expression, float], ...]
    offset: float

    @property
    def weights(self) -> dict[Expression, float]:
        return dict(self.parts)


def _factors(found: Found) -> list[WavePhase]:
    """The phases of the waves; two waves of equal amplitude are one product where that has simpler phases."""
    amplitudes = found.fitted.amplitudes[1:]
    phases = [_phase(wave, amplitude) for wave, amplitude in zip(found.fitted.waves, amplitudes, strict=True)]
    for _ in range(len(phases)):
        merged = _one_merged(phases)
        if merged is None:
            return phases
        phases = merged
    return phases


def _phase(wave: Wave, amplitude: Floats) -> WavePhase:
    """The phase of a wave whose amplitude is positive, by its largest coefficient."""
    weights = zip((one.written for one in wave.scan), wave.frequencies.tolist(), strict=True)
    largest = amplitude[int(np.abs(amplitude).argmax())]
    return WavePhase(tuple(weights), wave.phase + (np.pi if largest < 0 else 0.0))


def _one_merged(phases: Sequence[WavePhase]) -> list[WavePhase] | None:
    """The phases with one pair replaced by half its sum and half its difference; None where no pair allows it."""
    for place, first in enumerate(phases):
        for second in phases[place + 1 :]:
            halves = _halves(first, second)
            if halves is not None:
                kept = [one for one in phases if one is not first and one is not second]
                return kept + _new_ones(halves, kept)
    return None


def _new_ones(halves: tuple[WavePhase, WavePhase], kept: Sequence[WavePhase]) -> list[WavePhase]:
    """Those of two factors that are not there yet; a sign by which one differs goes to the other."""
    known = [next((turns for other in kept if (turns := _half_turns(one, other)) is not None), None) for one in halves]
    pairs = zip(halves, known, reversed(known), strict=True)
    return [replace(one, offset=one.offset + np.pi * (turns or 0)) for one, own, turns in pairs if own is None]


def _halves(first: WavePhase, second: WavePhase) -> tuple[WavePhase, WavePhase] | None:
    """Phases p, q with first = p + q and second = p - q where these share no coordinate: then a product is simpler."""
    if set(first.weights) != set(second.weights) or len(first.parts) < 2:
        return None
    together, apart = [], []
    for written, weight in first.parts:
        other = second.weights[written]
        if abs(weight - other) <= WAVE.same_frequency * abs(weight):
            together.append((written, (weight + other) / 2))
        elif abs(weight + other) <= WAVE.same_frequency * abs(weight):
            apart.append((written, (weight - other) / 2))
    if not together or not apart or len(together) + len(apart) < len(first.parts):
        return None
    sums, differences = (first.offset + second.offset) / 2, (first.offset - second.offset) / 2
    return WavePhase(tuple(together), sums), WavePhase(tuple(apart), differences)


def _half_turns(first: WavePhase, second: WavePhase) -> int | None:
    """Half turns by which the cosines of two phases differ; None where they do by more."""
    if set(first.weights) != set(second.weights):
        return None
    for sign in (1.0, -1.0):
        off = [abs(w - sign * second.weights[u]) <= WAVE.same_frequency * abs(w) for u, w in first.parts]
        turns = (first.offset - sign * second.offset) / np.pi
        if all(off) and abs(turns - round(turns)) <= WAVE.same_frequency:
            return round(turns)
    return None


def _written(phase: WavePhase) -> Expression:
    """A cosine, or a sine where the phase is a quarter turn, or a simple number when it is counted from there."""
    angle = reduce(
        lambda left, right: apply("+", left, right),
        (apply("*", constant(weight), written) for written, weight in phase.parts if weight),
    )
    offset = float(np.remainder(phase.offset + np.pi, 2 * np.pi) - np.pi)
    turns = offset / QUARTER
    if abs(turns - round(turns)) <= WAVE.quarter_turn:
        return apply("sin" if round(turns) % 2 else "cos", angle)
    name, offset = _simpler(offset)
    return apply(name, apply("+", angle, constant(offset)))


def _simpler(offset: float) -> tuple[str, float]:
    """The function and its offset: up to its sign cos(u + p) is sin(u + p + pi/2) and sin(u + p - pi/2) too."""
    ways = [("cos", offset), ("sin", offset + QUARTER), ("sin", offset - QUARTER)]
    return next((way for way in ways if simple_number(way[1], WAVE.quarter_turn) is not None), ways[0])
