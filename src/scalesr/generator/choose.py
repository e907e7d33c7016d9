"""Which generator: the best of several by its error on rows that it had not seen."""

from __future__ import annotations

from functools import partial

import numpy as np

from scalesr.errors import DataError, MissingExtra
from scalesr.generator.config import GENERATOR
from scalesr.generator.features import fit_features
from scalesr.generator.kernel import fit_kernel
from scalesr.generator.learned import LearnedGenerator, Smooth
from scalesr.generator.metric import Metric
from scalesr.generator.pair_model import fit_pairs
from scalesr.generator.pairs import PairMetric, refine_pairs
from scalesr.generator.trial import Check, Fold, Trial, Way, folds, judged, some_rows
from scalesr.generator.variant import Prepared, Suited, Variant, suit, suited, variants
from scalesr.records.config import GeneratorName
from scalesr.records.dataset import Dataset
from scalesr.records.interfaces import Generator, Learner
from scalesr.records.precision import CLEAN
from scalesr.records.stop import Stop


def make_generator(
    data: Dataset, kind: GeneratorName | Learner, *, rng: np.random.Generator, stop: Stop
) -> tuple[Generator, tuple[str, ...]]:
    """The generator to use, and descriptions of those that validated worse; the stop ends it by an exception."""
    if isinstance(kind, Learner):
        return kind.learn(data, rng=rng), ()
    used = _usable(data)
    trials, missing = _trials(some_rows(used, GENERATOR.judge_rows, rng=rng), kind, rng=rng, stop=stop)
    best, *others = sorted(trials, key=_rank)
    stop.check()
    rejected = (*(other.description for other in others), *missing)
    return best.finished(some_rows(used, GENERATOR.most_rows, rng=rng), rng=rng), rejected


def quick_generator(data: Dataset, *, rng: np.random.Generator, check: Check = lambda: None) -> LearnedGenerator:
    """A good generator at a small, fixed cost; `check` is called on the way and may raise."""
    thin = some_rows(_usable(data), GENERATOR.quick_rows, rng=rng)
    trial = _quick_trial(thin, rng, check)
    check()
    return trial.finished(thin, rng=rng)


def quick_error(data: Dataset, *, rng: np.random.Generator) -> float:
    """Error of a cheap generator on unseen rows over the standard deviation of y: to compare tables with each other."""
    return _quick_trial(some_rows(_usable(data), GENERATOR.quick_rows, rng=rng), rng, lambda: None).error


def _quick_trial(data: Dataset, rng: np.random.Generator, check: Check) -> Trial:
    parts = folds(data, rng=rng)
    ranked = suited(some_rows(parts[0].known, GENERATOR.screen_rows, rng=rng), variants(data), check=check)
    whole = KERNEL if data.n_rows <= GENERATOR.most_exact else _features(GENERATOR.quick_features)
    trials = [
        judged(QUICK_PAIRS if found.variant.pairs else whole, found, parts, rng=rng, check=check)
        for found in _leaders(ranked)
    ]
    return min(trials, key=_rank)


def _trials(
    data: Dataset, kind: GeneratorName, *, rng: np.random.Generator, stop: Stop
) -> tuple[list[Trial], tuple[str, ...]]:
    """The first way on each likely variant, then the others on the better one, until nothing is to be gained.

    A network comes last. Beside the trials stands what could not be tried.
    """
    parts = folds(data, rng=rng)
    trials: list[Trial] = []
    check = stop.check
    ranked = suited(some_rows(parts[0].known, GENERATOR.screen_rows, rng=rng), variants(data), check=check)
    for leader in _leaders(ranked, n_whole=2):
        found = suit(some_rows(parts[0].known, GENERATOR.metric_rows, rng=rng), leader.variant, check=check)
        trials.append(judged(_ways(kind, leader.variant)[0], found, parts, rng=rng, check=check))
        if trials[-1].error < GENERATOR.solved:
            return trials, ()
    best = min(trials, key=_rank)
    errors = [best.error]
    for way in _ways(kind, best.found.variant)[1:]:
        if min(errors) < GENERATOR.solved or _agree(errors):
            break
        trials.append(judged(way, best.found, parts, rng=rng, check=check))
        errors.append(trials[-1].error)
    if kind != "auto" or not _lacks_rows(trials, parts, rng=rng, check=check):
        return trials, ()
    try:
        return [*trials, judged(NETWORK, best.found, parts, rng=rng, check=check)], ()
    except MissingExtra as missing:
        return trials, (f"{NETWORK.name}: {missing}",)


