import numpy as np
import pytest

from scalesr.expr.canonical import canonical_key
from scalesr.expr.evaluate import evaluate
from scalesr.expr.text import parse
from scalesr.records.budget import Budget
from scalesr.records.sweep import Sweep
from scalesr.search.linear.ratios import RatioSearch


@pytest.mark.parametrize(
    ("law", "form", "n_variables"),
    [
        ("(x0*x1 + 2*x2*x3)/(x0 + x2)", "(C*x0*x1 + C*x2*x3)/(C*x0 + x2)", 4),
        ("(x0 + x1)/(1 + 0.3*x0*x1)", "(C*x0 + C*x1)/(1 + C*x0*x1)", 2),
        ("x0*x1/(1 + x0^2)", "C*x0*x1/(1 + C*x0^2)", 2),
    ],
)
def test_ratios_are_found_under_a_tenth_of_noise(law, form, n_variables):
    rng = np.random.default_rng(7)
    X = rng.uniform(0.5, 4, (5000, n_variables))
    y = evaluate(parse(law), X)
    y = y + 0.1 * y.std() * rng.standard_normal(len(y))
    ranking = RatioSearch().search(Sweep.from_groups([X], [y]), Budget(), rng=rng)
    assert canonical_key(ranking.skeletons[0].expression) == canonical_key(parse(form))
