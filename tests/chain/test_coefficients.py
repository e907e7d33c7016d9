"""Formulas for coefficients: their values count by their errors, and none decides alone."""

from dataclasses import replace

import numpy as np
import pytest

from scalesr.chain.coefficients import coefficient_formulas, coefficient_sweep
from scalesr.chain.config import CHAIN
from scalesr.chain.seeker import Seeker
from scalesr.chain.track import Track, Tracks
from scalesr.expr.canonical import canonical_key
from scalesr.expr.text import parse
from scalesr.records.stop import Stop
from scalesr.search.default import DefaultSearch

N_GROUPS = 30
VALUES = np.linspace(0.5, 3.0, N_GROUPS)


def tracked(constants, errors):
    """One coefficient, which varies, at one setting."""
    column, sigma = np.reshape(constants, (-1, 1)), np.reshape(errors, (-1, 1))
    track = Track(VALUES, column, sigma, np.zeros_like(sigma), np.ones(N_GROUPS, bool))
    return Tracks((track,), np.array([True]))


def uncertain(seed):
    """A coefficient 2 exp(-v) + 1 that most groups tell badly."""
    rng = np.random.default_rng(seed)
    errors = np.where(rng.random(N_GROUPS) < 0.4, 0.002, 0.3)
    return tracked(2 * np.exp(-VALUES) + 1 + errors * rng.standard_normal(N_GROUPS), errors)


def seeker():
    return Seeker(DefaultSearch(), np.random.default_rng(0), Stop(seconds=None))


def test_a_coefficient_with_uncertain_groups_is_found_by_its_errors_alone():
    law = canonical_key(parse("C*exp(C*x0) + C"))
    n_found = {"by its errors": 0, "without": 0}
    for seed in range(3):
        sweep = coefficient_sweep(uncertain(seed), 0)
        alike = replace(sweep, weights=None, noise=0.3)
        for way, one in zip(n_found, (sweep, alike), strict=True):
            n_found[way] += law in [
                canonical_key(s.expression) for s in seeker().rank(one, CHAIN.quick_fits).skeletons[:4]
            ]
    assert n_found["by its errors"] == 3
    assert n_found["without"] == 0


def test_the_pieces_of_an_uncertain_coefficient_have_its_constants():
    pieces = coefficient_formulas(uncertain(0), 1, seeker(), n_thorough=0)
    law = canonical_key(parse("C*exp(C*x1) + C"))
    (piece,) = [one for one in pieces[0] if canonical_key(one.expression) == law]
    assert sorted(piece.constants[0]) == pytest.approx([-1.0, 1.0, 2.0], abs=0.05)


def test_the_errors_of_the_values_are_those_of_the_track_but_for_the_surest():
    errors = np.geomspace(0.01, 0.03, N_GROUPS)
    sweep = coefficient_sweep(tracked(VALUES, errors), 0)
    least = np.quantile(errors, CHAIN.surest, method="lower")
    np.testing.assert_allclose(sweep.noise / sweep.roots, np.maximum(errors, least))


def test_no_value_decides_alone():
    errors = np.full(N_GROUPS, 0.1)
    errors[4] = 1e-9
    sweep = coefficient_sweep(tracked(VALUES**2, errors), 0)
    assert sweep.weights is None
    assert sweep.noise == pytest.approx(0.1)


def test_values_of_unknown_errors_count_alike():
    sweep = coefficient_sweep(tracked(VALUES, np.full(N_GROUPS, np.inf)), 0)
    assert (sweep.n_rows, sweep.weights, sweep.noise) == (N_GROUPS, None, pytest.approx(3e-10))
