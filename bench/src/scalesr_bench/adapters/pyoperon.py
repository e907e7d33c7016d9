"""pyoperon behind our interface.

pyoperon computes in single precision and fits its own constants; both hardly matter here, as we
take the forms of its whole front and fit them again. Its time limit counts whole seconds, so it
runs a few generations per round, each from the population of the last, with the clock in between.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from math import ceil
from typing import Any, Final

from scalesr.errors import FormulaError
from scalesr.expr.expression import Expression, apply, constant, variable
from scalesr_bench.adapters.adapter import ExternalSearch, require
from scalesr_bench.adapters.config import EXTERNAL

SYMBOLS: Final = ("add", "sub", "mul", "div", "sin", "cos", "exp", "log", "sqrt")


def pyoperon_search(
    *,
    population_size: int = 500,
    generations: int = 50,
    symbols: Sequence[str] = SYMBOLS,
    max_length: int = 30,
    options: Mapping[str, Any] | None = None,
) -> ExternalSearch[Any]:
    """A search by pyoperon's SymbolicRegressor for accuracy and shortness; `options` are arguments of its own."""
    require("pyoperon")
    from pyoperon.sklearn import SymbolicRegressor

    def make(seed: int, seconds: float | None) -> Any:
        return SymbolicRegressor(
            **{
                "population_size": population_size, "generations": min(generations, EXTERNAL.per_round),
                "warm_start": True,
                "max_length": max_length,
                "allowed_symbols": ",".join([*symbols, "constant", "variable"]), "objectives": ["r2", "length"],
                "optimizer_iterations": 5, "max_evaluations": 1_000_000_000, "random_state": seed,
                "max_time": None if seconds is None else max(ceil(seconds), 1), **(options or {}),
            }
        )  # fmt: skip

    def go_on(regressor: Any, n_rounds: int) -> bool:
        regressor.set_params(random_state=regressor.random_state + 1)
        return n_rounds * EXTERNAL.per_round < generations

    return ExternalSearch(make, front, go_on, name="pyoperon")


def front(regressor: Any) -> list[Expression]:
    """The formulas of a fitted regressor's front that our operators can write."""
    columns = {code: column for column, code in enumerate(regressor.variables_)}
    formulas = []
    for model in regressor.pareto_front_:
        try:
            formulas.append(read_tree(model["tree"].Nodes, columns))
        except FormulaError:  # a function that we lack; the others may be of use
            continue
    return formulas


def read_tree(nodes: Sequence[Any], columns: Mapping[int, int]) -> Expression:
    """Read pyoperon's postfix nodes, which have the last operand first; a variable carries a factor."""
    stack: list[Expression] = []
    for node in nodes:
        kind = str(node.Type).rpartition(".")[2]
        if kind == "Variable":
            stack.append(apply("*", constant(node.Value), variable(columns[node.HashValue])))
        elif kind == "Constant":
            stack.append(constant(node.Value))
        elif kind in _FORMS:
            stack.append(_FORMS[kind]([stack.pop() for _ in range(node.Arity)]))
        else:
            raise FormulaError(f"pyoperon's {kind} cannot be written with our operators.")
    return stack[0]


Form = Callable[[list[Expression]], Expression]


def _chain(name: str, alone: Form) -> Form:
    """An operator of any number of operands, from the left."""

    def form(operands: list[Expression]) -> Expression:
        if len(operands) == 1:
            return alone(operands)
        return reduce(lambda left, right: apply(name, left, right), operands)

    return form


def _call(*names: str) -> Form:
    """Functions of one operand, the innermost first."""
    return lambda operands: reduce(lambda inner, name: apply(name, inner), names, operands[0])


def _same(operands: list[Expression]) -> Expression:
    return operands[0]


def _square(operands: list[Expression]) -> Expression:
    return apply("powi", operands[0], power=2)


def _analytic_quotient(operands: list[Expression]) -> Expression:
    return apply("/", operands[0], apply("sqrt", apply("+", constant(1.0), _square(operands[1:]))))


def _hyperbolic(name: str) -> Form:
    def form(operands: list[Expression]) -> Expression:
        grows, falls = apply("exp", operands[0]), apply("exp", apply("neg", operands[0]))
        return apply("/", apply(name, grows, falls), constant(2.0))

    return form


# Fmin and Fmax are missing on purpose: in pyoperon 0.6 each computes what the other's name says.
_FORMS: Final[dict[str, Form]] = {
    "Add": _chain("+", _same),
    "Sub": _chain("-", _call("neg")),
    "Mul": _chain("*", _same),
    "Div": _chain("/", lambda operands: apply("powi", operands[0], power=-1)),
    "Pow": _chain("^", _same),
    "Powabs": lambda operands: apply("^", apply("abs", operands[0]), operands[1]),
    "Aq": _analytic_quotient,
    "Square": _square,
    "Abs": _call("abs"),
    "Sqrt": _call("sqrt"),
    "Sqrtabs": _call("abs", "sqrt"),
    "Log": _call("log"),
    "Logabs": _call("abs", "log"),
    "Log1p": lambda operands: apply("log", apply("+", constant(1.0), operands[0])),
    "Sin": _call("sin"),
    "Cos": _call("cos"),
    "Tan": _call("tan"),
    "Tanh": _call("tanh"),
    "Exp": _call("exp"),
    "Sinh": _hyperbolic("-"),
    "Cosh": _hyperbolic("+"),
}
