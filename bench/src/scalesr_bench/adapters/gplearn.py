"""gplearn behind our interface.

gplearn's functions are protected: a quotient is 1 where the divisor is within 0.001 of zero, roots
and logarithms take the absolute value, the logarithm of almost zero is 0. Formulas have no such
exceptions, so each program is read twice, plainly and with absolute values, and the fit decides.
gplearn has no time limit: it runs one generation per round, and the clock is looked at in between.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.expression import Expression
from scalesr.expr.postfix import Postfix
from scalesr.expr.tokens import Token, TokenKind, fault, number_value, tokens
from scalesr.kernels.codes import ABS, ADD, COS, DIV, EXP, LOG, MAX, MIN, MUL, NEG, POW, POWI, SIN, SQRT, SUB, TAN, TANH
from scalesr_bench.adapters.adapter import ExternalSearch, require

FUNCTIONS: Final = ("add", "sub", "mul", "div", "sin", "cos", "exp", "log", "sqrt")
_BINARY: Final = {"add": ADD, "sub": SUB, "mul": MUL, "div": DIV, "max": MAX, "min": MIN, "pow": POW}
_UNARY: Final = {
    "sqrt": SQRT, "log": LOG, "abs": ABS, "neg": NEG, "inv": POWI, "sin": SIN, "cos": COS, "tan": TAN, "exp": EXP,
    "tanh": TANH,
}  # fmt: skip
_PROTECTED: Final = (SQRT, LOG)
_LARGEST_EXPONENT: Final = 100.0
_SMALLEST_BASE: Final = 1e-3


def gplearn_search(
    *,
    population_size: int = 1000,
    generations: int = 20,
    functions: Sequence[str] = FUNCTIONS,
    options: Mapping[str, Any] | None = None,
) -> ExternalSearch[Any]:
    """A search by gplearn's SymbolicRegressor; `options` are further arguments of its own.

    The paper runs a population of 10 000 for 50 generations.
    """
    require("gplearn")
    from gplearn.genetic import SymbolicRegressor

    made = [_made(function) for function in functions]

    def make(seed: int, _: float | None) -> Any:
        return SymbolicRegressor(
            **{
                "population_size": population_size, "function_set": made, "random_state": seed, "generations": 1,
                "warm_start": True, "low_memory": True, **(options or {}),
            }
        )  # fmt: skip

    def go_on(regressor: Any, n_rounds: int) -> bool:
        is_perfect = regressor.run_details_["best_fitness"][-1] <= regressor.stopping_criteria
        regressor.set_params(generations=n_rounds + 1)
        return bool(n_rounds < generations and not is_perfect)

    return ExternalSearch(make, lambda regressor: read_both(str(regressor)), go_on, name="gplearn")


def read_both(program: str) -> list[Expression]:
    """A program's formula, read plainly and with absolute values where gplearn takes them."""
    return [read_program(program), read_program(program, absolute=True)]


def read_program(program: str, *, absolute: bool = False) -> Expression:
    """Read a program as gplearn prints it: add(mul(X0, 0.500), sin(X1)).

    >>> str(read_program("add(mul(X0, 0.500), sin(X1))"))
    'x0*0.5 + sin(x1)'
    """
    return _Reader(program, absolute).read()


class _Reader:
    """Prefix to postfix: a function's node is written when its bracket closes."""

    def __init__(self, text: str, absolute: bool) -> None:
        self.text, self.absolute = text, absolute
        self.built = Postfix()
        self.calls: list[tuple[Token, int]] = []  # open calls and the operands each still needs
        self.sign = 1.0

    def read(self) -> Expression:
        for token in tokens(self.text):
            if self.sign < 0 and token.kind is not TokenKind.NUMBER:
                raise fault("In a program only numbers have a sign.", self.text, token.position)
            if token.kind is TokenKind.CALL:
                self.calls.append((token, self._arity(token)))
            elif token.kind is TokenKind.NUMBER:
                self.built.constant(self.sign * number_value(token, self.text))
                self._operand_done(token)
            elif token.kind is TokenKind.NAME:
                self.built.variable(self._column(token))
                self._operand_done(token)
            elif token.text == ")":
                self._close(token)
            elif token.text not in ("", ",", "-"):
                raise fault(f"A program has no {token.text!r}.", self.text, token.position)
            self.sign = -1.0 if token.text == "-" else 1.0
        if self.calls:
            raise fault("This call is never closed.", self.text, self.calls[-1][0].position)
        return self.built.expression()

    def _arity(self, token: Token) -> int:
        if token.text not in _BINARY and token.text not in _UNARY:
            known = ", ".join([*_BINARY, *_UNARY])
            raise fault(
                f"No formula is known for gplearn's {token.text!r}; known are {known}.", self.text, token.position
            )
        return 2 if token.text in _BINARY else 1

    def _column(self, token: Token) -> int:
        if not (token.text[0] == "X" and token.text[1:].isdecimal() and len(token.text) < 7):
            raise fault(f"Variables are X0, X1 and so on, not {token.text!r}.", self.text, token.position)
        return int(token.text[1:])

    def _operand_done(self, token: Token) -> None:
        if not self.calls:
            return
        call, missing = self.calls[-1]
        if missing == 0:
            raise fault(f"{call.text} has an operand too many.", self.text, token.position)
        self.calls[-1] = (call, missing - 1)

    def _close(self, token: Token) -> None:
        if not self.calls or self.calls[-1][1]:
            raise fault("This bracket closes nothing, or a call that lacks operands.", self.text, token.position)
        name = self.calls.pop()[0].text
        code = _BINARY.get(name) or _UNARY[name]
        if self.absolute and code in _PROTECTED:
            self.built.operator(ABS)
        self.built.operator(code, -1 if code == POWI else 0)
        self._operand_done(token)


def _exp(u: NDArray[np.float64]) -> NDArray[np.float64]:
    """The exponential function, finite for every program."""
    return np.asarray(np.exp(np.minimum(u, _LARGEST_EXPONENT)))


def _tanh(u: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.tanh(u))


def _pow(u: NDArray[np.float64], v: NDArray[np.float64]) -> NDArray[np.float64]:
    """A power of the absolute value, finite for every program."""
    return _exp(np.maximum(v * np.log(np.maximum(np.abs(u), _SMALLEST_BASE)), -_LARGEST_EXPONENT))


# Functions that gplearn lacks, with their arity.
_ADDED: Final[Mapping[str, tuple[Callable[..., Any], int]]] = {"exp": (_exp, 1), "tanh": (_tanh, 1), "pow": (_pow, 2)}


def _made(name: str) -> Any:
    """A function by the name that gplearn knows it by, or made for it."""
    from gplearn.functions import make_function

    if name not in _ADDED:
        return name
    function, arity = _ADDED[name]
    return make_function(function=function, name=name, arity=arity, wrap=False)
