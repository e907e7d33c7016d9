"""Rates of change: each state's window is the one that misleads a law least.

Noise averages out over the many points that a law is fitted to, bias does not: a window is chosen by
its bias and what is left of its noise.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scalesr.dynamics.local_polynomial import Weights, Window, centred_weights
from scalesr.dynamics.trajectories import Trajectories, Trajectory

Floats = NDArray[np.float64]

DIGITS = 2.0**-52  # of a state's size: no measurement in a double is better
MOST_SHARE = 0.5  # of a trajectory that a window may take
RULE_RUNS = 60  # runs that windows are compared on
ROWS_PER_LAW = 100  # over about this many points noise averages out when a law is fitted; bias never does
MOST_AVERAGED = 100.0
USUAL = 0.8  # of the points: by these a window is judged
USUAL_POWER = 0.4377  # mean square of the smaller USUAL share of normal numbers of variance one
DIFFERENCES = tuple(Window(degree + 1, degree) for degree in (2, 4, 6, 8, 10))
SMOOTHERS = tuple(
    Window(n_points, degree)
    for n_points in (5, 7, 9, 11, 15, 21, 29, 41, 57, 81, 115, 161)
    for degree in (2, 4, 6)
    if n_points > degree + 2
)


@dataclass(frozen=True, slots=True, eq=False)
class Rates:
    """States and their rates on points of one run, as smooth as their windows make them."""

    run: int  # its place among the trajectories
    places: NDArray[np.int64]  # (points,) in the run
    states: Floats  # (points, states)
    rates: Floats  # (points, states)
    doubts: Floats  # (points, states) how far the rates are from those of a finer window
    inputs: Floats  # (points, inputs)


@dataclass(frozen=True, slots=True, eq=False)
class Differentiation:
    """The window of each state and the error of its rates."""

    windows: tuple[Window, ...]  # per state
    errors: Floats  # (states,) standard deviation of the error of the rates, noise and bias together
    biases: Floats  # (states,) the part of it that is smooth
    noise: Floats  # (states,) of the states themselves

    @property
    def reach(self) -> int:
        """Points within which errors of rates depend on each other."""
        return max(window.n_points for window in self.windows)

    def sentence(self, names: tuple[str, ...]) -> str:
        """How each state was differentiated."""
        parts = [
            f"{name} by polynomials of degree {window.degree} over {window.n_points} points "
            f"(noise {noise:.1e}, error of the rate {error:.1e})"
            for name, window, noise, error in zip(names, self.windows, self.noise, self.errors, strict=True)
        ]
        return f"Rates of {'; '.join(parts)}."


def choose_windows(data: Trajectories, noise: Floats) -> Differentiation:
    """The best window for each state, found on some of the runs."""
    step = max(len(data.runs) // RULE_RUNS, 1)
    runs = sorted(data.runs[::step], key=lambda run: -run.n_points)[:RULE_RUNS]
    size = np.sqrt(np.mean(data.all_states**2, axis=0))
    floor = np.maximum(noise, DIGITS * size)
    longest = runs[0].n_points
    fitting = [w for w in (*DIFFERENCES, *SMOOTHERS) if w.n_points <= max(MOST_SHARE * longest, 3)]
    rules = _Rules()
    parts = np.array([_errors(runs, window, floor, rules) for window in fitting])  # (windows, noise or bias, states)
    averaged = min(max(data.n_points / ROWS_PER_LAW, 1.0), MOST_AVERAGED)
    best = np.argmin(parts[:, 0] / averaged + parts[:, 1], axis=0)
    chosen = tuple(fitting[place] for place in best.tolist())
    own = np.arange(data.n_states)
    return Differentiation(chosen, np.sqrt(parts.sum(axis=1))[best, own], np.sqrt(parts[best, 1, own]), noise)


def rates_of(data: Trajectories, how: Differentiation) -> list[Rates]:
    """States and rates wherever every state has a centred window."""
    rules = _Rules()
    found = []
    for place, run in enumerate(data.runs):
        if run.n_points < how.reach:
            continue
        parts = [rules.of(run, window) for window in how.windows]
        first = max(int(part.places[0]) for part in parts)
        last = min(int(part.places[-1]) for part in parts)
        rows = np.arange(first, last + 1)
        columns = [run.states[:, j : j + 1] for j in range(data.n_states)]
        inside = [slice(first - int(part.places[0]), last + 1 - int(part.places[0])) for part in parts]
        states = [part.values(c)[cut] for part, c, cut in zip(parts, columns, inside, strict=True)]
        rates = [part.slopes(c)[cut] for part, c, cut in zip(parts, columns, inside, strict=True)]
        doubts = [_doubt(run, j, rows, rate, rules, how.windows[j]) for j, rate in enumerate(rates)]
        found.append(
            Rates(place, rows, np.hstack(states), np.hstack(rates), np.stack(doubts, axis=1), run.inputs[rows])
        )
    return found


def _doubt(
    run: Trajectory, state: int, rows: NDArray[np.int64], rate: Floats, rules: _Rules, window: Window
) -> Floats:  # fmt: skip
    """The difference to a finer window at each row; where that has no room, the nearest one that it has."""
    finer = _finer(window)
    if run.n_points < finer.n_points:
        return np.zeros(len(rows))
    fine = rules.of(run, finer)
    slopes = fine.slopes(run.states[:, state : state + 1])[:, 0]
    near = np.clip(rows - fine.places[0], 0, len(fine.places) - 1)
    return np.asarray(np.abs(rate[np.clip(fine.places[near] - rows[0], 0, len(rows) - 1), 0] - slopes[near]))


class _Rules:
    """Rules by time grid and window, worked out once where runs share their times."""

    def __init__(self) -> None:
        self._known: dict[tuple[bytes, Window], Weights] = {}

    def of(self, run: Trajectory, window: Window) -> Weights:
        key = (run.times.tobytes(), window)
        if key not in self._known:
            if len(self._known) > 200:
                self._known.clear()
            self._known[key] = centred_weights(run.times, window)
        return self._known[key]


def _errors(runs: list[Trajectory], window: Window, noise: Floats, rules: _Rules) -> Floats:  # (2, states)
    """Mean square error of the slopes that a window gives, by noise and by bias.

    Noise is known; the bias shows in the difference to polynomials of two degrees more, or to a
    narrower window where there are no more points.
    """
    finer = _finer(window)
    squares, variances, shared = [], [], []
    for run in runs:
        if run.n_points < max(window.n_points, finer.n_points):
            continue
        coarse, fine = rules.of(run, window), rules.of(run, finer)
        cut = _overlap(coarse, fine)
        difference = coarse.slopes(run.states)[cut[0]] - fine.slopes(run.states)[cut[1]]
        squares.append(difference**2)
        variances.append((coarse.slope[cut[0]] ** 2).sum(axis=1))
        shared.append(_difference_variance(coarse, fine, cut))
    if not squares:
        return np.full((2, len(noise)), np.inf)
    variance = np.concatenate(variances).mean() * noise**2
    bias = _usual(np.concatenate(squares)) - USUAL_POWER * np.concatenate(shared).mean() * noise**2
    return np.stack([variance, np.maximum(bias, 0.0)])


def _usual(squares: Floats) -> Floats:
    """The mean of the smaller squares: a few places where curves are steep do not decide."""
    kept = max(int(USUAL * len(squares)), 1)
    return np.asarray(np.sort(squares, axis=0)[:kept].mean(axis=0))


def _finer(window: Window) -> Window:
    """A window with less bias: two degrees more, and two points more where there is none to spare."""
    degree = window.degree + 2
    return Window(max(window.n_points, degree + 1), degree)


def _overlap(coarse: Weights, fine: Weights) -> tuple[slice, slice]:
    """Rules for the same points in both."""
    shift = int(fine.places[0] - coarse.places[0])
    return slice(shift, shift + len(fine.places)), slice(None)


def _difference_variance(coarse: Weights, fine: Weights, cut: tuple[slice, slice]) -> Floats:
    """What noise of variance one makes of the difference of two slopes."""
    margin = (fine.neighbours.shape[1] - coarse.neighbours.shape[1]) // 2
    wide = np.pad(coarse.slope[cut[0]], ((0, 0), (margin, margin)))
    return np.asarray(((wide - fine.slope[cut[1]]) ** 2).sum(axis=1))
