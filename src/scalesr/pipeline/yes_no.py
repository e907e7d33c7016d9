"""Targets of yes and no: the law is the probability of yes, and its log-odds are what is searched.

A smooth function of the columns gives first log-odds. Then each round of Fisher's scoring is a table like any other:
the log-odds plus what each answer says against them, with a variance that is known. The usual method finds laws of
these; as probabilities they are fitted to the answers and judged by the probability that they give them.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.chances import YES_OR_NO, Chances, as_probability, chance_of
from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import variable
from scalesr.pipeline.method import discover
from scalesr.records.budget import Report
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Discovery, Law, Step, Verdict
from scalesr.records.engine import ready_engine
from scalesr.records.noise import GivenNoise, Noise

Floats = NDArray[np.float64]

SHARE_AS_NUMBERS: Final = 0.25  # of time and work, for an exact law of 0 and 1, which asks for no chance
SHARES: Final = (0.4, 0.6, 0.9)  # of what is left, for each round: later ones have better log-odds
SAME_CHANCE: Final = 0.01  # by which the probability of some row has to change for another round
LEAST_SECONDS: Final = 0.5  # of a search
LEAST_CHANCE: Final = 0.01  # of either answer, in a round: the rows of a rarer one would count without limit
CUT_BEYOND: Final = 3.0  # standard deviations, beyond which a column is cut for the smooth function
MOST_IN_PAIRS: Final = 12  # columns whose products are in it
PRIOR_PRECISION: Final = 1.0  # precision of its coefficients: a change of the odds by e per standard deviation is usual
MAX_NEWTON_STEPS: Final = 30  # of Newton's method for it, at most
N_OFFERED: Final = 12  # laws of a round that the answers are asked about


def discover_yes_no(
    data: Dataset, settings: Settings, *, rng: np.random.Generator, progress: Report | None = None
) -> Discovery:
    """Find the probability of yes; where that the target is yes and no was not said, an exact law of 0 and 1 first."""
    started = time.monotonic()
    ready_engine(progress)
    limits = Limits(settings)
    if data.given_noise is None or data.given_noise.noise is None:
        sure = discover(data, limits.share(SHARE_AS_NUMBERS), rng=rng.spawn(1)[0], progress=progress)
        if sure.verdict is Verdict.EXACT or sure.was_interrupted:
            return sure
    chances = Chances(data, max_complexity=settings.max_complexity)
    for proposal in settings.start:
        chances.offer(proposal.expression, proposal.origin)
    steps, ended = go_round(chances, limits, rng, progress)
    verdict, reason = chances.judged()
    probability, rivals = chances.probability(verdict)
    law = chances.best.law
    steps.append(Step("combine", f"{data.target} = {law.equation} ({law.origin}), the probability of a 1.", 0.0))
    return Discovery(
        law, verdict, reason, chances.front, tuple(steps), time.monotonic() - started, noise=YES_OR_NO,
        ended=ended.ended, ending=ended.ending, probability=probability, rivals=rivals,
    )  # fmt: skip


def go_round(
    chances: Chances, limits: Limits, rng: np.random.Generator, progress: Report | None
) -> tuple[list[Step], Discovery]:
    """Rounds of laws of the log-odds, each from better ones than before; the steps, and how the last round ended."""
    data = chances.data
    odds = smooth_log_odds(data)
    steps: list[Step] = []
    for place, share in enumerate(SHARES):
        before = time.monotonic()
        chance = np.clip(chance_of(odds), LEAST_CHANCE, 1 - LEAST_CHANCE)
        found = discover(_working(data, chance), limits.share(share), rng=rng.spawn(1)[0], progress=progress)
        laws: list[Law] = [found.law, *(one.law for one in found.rivals), *reversed(found.front)]
        for form in list(dict.fromkeys(law.equation.expression for law in laws))[:N_OFFERED]:
            chances.offer(form, "a law of the log-odds")
        summary = f"Log-odds, round {place + 1}: {found.law.equation}."
        steps += [*found.trace, Step("search", summary, time.monotonic() - before - found.seconds)]
        known, odds = odds, evaluate(chances.best.fit.expression, data.table)
        if found.was_interrupted or np.abs(chance_of(known) - chance_of(odds)).max() < SAME_CHANCE:
            break
    return steps, found


class Limits:
    """What is left of time and work; a part of it is taken by each search."""

    def __init__(self, settings: Settings) -> None:
        self._settings, self._started, self._work = settings, time.monotonic(), settings.max_work

    def share(self, part: float) -> Settings:
        """The settings of a search that may take a part of what is left."""
        limit, seconds, work = self._settings.time_limit, None, None
        if limit is not None:
            seconds = max(part * (limit - (time.monotonic() - self._started)), LEAST_SECONDS)
        if self._work is not None:
            work = part * self._work
            self._work -= work
        return replace(
            self._settings, time_limit=seconds, max_work=work, start=(), checkpoint=None,
            max_complexity=_short(self._settings.max_complexity),
        )  # fmt: skip


def _short(most: int | None) -> int | None:
    """How long log-odds may be, so that the probability is no longer than the user asks for."""
    link = as_probability(variable(0)).complexity - variable(0).complexity
    return None if most is None else max(most - link, 1)


def _working(data: Dataset, chance: Floats) -> Dataset:
    """Log-odds plus what each answer says against them; the variance of a row is known."""
    precision = chance * (1 - chance)
    y = np.log(chance / (1 - chance)) + (data.y - chance) / precision
    weights = precision if data.weights is None else precision * data.weights / data.weights.mean()
    scale = float(1 / np.sqrt(weights.mean()))
    noise = GivenNoise(Noise("constant", scale, source="given"), outliers=False)
    return replace(data, y=y, target=f"log-odds of {data.target}", weights=weights / weights.mean(), given_noise=noise)


def smooth_log_odds(data: Dataset) -> Floats:  # (rows,)
    """Log-odds as a polynomial of the columns, by logistic regression with normal coefficients."""
    features = _features(data.columns)
    weights = np.ones(data.n_rows) if data.weights is None else data.weights / data.weights.mean()
    penalty = np.full(features.shape[1], PRIOR_PRECISION)
    penalty[0] = 0.0
    share = float(np.clip(np.average(data.y, weights=weights), LEAST_CHANCE, 1 - LEAST_CHANCE))
    found = np.zeros(features.shape[1])
    found[0] = np.log(share / (1 - share))
    for _ in range(MAX_NEWTON_STEPS):
        chance = 1 / (1 + np.exp(-features @ found))
        slope = features.T @ (weights * (data.y - chance)) - penalty * found
        bend = (features * (weights * chance * (1 - chance))[:, np.newaxis]).T @ features + np.diag(penalty)
        step = np.linalg.lstsq(bend, slope, rcond=None)[0]
        found += step
        if np.abs(step).max() < 1e-6:  # of the logarithm of the odds, per standard deviation of a column
            break
    return np.asarray(features @ found)


def _features(columns: Floats) -> Floats:  # (rows, features)
    """A constant, and powers and products of the columns in units of their standard deviations."""
    size = columns.std(axis=1, keepdims=True)
    scaled = (columns - columns.mean(axis=1, keepdims=True)) / np.where(size > 0, size, 1.0)
    scaled = np.clip(scaled, -CUT_BEYOND, CUT_BEYOND)
    parts = [np.ones(columns.shape[1]), *scaled, *(scaled**2 - 1)]
    if len(scaled) <= MOST_IN_PAIRS:
        parts += [scaled[i] * scaled[j] for i in range(len(scaled)) for j in range(i)]
    return np.column_stack(parts)
