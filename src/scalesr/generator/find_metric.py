"""The search for a metric: the one that makes some rows most likely.

A Gaussian process with a squared exponential covariance of Z A plus a linear one explains a few
hundred rows. First A is diagonal (a length scale per variable). Then it is turned into the axes
along which the learned gradient varies, so that a law that depends on x1 - x2, or on a ratio seen
through logarithms, needs one direction instead of two. At last A is free. Each step is kept when
it explains the rows better by more than the number of its new parameters.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from scalesr.generator.config import GENERATOR
from scalesr.generator.likelihood import likelihood
from scalesr.generator.metric import Metric, squared_distances

Floats = NDArray[np.float64]
Slopes = tuple[Floats, float, float]  # by A, by the logarithms of noise and linear part
Likelihood = Callable[[Floats, float, float], tuple[float, Slopes]]  # negative logarithm, by A and the same two

USUAL_RATE = float(np.log(0.3))  # typical change of the function over a column's standard deviation ...
FAST_RATES = (float(np.log(3.0)), float(np.log(12.0)))  # more starts where the first explains little: waves hide
RATES = (1e-3, 20.0)
NOISES = (3e-6, 7.0)
LINEARS = (2.5e-3, 400.0)


def find_metric(Z: Floats, t: Floats, *, check: Callable[[], None] = lambda: None) -> Metric:
    """The metric of a few hundred rows; work grows with the cube of their number.

    `check` is called before every look at the likelihood and may raise, to end the search.
    """
    n_variables = Z.shape[1]
    if n_variables == 0 or not t.any():
        return Metric(np.full((n_variables, 1), RATES[0]), NOISES[0], 1.0, -np.inf)
    straight = _straight(Z, t, check)
    axes, sizes = _axes(straight, Z, t)
    fastest = np.linalg.norm(straight.directions, axis=0).max()
    rates = np.log(np.clip(sizes * fastest, 2 * RATES[0], 0.5 * RATES[1]))
    turned = _with_rates(Z, t, axes, rates, (straight.noise, straight.linear), check)
    best = min([straight, turned], key=lambda m: m.cost)
    free = _with_free_directions(Z, t, best, check)
    n_new = n_variables * (n_variables - 1)
    return _mendable(free if free.cost + n_new < best.cost else best)


def _mendable(metric: Metric) -> Metric:
    """The same metric with no direction so slow that the function could not change along it."""
    left, rates, right = np.linalg.svd(metric.directions, full_matrices=False)
    return replace(metric, directions=(left * np.maximum(rates, GENERATOR.slowest_rate * rates[0])) @ right)


def _straight(Z: Floats, t: Floats, check: Callable[[], None]) -> Metric:
    """One rate per variable."""
    n_variables, parts = Z.shape[1], (0.02, 1.0)
    slow = _with_rates(Z, t, np.eye(n_variables), np.full(n_variables, USUAL_RATE), parts, check)
    if np.std(slow.leave_one_out(Z, t) - t) < GENERATOR.little_explained * np.std(t):
        return slow
    fast = [_with_rates(Z, t, np.eye(n_variables), np.full(n_variables, rate), parts, check) for rate in FAST_RATES]
    return min([slow, *fast], key=lambda m: m.cost)


def _axes(metric: Metric, Z: Floats, t: Floats) -> tuple[Floats, Floats]:
    """Orthogonal axes along which the gradient of the explained rows varies, and how much relative to the first."""
    shares: Floats = np.linalg.solve(metric.noisy_covariance(Z), t).astype(np.float64)
    gradient = metric.gradient(Z, Z, shares)
    about = gradient - gradient.mean(axis=0)
    sizes, axes = np.linalg.eigh(about.T @ about)
    sizes = np.sqrt(np.maximum(sizes[::-1], 0.0))
    return axes[:, ::-1], sizes / max(sizes[0], np.finfo(float).tiny)


def _with_rates(
    Z: Floats, t: Floats, axes: Floats, start: Floats, parts: tuple[float, float], check: Callable[[], None]
) -> Metric:
    """One rate per axis, with a prior that keeps them from extremes that few rows cannot support."""
    turned, likelihood = Z @ axes, _likelihood(Z @ axes, t, check)

    def cost(theta: Floats) -> tuple[float, Floats]:
        rates = np.exp(theta[:-2])
        value, (slopes, *rest) = likelihood(np.diag(rates), theta[-2], theta[-1])
        about = (theta[:-2] - USUAL_RATE) / GENERATOR.rate_spread
        value += 0.5 * float(about @ about)
        return value, np.array([*(np.diag(slopes) * rates + about / GENERATOR.rate_spread), *rest])

    bounds = [np.log(RATES)] * turned.shape[1]
    theta, found = _minimised(cost, np.array([*start, *np.log(parts)]), bounds)
    return Metric(axes * np.exp(theta[:-2]), float(np.exp(theta[-2])), float(np.exp(theta[-1])), found)


def _with_free_directions(Z: Floats, t: Floats, start: Metric, check: Callable[[], None]) -> Metric:
    """Any directions, beginning from those of another metric."""
    likelihood, shape = _likelihood(Z, t, check), start.directions.shape

    def cost(theta: Floats) -> tuple[float, Floats]:
        directions = theta[:-2].reshape(shape)
        value, (slopes, *rest) = likelihood(directions, theta[-2], theta[-1])
        value += 0.5 * float(np.sum(directions**2))
        return value, np.array([*(slopes + directions).ravel(), *rest])

    bounds = [np.array([-RATES[1], RATES[1]])] * start.directions.size
    begin = np.array([*start.directions.ravel(), *np.log([start.noise, start.linear])])
    theta, found = _minimised(cost, begin, bounds)
    directions = theta[:-2].reshape(shape)
    return Metric(directions, float(np.exp(theta[-2])), float(np.exp(theta[-1])), found)


def _minimised(
    cost: Callable[[Floats], tuple[float, Floats]], start: Floats, bounds: list[Floats]
) -> tuple[Floats, float]:
    limits = [*bounds, np.log(NOISES), np.log(LINEARS)]
    begin = np.clip(start, [low for low, _ in limits], [high for _, high in limits])
    options = {"maxfun": GENERATOR.n_metric_evaluations, "maxcor": 20}
    found = minimize(cost, begin, jac=True, method="L-BFGS-B", bounds=limits, options=options)
    return found.x, float(found.fun)


def _likelihood(Z: Floats, t: Floats, check: Callable[[], None]) -> Likelihood:
    """Negative log likelihood of t by directions and logarithms of noise and linear part, and its slopes."""
    products = 1 + Z @ Z.T

    def cost(directions: Floats, log_noise: float, log_linear: float) -> tuple[float, Slopes]:
        check()
        noise, linear = float(np.exp(2 * log_noise)), float(np.exp(2 * log_linear))
        U = Z @ directions
        near = np.exp(-0.5 * squared_distances(U, U))
        value, slack, trace = likelihood(near + linear * products, noise, t)
        pull = slack * near
        slopes = Z.T @ (pull @ U - pull.sum(axis=1)[:, np.newaxis] * U)
        return value, (slopes, noise * trace, linear * float(np.sum(slack * products)))

    return cost
