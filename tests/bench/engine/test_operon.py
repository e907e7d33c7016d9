import numpy as np
import pytest

from scalesr import evaluate, parse
from scalesr_bench.engine.operon import Operon

pytest.importorskip("pyoperon")

X = np.random.default_rng(0).uniform(0.5, 2.0, (50, 2))


@pytest.mark.parametrize(
    "text",
    ["x - y", "y - x", "x/y", "(x - 1.5)/(y + x*x)", "sin(x)*cos(y)", "exp(x - y)", "log(x)/sqrt(y)", "tanh(x) - y/x"],
)
def test_pyoperon_computes_the_same_formula(text):
    expr = parse(text, names=["x", "y"])
    operon = Operon(X)
    assert operon.evaluate(operon.tree(expr)) == pytest.approx(evaluate(expr, X), rel=1e-5, abs=1e-6)
