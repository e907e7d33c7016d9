"""judge_formula: a law that the user writes, fitted and judged beside the one that was found."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from scalesr.estimators.counting_rows import counting_rows
from scalesr.estimators.inputs import as_table, read_table, read_targets, read_weights
from scalesr.expr.text import parse
from scalesr.pipeline.judging import Judged, judge_law
from scalesr.records.dataset import Dataset
from scalesr.records.equation import Equation


def judge_formula(
    formula: str, X: Any, y: Any, sample_weight: Any = None, *, beside: Equation | None = None, random_state: int = 0
) -> Judged:
    """Fit the open constants C of a formula over the columns of X to y, and judge it.

    Numbers in the formula stay as they are. `beside` is a found law that it is compared with.
    """
    table = as_table(X)
    cells = read_table(table)
    names = [str(name) for name in table.columns] if isinstance(table, pd.DataFrame) else None
    form = parse(formula, names)
    targets = read_targets(y, len(cells))
    rows = counting_rows(cells, targets.values[0], read_weights(sample_weight, len(cells)))
    data = Dataset.from_table(rows.table, rows.y, names=names, target=targets.names[0], weights=rows.weights)
    with np.errstate(all="ignore"):  # a formula that overflows somewhere has no value there, which is looked at
        return judge_law(data, form, rng=np.random.default_rng(random_state), beside=beside)
