"""Which generator: the best of several by its error on rows that it had not seen."""

from __future__ import annotations

from functools import partial

import numpy as np

from scalesr.errors import DataError
from scalesr.generator.features import fit_features
from scalesr.generator.kernel import fit_kernel
from scalesr.generator.learned import LearnedGenerator, Smooth
from scalesr.generator.metric import Metric
from scalesr.generator.trial import FEW_ROWS, Trial, Way, folds, judged, some_rows
from scalesr.generator.variant import Prepared, Variant, suited, variants
from scalesr.records.budget import Deadline
from scalesr.records.config import GeneratorName, Oracle
from scalesr.records.dataset import Dataset
from scalesr.records.interfaces import Generator

QUICK_ROWS, QUICK_FEATURES = 2500, 256
JUDGE_ROWS, MOST_ROWS = 5000, 12_000  # that are learned from to choose, and in the end; more hardly help
FEATURES, MANY_FEATURES = 400, 1000
SCREEN_ROWS = 100  # from which the metric and the error of every variant are guessed
METRIC_ROWS = 250  # from which the metric of a likely variant is found
N_LIKELY = 2  # variants that are tried in earnest ...
LIKELY = 5.0  # ... if their guessed error is at most so many times that of the best
SOLVED = 1e-9  # relative error below which nothing better is looked for
AGREE = 0.9  # two ways whose errors have this ratio or a larger one meet the noise, not their limits


def make_generator(
    data: Dataset, kind: GeneratorName | Oracle, *, rng: np.random.Generator, deadline: Deadline
) -> tuple[Generator, tuple[str, ...]]:
    """The generator to use, and descriptions of those that validated worse."""
    if not isinstance(kind, str):
        raise NotImplementedError
    used = _usable(data)
    trials = _trials(some_rows(used, JUDGE_ROWS, rng=rng), kind, rng=rng, deadline=deadline)
    best, *others = sorted(trials, key=lambda trial: trial.error)
    return best.finished(some_rows(used, MOST_ROWS, rng=rng), rng=rng), tuple(other.description for other in others)


def quick_generator(data: Dataset, *, rng: np.random.Generator) -> LearnedGenerator:
    """A good generator at a small, fixed cost."""
    thin = some_rows(_usable(data), QUICK_ROWS, rng=rng)
    return _quick_trial(thin, rng).finished(thin, rng=rng)


def quick_error(data: Dataset, *, rng: np.random.Generator) -> float:
    """Error of a cheap generator on unseen rows over the spread of y: to compare tables with each other."""
    return _quick_trial(some_rows(_usable(data), QUICK_ROWS, rng=rng), rng).error


def _quick_trial(data: Dataset, rng: np.random.Generator) -> Trial:
    parts = folds(data, rng=rng)
    best = suited(some_rows(parts[0].known, SCREEN_ROWS, rng=rng), variants(data))[0]
    way = KERNEL if data.n_rows <= FEW_ROWS else _features(QUICK_FEATURES)
    return judged(way, best.variant, best.metric, parts, rng=rng)


def _trials(data: Dataset, kind: GeneratorName, *, rng: np.random.Generator, deadline: Deadline) -> list[Trial]:
    """The first way on each likely variant, then the others on the better one, until nothing is to be gained."""
    parts = folds(data, rng=rng)
    known, trials, metrics = parts[0].known, [], {}
    first, *others = _ways(kind)
    for variant in _likely(known, variants(data), rng):
        metrics[variant] = suited(some_rows(known, METRIC_ROWS, rng=rng), [variant])[0].metric
        trials.append(judged(first, variant, metrics[variant], parts, rng=rng))
        if deadline.passed:
            return trials
    chosen = min(trials, key=lambda trial: trial.error).variant
    for way in others:
        errors = sorted(trial.error for trial in trials)
        if errors[0] < SOLVED or deadline.passed:
            break
        trials.append(judged(way, chosen, metrics[chosen], parts, rng=rng))
    return trials


def _likely(data: Dataset, choices: list[Variant], rng: np.random.Generator) -> list[Variant]:
    if len(choices) == 1:
        return choices
    ranked = suited(some_rows(data, SCREEN_ROWS, rng=rng), choices)
    return [found.variant for found in ranked[:N_LIKELY] if found.error <= LIKELY * ranked[0].error]


def _usable(data: Dataset) -> Dataset:
    """The rows that count at all."""
    used = data if data.weights is None or np.all(data.weights > 0) else data.rows(data.weights > 0)
    if used.n_rows < 2:
        raise DataError(f"A function cannot be learned from {used.n_rows} row(s) of positive weight; give more.")
    return used


def _ways(kind: GeneratorName) -> list[Way]:
    return [KERNEL] if kind == "kernel" else [_features(FEATURES), KERNEL, _features(MANY_FEATURES)]


def _features(n_features: int) -> Way:
    return Way(f"{n_features} random features", partial(_fit_features, n_features))


def _fit_features(n_features: int, ready: Prepared, metric: Metric, rng: np.random.Generator) -> Smooth:
    return fit_features(ready.Z, ready.t, metric, n_features=n_features, rng=rng, weights=ready.weights)


def _fit_kernel(ready: Prepared, metric: Metric, rng: np.random.Generator) -> Smooth:
    return fit_kernel(ready.Z, ready.t, metric, rng=rng, weights=ready.weights)


KERNEL = Way("Gaussian process", _fit_kernel)
