"""Tables for the tests of runs."""

from __future__ import annotations

import numpy as np

LINE = b"x,y\n" + b"".join(b"%d,%d\n" % (x, 3 * x + 2) for x in range(40))


def noisy() -> bytes:
    """Five columns with noise, on which a search takes longer than a test waits for it."""
    rng = np.random.default_rng(0)
    X = rng.uniform(1, 3, (300, 5))
    y = X[:, 0] * np.sin(X[:, 1] * X[:, 2]) + X[:, 3] / X[:, 4] + 0.1 * rng.normal(size=300)
    rows = [",".join(f"{value:.6g}" for value in row) for row in np.column_stack([X, y]).tolist()]
    return "\n".join(["a,b,c,d,e,y", *rows]).encode()