def _lacks_rows(trials: list[Trial], parts: list[Fold], *, rng: np.random.Generator, check: Check) -> bool:
    """Whether smooth functions err much for want of rows, as at kinks and steps: from half as many they err more.

    Noise makes them err alike from many rows and from half as many.
    """
    best, known = min(trials, key=_rank), parts[0].known
    if best.error < GENERATOR.smooth_error or best.found.variant.pairs or known.n_rows < GENERATOR.network_rows:
        return False
    smooth = min((trial.error for trial in trials if trial.way is KERNEL), default=np.inf)
    half = Fold(known.rows(np.arange(0, known.n_rows, 2)), parts[0].held)
    return judged(KERNEL, best.found, [half], rng=rng, check=check).error > GENERATOR.gain_of_more_rows * smooth


def _rank(trial: Trial) -> float:
    """Error, and a little more for pairs: they do not gain from the rows that are added in the end."""
    return trial.error * (GENERATOR.penalty_of_fewer_rows if trial.found.variant.pairs else 1.0)


def _agree(errors: list[float]) -> bool:
    """Whether the two best ways meet the noise of the rows rather than their own limits."""
    best, *others = sorted(errors)
    return bool(others) and best > max(GENERATOR.agreeing * others[0], CLEAN)


def _leaders(ranked: list[Suited], n_whole: int = 1) -> list[Suited]:
    """The likeliest variants of both kinds: `n_whole` of any function, one of pairs; none that is far from the best."""
    near = [found for found in ranked if found.cost <= ranked[0].cost + GENERATOR.unlikely_by]
    whole, pairs = [s for s in near if not s.variant.pairs], [s for s in near if s.variant.pairs]
    return whole[:n_whole] + pairs[:1]


def _usable(data: Dataset) -> Dataset:
    """The rows that count at all."""
    used = data if data.weights is None or np.all(data.weights > 0) else data.rows(data.weights > 0)
    if used.n_rows < 2:
        raise DataError(f"A function cannot be learned from {used.n_rows} row(s) of positive weight; give more.")
    return used


def _ways(kind: GeneratorName, variant: Variant) -> list[Way]:
    if kind == "network":
        return [NETWORK]
    if variant.pairs:
        return [PAIRS]
    return [KERNEL] if kind == "kernel" else [_features(GENERATOR.features), KERNEL, _features(GENERATOR.many_features)]


def _features(n_features: int) -> Way:
    return Way(f"{n_features} random features", partial(_fit_features, n_features))


def _fit_features(
    n_features: int, ready: Prepared, metric: Metric | PairMetric, rng: np.random.Generator, check: Check
) -> Smooth:
    del check
    assert isinstance(metric, Metric)
    return fit_features(ready.Z, ready.t, metric, n_features=n_features, rng=rng, weights=ready.weights)


def _fit_kernel(ready: Prepared, metric: Metric | PairMetric, rng: np.random.Generator, check: Check) -> Smooth:
    del check
    assert isinstance(metric, Metric)
    return fit_kernel(ready.Z, ready.t, metric, rng=rng, weights=ready.weights)


def _fit_pairs(
    most_rows: int, ready: Prepared, metric: Metric | PairMetric, rng: np.random.Generator, check: Check
) -> Smooth:
    check()
    assert isinstance(metric, PairMetric)
    return fit_pairs(ready.Z, ready.t, metric, most_rows=most_rows, rng=rng, weights=ready.weights, check=check)


def _fit_refined_pairs(
    most_rows: int, ready: Prepared, metric: Metric | PairMetric, rng: np.random.Generator, check: Check
) -> Smooth:
    assert isinstance(metric, PairMetric)
    rows = rng.permutation(len(ready.t))[: GENERATOR.refine_rows]
    refined = refine_pairs(metric, ready.Z[rows], ready.t[rows], check=check)
    return _fit_pairs(most_rows, ready, refined, rng, check)


def _fit_network(ready: Prepared, metric: Metric | PairMetric, rng: np.random.Generator, check: Check) -> Smooth:
    from scalesr.generator.network import fit_network  # torch is loaded only for those who ask

    del metric
    return fit_network(ready.Z, ready.t, rng=rng, weights=ready.weights, check=check)


KERNEL = Way("Gaussian process", _fit_kernel)
NETWORK = Way("a network", _fit_network)
QUICK_PAIRS = Way("Gaussian process of pairs", partial(_fit_pairs, GENERATOR.quick_pair_rows))
PAIRS = Way("Gaussian process of pairs", partial(_fit_refined_pairs, GENERATOR.pair_rows))
