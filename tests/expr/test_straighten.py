from __future__ import annotations

import numpy as np
import pytest

from scalesr.evidence.refit import FitData
from scalesr.expr.evaluate import evaluate
from scalesr.expr.straighten import straightened
from scalesr.expr.text import parse
from scalesr.polish.prune import pruned
from scalesr.records.dataset import Dataset

TABLE = np.random.default_rng(0).uniform(-3, 3, (400, 2))


@pytest.mark.parametrize("part", ["46.5/tan(0.0215*x1 - 4.734)", "51*sin(6019/(x1 + 479))", "200*exp(0.005*x1) - 3"])
def test_what_is_nearly_a_line_becomes_one(part):
    found = straightened(parse(f"x0*({part}) + sin(x0)"), TABLE)
    assert any(np.allclose(evaluate(one, TABLE), evaluate(parse(f"x0*({part}) + sin(x0)"), TABLE), atol=0.1) and
               "tan" not in str(one) and str(one).count("x1") == 1 for one in found)  # fmt: skip


@pytest.mark.parametrize("law", ["x0*sin(x1)", "exp(x0 + 1)*x1^2", "2*x0 + 3", "x0*x1 + 1"])
def test_what_bends_and_what_is_a_line_already_stay(law):
    assert straightened(parse(law), TABLE) == []


def test_a_law_with_a_disguised_line_is_pruned_to_the_line():
    noise = 0.3 * np.random.default_rng(1).normal(size=400)
    data = Dataset.from_table(TABLE, np.sin(TABLE[:, 0] * (TABLE[:, 1] - 1)) * 5 + noise)
    rows = FitData(data)
    start = parse("5*sin(46.5*x0/tan(0.0215*x1 - 4.734))")
    done = rows.fit(start.skeleton(), start=start.constants)
    shorter = pruned(done, rows)
    assert "tan" in str(done.expression)
    assert "tan" not in str(shorter.expression)
    assert shorter.rss <= done.rss * 1.05
