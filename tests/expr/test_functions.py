import sys

import numpy as np
import pytest

from scalesr.errors import FormulaError, MissingExtra, OperatorError
from scalesr.expr.evaluate import evaluate, gradient
from scalesr.expr.expression import apply, variable
from scalesr.expr.functions import array_function, jax_function, torch_function
from scalesr.expr.text import parse
from tests.expr.oracle import custom_row, registered
from tests.expr.strategies import built_in

X = np.random.default_rng(0).uniform(0.2, 0.9, (7, 2))
LAWS = ["2*x0^2 - x1/3", "exp(-x0)*sin(x1) + 1.5", "3", "x0^1.5", "min(x0, x1)"]


def numpy_function(expr):
    return array_function(expr, np, lambda row: row.numpy, lambda value, X: np.float64(value))


def example(row):
    return apply(row.name, *[variable(0), variable(1)][: row.arity], power=3 if row.name == "powi" else 0)


@pytest.mark.parametrize("row", built_in(), ids=lambda row: row.name)
def test_every_operator_has_its_function_in_the_library(row):
    law = example(row)
    assert numpy_function(law)(X) == pytest.approx(evaluate(law, X), rel=1e-13)


@pytest.mark.parametrize("row", built_in(), ids=lambda row: row.name)
def test_every_operator_has_its_function_in_torch(row):
    torch = pytest.importorskip("torch")
    law = example(row)
    assert torch_function(law)(torch.tensor(X)).numpy() == pytest.approx(evaluate(law, X), rel=1e-13)


@pytest.mark.parametrize("text", LAWS)
def test_torch_differentiates_the_law(text):
    torch = pytest.importorskip("torch")
    law, rows = parse(text), torch.tensor(X, requires_grad=True)
    values = torch_function(law)(rows)
    assert values.shape == (7,)
    assert values.detach().numpy() == pytest.approx(evaluate(law, X))
    values.sum().backward()
    assert rows.grad.numpy() == pytest.approx(gradient(law, X), rel=1e-9)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_torch_keeps_the_type_of_its_input(dtype):
    torch = pytest.importorskip("torch")
    found = torch_function(parse("2*x0^2 + exp(x1)"))(torch.tensor(X, dtype=getattr(torch, dtype)))
    assert found.dtype == getattr(torch, dtype)


@pytest.mark.parametrize("text", LAWS)
def test_jax_computes_the_law(text):
    jax = pytest.importorskip("jax")
    law = parse(text)
    assert np.asarray(jax.jit(jax_function(law))(X)) == pytest.approx(evaluate(law, X), rel=1e-5)


def test_a_library_that_is_missing_is_named_with_the_way_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "jax", None)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtra, match="needs JAX: pip install jax"):
        jax_function(parse("x0"))
    with pytest.raises(MissingExtra, match=r"needs torch: pip install 'scalesr\[torch\]'"):
        torch_function(parse("x0"))


def test_skeletons_and_operators_without_a_template_are_refused():
    with pytest.raises(FormulaError, match="2 open constants"):
        numpy_function(parse("C*x0 + C"))
    with registered(custom_row()), pytest.raises(OperatorError, match="'square_it' has no template"):
        numpy_function(apply("square_it", variable(0)))
