"""Structure in residuals: found where a form is wrong, not where noise is all there is."""

from __future__ import annotations

import numpy as np

from scalesr.evidence.criterion import is_within_noise
from scalesr.expr.fitting import fit_groups
from scalesr.expr.text import parse
from scalesr.records.sweep import Sweep
from scalesr.search.residual import has_structure, smooth_directions

X = np.linspace(0.2, 3, 200)


def claims(text: str, noise: float, seed: int) -> tuple[bool, bool]:
    """Whether a form fitted to two decaying curves is within the noise row by row, and has structure."""
    rng = np.random.default_rng(seed)
    curves = [a * np.exp(-b * X) + noise * rng.standard_normal(200) for a, b in ((2, 1), (3, 0.7))]
    sweep = Sweep.from_groups([X, X], curves, noise=noise)
    form = parse(text, ["x"])
    found = fit_groups(form, [X, X], curves)
    return is_within_noise(float(found.rss.sum()), form.n_open, sweep), has_structure(form, found.constants, sweep)


def test_noise_alone_is_hardly_ever_called_structure() -> None:
    assert sum(claims("C*exp(C*x)", 0.01, seed)[1] for seed in range(300)) <= 1


def test_a_lookalike_within_the_noise_of_single_rows_is_found_out() -> None:
    verdicts = [claims("C/(x + C)^6", 0.05, seed) for seed in range(20)]
    assert all(within for within, _ in verdicts)
    assert all(structure for _, structure in verdicts)


def test_directions_are_orthonormal_and_fewer_where_rows_are_few() -> None:
    many = smooth_directions(np.vstack([X, X**2]))
    np.testing.assert_allclose(many.T @ many, np.eye(many.shape[1]), atol=1e-10)
    assert smooth_directions(X[np.newaxis, :3]).shape[1] == 1
    assert smooth_directions(np.ones((1, 50))).shape[1] == 1


def test_exact_data_are_left_to_the_residual_itself() -> None:
    sweep = Sweep.from_groups([X], [X], noise=0.0)
    assert not has_structure(parse("C", ["x"]), np.array([[1.0]]), sweep)
