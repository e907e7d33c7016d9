from __future__ import annotations

import numpy as np
import pytest

from scalesr.expr.evaluate import evaluate
from scalesr.expr.logarithms import with_joined_logarithms
from scalesr.expr.text import parse

NAMES = ["a", "b", "c"]


@pytest.mark.parametrize(
    ("given", "joined"),
    [
        ("log(a) - log(b)", "log(a/b)"),
        ("log(a) + log(b)", "log(a*b)"),
        ("2.5*(log(a/(b + a)) - log(a/(c + 1)))", "2.5*log((c + 1)/(b + a))"),
        ("log(a) - log(b) - log(c)", "log(a/(b*c))"),
        ("exp(log(a) - log(b) + c)", "exp(log(a/b) + c)"),
    ],
)
def test_logarithms_side_by_side_become_one(given: str, joined: str) -> None:
    formula = with_joined_logarithms(parse(given, names=NAMES))
    assert formula.n_nodes == parse(joined, names=NAMES).n_nodes
    table = np.random.default_rng(0).uniform(0.5, 3, (20, 3))
    assert np.allclose(evaluate(formula, table), evaluate(parse(given, names=NAMES), table), rtol=1e-12)


def test_what_has_no_logarithms_side_by_side_stays_as_it_is() -> None:
    for text in ("log(a) - b", "log(a)*log(b)", "2*log(a) - 3*log(b)", "sin(a) + sin(b)"):
        formula = parse(text, names=NAMES)
        assert with_joined_logarithms(formula) == formula
