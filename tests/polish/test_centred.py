from __future__ import annotations

import numpy as np
import pytest

from scalesr.evidence.refit import FitData
from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression
from scalesr.expr.text import parse
from scalesr.polish.centred import centred, rewritten
from scalesr.records.dataset import Dataset

X = np.linspace(440.0, 460.0, 60)


def written(text: str, *, offset: float = 0.0) -> tuple[Expression, Expression]:
    """A law of noisy rows as it was and as it is written."""
    noise = np.random.default_rng(0).normal(size=len(X))
    law = parse(text)
    table = (X - offset)[:, np.newaxis]
    values = evaluate(law, table)
    rows = FitData(Dataset.from_table(table, values + 1e-3 * values.std() * noise))
    done = rows.fit(law.skeleton(), start=law.constants)
    return done.expression, centred(done, rows).expression


@pytest.mark.parametrize(
    ("law", "form"),
    [
        ("300/(x0*(x0*(x0*(x0 - 1805) + 1221771.5) - 367559000) + 41466607000)", "C/((x0 - C)^4 + C*(x0 - C)^2 + C)"),
        ("x0*(x0 - 902) + 203500", "(x0 - C)^2 + C"),
        ("x0*(x0*(x0 - 1353) + 610210) - 91737000", "(x0 - C)^3 + C*(x0 - C)"),
    ],
)
def test_a_polynomial_far_from_zero_is_written_about_its_centre(law: str, form: str) -> None:
    before, after = written(law)
    assert after.skeleton() in (parse(form), parse(form.replace("C*(x0 - C)", "-C*(x0 - C)")))
    assert len(after.constants) == len(before.constants)
    table = X[:, np.newaxis]
    assert evaluate(after, table) == pytest.approx(evaluate(before, table), rel=0.05)


def test_near_zero_and_in_two_columns_polynomials_stay_as_they_are() -> None:
    before, after = written("x0*(x0*(x0 - 3) + 5) - 2", offset=450.0)
    assert after == before
    mixed = parse("x0*(x1*(x0 - 3) + 5) - 2")
    assert rewritten(mixed, frozenset({0, 1})) == mixed


@pytest.mark.parametrize("text", ["x0*(x0 - 902) + 203500", "2*x0^3 - 5*x0^2 + x0 - 7", "3*x0^4 + x0^2 - 8*x0 + 1"])
def test_the_values_stay(text: str) -> None:
    table = np.linspace(-3, 3, 20)[:, np.newaxis]
    again = rewritten(parse(text), frozenset({0}))
    assert evaluate(again, table) == pytest.approx(evaluate(parse(text), table), rel=1e-9)
    assert again != parse(text)
