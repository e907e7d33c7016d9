"""Whether structure is left in residuals: the sharp test for a form that only looks right.

A wrong form errs smoothly. Its error may hide below the noise of single rows, yet it gathers in
few directions: low polynomials in the free variables. There, noise alone would leave a chi-square
with as many degrees of freedom as there are directions less constants.
"""

from __future__ import annotations

import numpy as np
from numpy.polynomial.legendre import legvander
from numpy.typing import NDArray
from scipy.special import gammaincc

from scalesr.evidence.residual_tests import UNLIKELY
from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression
from scalesr.records.sweep import Sweep

Floats = NDArray[np.float64]

POLYNOMIAL_DEGREE = 8  # of the polynomials in one variable alone
ROWS_PER_DIRECTION = 4  # small groups are looked at in fewer directions


def smooth_directions(columns: Floats, roots: Floats | None = None) -> Floats:
    """Orthonormal low polynomials on the rows of one group, (rows, directions).

    With `roots` of weights these are polynomials times them, as smooth errors are once they are weighed.
    """
    n_rows = columns.shape[1]
    degree = min(POLYNOMIAL_DEGREE, n_rows // ROWS_PER_DIRECTION // len(columns))
    parts = [np.ones((n_rows, 1))]
    for values in columns:
        low, high = values.min(), values.max()
        if high > low and degree > 0:
            parts.append(legvander(2 * (values - low) / (high - low) - 1, degree)[:, 1:])
    together = np.hstack(parts)
    basis, triangle = np.linalg.qr(together if roots is None else together * roots[:, np.newaxis])
    return np.asarray(basis[:, np.abs(np.diag(triangle)) > 1e-10 * np.sqrt(n_rows)])


def has_structure(form: Expression, constants: Floats, sweep: Sweep) -> bool:
    """Whether the residuals of a fitted skeleton, `constants` of each group, are more than noise."""
    if not sweep.noise:
        return False
    energy, freedom = 0.0, 0
    for group in range(sweep.n_groups):
        (X, y), roots = sweep.group(group), sweep.roots_of(group)
        basis = smooth_directions(np.ascontiguousarray(X.T), roots)
        left = y - evaluate(form.bind(constants[group]), X)
        shares = basis.T @ (left if roots is None else left * roots)
        energy += float(shares @ shares) / sweep.noise**2
        freedom += max(basis.shape[1] - form.n_open, 1)
    return bool(gammaincc(freedom / 2, energy / 2) < UNLIKELY)
