"""Rows of laws in groups."""

import numpy as np

from scalesr.expr.evaluate import evaluate
from scalesr.expr.text import parse
from scalesr.records.dataset import Dataset
from scalesr.records.groups import GroupedData

LETTERS = ("a", "b")


def grouped(law, *, n_groups=40, n_rows=5, noise=0.01, seed=0, low=0.2, high=3.0, weights=None):
    """Rows of a law of t with letters a in 1..3 and b in 0.5..2, the spread of whose noise is over that of y."""
    rng = np.random.default_rng(seed)
    t = rng.uniform(low, high, n_groups * n_rows)
    own = np.column_stack([rng.uniform(1, 3, n_groups), rng.uniform(0.5, 2, n_groups)])
    labels = np.repeat(np.arange(n_groups), n_rows)
    y = values(law, t, own[labels])
    y = y + noise * y.std() * rng.standard_normal(len(y))
    data = Dataset.from_table(t[:, np.newaxis], y, names=["t"], weights=weights)
    return GroupedData.from_labels(data, tuple(labels.tolist())), own


def values(law, t, own):
    return evaluate(parse(law, ["t", *LETTERS]), np.column_stack([t, own]))
