"""pysindy, RILS-ROLS and PySR behind our interface."""

import numpy as np
import pytest

from scalesr.errors import MissingExtra
from scalesr.expr.canonical import canonical_key
from scalesr.expr.text import parse
from scalesr.records.budget import Budget
from scalesr.records.sweep import Sweep
from scalesr_bench.adapters import pysr
from scalesr_bench.adapters.gplearn import gplearn_search, read_program
from scalesr_bench.adapters.pysindy import pysindy_search
from scalesr_bench.adapters.rils_rols import rils_rols_search


def table(law, *, low=0.5, high=3.0, n_rows=200):
    X = np.random.default_rng(0).uniform(low, high, (n_rows, 2))
    return Sweep.from_groups([X], [law(X[:, 0], X[:, 1])], noise=0.0)


def best(search, sweep, seconds=None):
    return search.search(sweep, Budget(seconds=seconds), rng=np.random.default_rng(0)).best


@pytest.mark.parametrize(
    ("law", "text"),
    [
        (lambda x, y: 2 * np.sin(x) * np.cos(y), "C*sin(x0)*cos(x1)"),
        (lambda x, y: 3 * x**2 - 1.5 / y + 4, "C*x0^2 + C/x1 + C"),
        (lambda x, y: 1e4 * x * np.exp(y), "C*x0*exp(x1)"),
    ],
)
def test_pysindy_finds_sums_of_products(law, text):
    pytest.importorskip("pysindy")
    found = best(pysindy_search(), table(law))
    assert canonical_key(found.expression) == canonical_key(parse(text))
    assert found.within_noise


def test_pysindy_leaves_out_what_has_no_values():
    pytest.importorskip("pysindy")
    found = best(pysindy_search(), table(lambda x, y: x * y - 2, low=-2.0, high=2.0))  # no logarithms here
    assert canonical_key(found.expression) == canonical_key(parse("x0*x1 + C"))


def test_rils_rols_finds_a_polynomial_within_its_time():
    pytest.importorskip("rils_rols_cpp")
    found = best(rils_rols_search(), table(lambda x, y: x**2 + 0.5 * y), seconds=3.0)
    assert canonical_key(found.expression) == canonical_key(parse("x0^2 + C*x1"))


def test_pysr_without_julia_says_what_to_install(monkeypatch):
    monkeypatch.setattr(pysr.shutil, "which", lambda _: None)
    with pytest.raises(MissingExtra, match="Julia"):
        pysr.pysr_search()


def test_pysr_formulas_that_we_cannot_write_are_left_out():
    class Fitted:
        equations_ = {"equation": ["x0*2.5 + sin(x1)", "gamma(x0)", "x0 ^ 2"]}  # noqa: RUF012

    assert [str(formula) for formula in pysr.front(Fitted())] == ["x0*2.5 + sin(x1)", "x0^2"]


def test_gplearn_begins_no_generation_that_would_not_end_in_time():
    pytest.importorskip("gplearn")
    search, rows = gplearn_search(population_size=500, generations=10_000), table(lambda x, y: np.tan(x * y))
    found = search.search(rows, Budget(seconds=1.5), rng=np.random.default_rng(0))
    assert "time limit" in found.ended


def test_gplearn_programs_with_powers_are_read():
    assert str(read_program("pow(X0, tanh(X1))")) == "x0^tanh(x1)"
