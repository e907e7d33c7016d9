"""Tables with a known law, and archives that were offered formulas."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.archive import Archive
from scalesr.expr.operators import Operators
from scalesr.expr.text import parse
from scalesr.polish.shortest import shortest
from scalesr.records.dataset import Dataset
from scalesr.records.proposal import Proposal

Floats = NDArray[np.float64]


def dataset(law: Callable[..., Floats], n_rows: int, *ranges: tuple[float, float], noise: float = 0.0) -> Dataset:
    """Uniform rows of x0, x1, ... and the law's values; noise as a share of their standard deviation."""
    rng = np.random.default_rng(n_rows)
    X = np.stack([rng.uniform(low, high, n_rows) for low, high in ranges], axis=1)
    y = law(*X.T) * np.ones(n_rows)
    return Dataset.from_table(X, y + noise * y.std() * rng.normal(size=n_rows))


def proposals(texts: Sequence[str]) -> list[Proposal]:
    return [Proposal(parse(text), "a guess") for text in texts]


def archive_of(data: Dataset, *texts: str, operators: str = "physics") -> Archive:
    """An archive with a fifth of the rows held back."""
    kept, held = data.split(data.n_rows // 5, rng=np.random.default_rng(0))
    archive = Archive(kept, held, Operators(operators), shorten=shortest)
    archive.offer(proposals(texts))
    return archive
