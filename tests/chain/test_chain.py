"""Laws found one variable after another, from generators with and without an error."""

import numpy as np
import pytest

from scalesr.chain.chain import run_chain
from scalesr.control.control import Control
from scalesr.expr.evaluate import evaluate
from scalesr.records.stop import Stop
from scalesr.search.default import DefaultSearch
from scalesr.search.linear import LinearSearch, select_terms
from tests.control.smooth_oracle import SmoothOracle, table

LAWS = {
    "a sum": (lambda X: np.sin(X[:, 0]) + np.sin(X[:, 1] ** 2), 2, -3.0, 3.0),
    "a power with a variable exponent": (lambda X: X[:, 0] ** X[:, 1], 2, 1.0, 2.0),
    "a frequency that passes zero": (
        lambda X: 1.35 * X[:, 0] * X[:, 1] + 5.5 * np.sin((X[:, 0] - 1) * (X[:, 1] - 1)), 2, -3.0, 3.0,
    ),
    "a product with a sum": (lambda X: X[:, 0] * (X[:, 1] + X[:, 2] * np.sin(X[:, 3])), 4, 1.0, 4.0),
    "a weighted mean": (
        lambda X: (X[:, 0] * X[:, 2] + X[:, 1] * X[:, 3]) / (X[:, 0] + X[:, 1]), 4, 1.0, 5.0,
    ),
}  # fmt: skip


def chained(law, n_variables, low, high, *, error, **more):
    data = table(law, n_variables, low, high, 500)
    control = Control(data, SmoothOracle(data, law, error * data.std), 0)
    rng = np.random.default_rng(0)
    return data, run_chain(data, control, search=DefaultSearch(), rng=rng, deadline=Stop(), **more)


@pytest.mark.parametrize("name", LAWS)
def test_the_first_proposal_is_the_law(name):
    data, found = chained(*LAWS[name], error=1e-4)
    X = np.random.default_rng(1).uniform(*LAWS[name][2:], (500, data.n_variables))
    truth = LAWS[name][0](X)
    np.testing.assert_allclose(evaluate(found.proposals[0].expression, X), truth, atol=1e-8 * truth.std())


def test_rows_choose_among_products_of_slices():
    def law(X):
        return (
            0.6 * X[:, 1] * np.sin(X[:, 0]) + 0.66 * X[:, 2] - 0.55 * np.sin(X[:, 2]) * np.cos(X[:, 1]) + 0.3 / X[:, 0]
        )

    data, found = chained(law, 3, 0.2, 8.0, error=1e-2, linear=LinearSearch(), select=select_terms)
    assert found.proposals[0].origin == "products of slices"
    np.testing.assert_allclose(evaluate(found.proposals[0].expression, data.table), data.y, atol=1e-10)


def test_a_column_without_effect_is_left_out_and_the_trace_says_so():
    _, found = chained(lambda X: 3 * np.exp(X[:, 0]) + X[:, 2], 3, 0.0, 2.0, error=1e-4)
    assert found.proposals[0].expression.variables == (0, 2)
    assert any(line.startswith("x1:") for step in found.steps for line in step.rejected)


def test_the_same_seed_gives_the_same_proposals():
    runs = [chained(*LAWS["a power with a variable exponent"], error=1e-4)[1] for _ in range(2)]
    assert [p.expression for p in runs[0].proposals] == [p.expression for p in runs[1].proposals]


def test_no_time_is_no_error():
    law, n_variables, low, high = LAWS["a sum"]
    data = table(law, n_variables, low, high)
    control = Control(data, SmoothOracle(data, law), 0)
    rng = np.random.default_rng(0)
    assert run_chain(data, control, search=DefaultSearch(), rng=rng, deadline=Stop(seconds=0)).proposals == ()


def test_an_interrupt_keeps_what_was_found():
    class Interrupted:
        def search(self, *_, **__):
            raise KeyboardInterrupt

    def law(X):
        return 3 * X[:, 1] * np.sin(X[:, 0]) + X[:, 1] ** 2 + 0.1 * np.exp(-((X[:, 0] - X[:, 1]) ** 2))

    data = table(law, 2, 0.5, 5.0, 200)
    found = run_chain(
        data, Control(data, SmoothOracle(data, law, 0.1), 0), search=Interrupted(), linear=LinearSearch(),
        select=select_terms, rng=np.random.default_rng(0), deadline=Stop(),
    )  # fmt: skip
    assert found.interrupted
    assert found.proposals
