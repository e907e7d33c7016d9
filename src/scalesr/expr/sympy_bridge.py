"""Formulas to sympy and back; the only module that loads sympy."""

from __future__ import annotations

import math
import operator as python
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import sympy

from scalesr.errors import FormulaError, OperatorError
from scalesr.expr.expression import MAX_POWER, Expression
from scalesr.expr.fold import Leaf, Node, fold
from scalesr.expr.names import check_names, default_column, is_open, name_of, shortened
from scalesr.expr.numerals import spelled
from scalesr.expr.operators import BY_CODE, BY_NAME, Operator
from scalesr.expr.postfix import Postfix
from scalesr.kernels.codes import ADD, CONSTANT, DIV, MUL, NEG, OPEN, POW, POWI, SQRT, SUB

Sympy: TypeAlias = Any  # sympy has no types

LARGEST: Final = sympy.Float(1.7976931348623157e308)
MAX_BITS: Final = 2_048  # of an exact number; beyond it a power is left to floating point


def to_sympy(
    expr: Expression, names: Sequence[str] | None = None, *, assumptions: Mapping[str, bool] | None = None
) -> Sympy:
    """The formula as a sympy expression; open constants become C_1, C_2, ...

    Variables are plain symbols; `assumptions` such as {"positive": True} are given to each.
    """
    given = check_names(names)
    rank = {index: place for place, index in enumerate(expr.open_indices.tolist(), start=1)}
    symbols = {column: sympy.Symbol(name_of(column, given), **(assumptions or {})) for column in expr.variables}
    _refuse_clash({symbol.name for symbol in symbols.values()}, len(rank))

    def leaf(leaf: Leaf) -> Sympy:
        if leaf.code == CONSTANT:
            return _number(leaf.value)
        return sympy.Symbol(f"C_{rank[leaf.index]}") if leaf.code == OPEN else symbols[leaf.index]

    try:
        return fold(expr, leaf=leaf, node=_joined)
    except RecursionError:
        raise FormulaError(f"A formula of depth {expr.depth} is too deep for sympy.") from None


def from_sympy(expression: Sympy, names: Sequence[str] | None = None) -> Expression:
    """Read a formula from a sympy expression whose symbols are called `names`, or x0, x1, ... without them."""
    if not isinstance(expression, sympy.Expr):
        raise FormulaError(f"A sympy expression is needed, not {type(expression).__name__}; `parse` reads text.")
    given = check_names(names)
    columns = None if given is None else {name: column for column, name in enumerate(given)}
    try:
        return _Reader(columns).read(expression)
    except RecursionError:
        raise FormulaError("The sympy expression is nested too deeply.") from None


def _refuse_clash(symbols: set[str], n_open: int) -> None:
    for name in (f"C_{place}" for place in range(1, n_open + 1)):
        if name in symbols:
            raise FormulaError(
                f"The variable {name} has the name of an open constant; rename it or bind the constants."
            )


def _number(value: float) -> Sympy:
    """A constant, exactly where it is a whole number or has a numeral."""
    found = spelled(value, has_pi=True, atom=_atom, node=_joined)
    return _atom(value) if found is None else found


def _atom(value: float) -> Sympy:
    if abs(value) == math.pi:
        return sympy.pi if value > 0 else -sympy.pi
    return sympy.Integer(int(value)) if value.is_integer() and abs(value) < 2**53 else sympy.Float(value)


def _joined(node: Node, kids: list[Sympy]) -> Sympy:
    row = BY_CODE[node.code]
    operands = [*kids, sympy.Integer(node.power)] if node.code == POWI else kids
    call = _callable(row)
    try:
        result = sympy.nan if node.code == DIV and kids[1].is_zero else call(*operands)
    except (TypeError, ValueError) as error:  # sympy compares no complex numbers, for one
        raise FormulaError(
            f"sympy refuses {row.name!r} of {_listed(operands)}: {shortened(str(error), 200)}"
        ) from error
    if result.is_number and not _is_finite_real(result):
        raise FormulaError(f"{row.name!r} of {_listed(operands)} is not a finite real number; sympy cannot use it.")
    return result


def _listed(operands: Sequence[Sympy]) -> str:
    return " and ".join(map(_shown, operands))


def _shown(value: Sympy) -> str:
    try:
        return shortened(str(value))
    except ValueError:  # Python does not print integers of more than 4300 digits
        return f"a {type(value).__name__} too long to print"


def _is_finite_real(number: Sympy) -> bool:
    value = number if number.is_Number else number.evalf(15)
    return bool(value.is_Number and value.is_finite and abs(value) <= LARGEST)


def _callable(row: Operator) -> Callable[..., Sympy]:
    """What sympy calls an operator: a symbol of Python's, or a function of the same name."""
    if row.to_sympy is not None:
        return row.to_sympy
    if row.is_custom:
        raise OperatorError(f"Operator {row.name!r} has no sympy form; define it with one.")
    if row.name in _SYMBOLS:
        return _SYMBOLS[row.name]
    found: Callable[..., Sympy] = getattr(sympy, row.name, None) or getattr(sympy, row.name.capitalize())
    return found


def _power(base: Sympy, exponent: Sympy) -> Sympy:
    """A power with halves and quarters exact, that never spells out an integer of thousands of digits."""
    if exponent.is_Float and abs(exponent) < MAX_POWER and float(8 * exponent).is_integer():
        exponent = sympy.Rational(int(8 * exponent), 8)
    factor = base.as_coeff_Mul()[0]
    bits = factor.p.bit_length() + factor.q.bit_length() if factor.is_Rational else 0
    if exponent.is_Rational and abs(exponent) * max(bits, 1) > MAX_BITS:
        exponent = sympy.Float(exponent)
    return base**exponent


def _exp(operand: Sympy) -> Sympy:
    factor, rest = operand.as_coeff_Mul()
    if factor.is_Rational and abs(factor) > MAX_POWER:  # sympy reads exp(k log(2 x)) as (2 x)^k
        operand = sympy.Float(factor) * rest
    return sympy.exp(operand)


_SYMBOLS: Final[dict[str, Callable[..., Sympy]]] = {
    "+": python.add,
    "-": python.sub,
    "*": python.mul,
    "/": python.truediv,
    "^": _power,
    "neg": python.neg,
    "powi": _power,
    "exp": _exp,
}


class _Step(NamedTuple):
    """An operator to be written after its operands."""

    code: int
    power: int = 0


Steps: TypeAlias = list[Any]  # sympy expressions and _Steps in postfix order

_ONE: Final = sympy.Integer(1)
_HALF: Final = sympy.Rational(1, 2)

# Functions we lack, in terms of those we have.
_REWRITTEN: Final[dict[Any, Callable[[Sympy], Sympy]]] = {
    sympy.cot: lambda u: 1 / sympy.tan(u),
    sympy.sec: lambda u: 1 / sympy.cos(u),
    sympy.csc: lambda u: 1 / sympy.sin(u),
    sympy.sinh: lambda u: (sympy.exp(u) - sympy.exp(-u)) / 2,
    sympy.cosh: lambda u: (sympy.exp(u) + sympy.exp(-u)) / 2,
    sympy.coth: lambda u: 1 / sympy.tanh(u),
    sympy.sech: lambda u: 2 / (sympy.exp(u) + sympy.exp(-u)),
    sympy.csch: lambda u: 2 / (sympy.exp(u) - sympy.exp(-u)),
    sympy.asinh: lambda u: sympy.log(u + sympy.sqrt(u**2 + 1)),
    sympy.acosh: lambda u: sympy.log(u + sympy.sqrt(u - 1) * sympy.sqrt(u + 1)),
    sympy.atanh: lambda u: (sympy.log(1 + u) - sympy.log(1 - u)) / 2,
    sympy.acoth: lambda u: (sympy.log(1 + 1 / u) - sympy.log(1 - 1 / u)) / 2,
    sympy.sign: lambda u: u / sympy.Abs(u),
}


class _Reader:
    """Takes a sympy tree apart with a stack of its own, writing postfix."""

    def __init__(self, columns: dict[str, int] | None) -> None:
        self.columns = columns
        self.built = Postfix()
        self.indexed: set[str] = set()
        self.rows = {_callable(row): row for row in BY_NAME.values() if row.is_call and _has_class(row)}
        self.rows[sympy.exp] = BY_NAME["exp"]

    def read(self, expression: Sympy) -> Expression:
        waiting: Steps = [expression]
        while waiting:
            step = waiting.pop()
            if isinstance(step, _Step):
                self.built.operator(step.code, step.power)
            elif step.is_Symbol:
                self._symbol(step)
            elif step.is_Atom:
                self._number(step)
            else:
                waiting.extend(reversed(self._steps(step)))
        return self.built.expression()

    def _symbol(self, symbol: Sympy) -> None:
        name = symbol.name
        column = default_column(name) if self.columns is None else self.columns.get(name)
        if column is not None:
            self.built.variable(column)
        elif not is_open(name):
            known = "x0, x1 and so on" if self.columns is None else ", ".join(self.columns)
            raise FormulaError(f"Unknown symbol {shortened(name)!r}; known are {shortened(known, 200)}.")
        elif name != "C" and name in self.indexed:
            raise FormulaError(f"{name} is used twice, but every open constant is fitted on its own.")
        else:
            self.indexed.add(name)
            self.built.open_constant()

    def _number(self, number: Sympy) -> None:
        self.built.constant(_float(number))

    def _steps(self, expression: Sympy) -> Steps:
        if expression.is_Add:
            return _sum_steps(expression)
        if expression.is_Mul:
            return _product_steps(expression)
        if expression.is_Pow:
            return _power_steps(*expression.args)
        if row := self.rows.get(expression.func):
            return _call_steps(row, expression.args)
        if expression.func in _REWRITTEN:
            return [_REWRITTEN[expression.func](*expression.args)]
        raise FormulaError(f"sympy's {expression.func.__name__} cannot be written with our operators.")


def _has_class(row: Operator) -> bool:
    """Whether sympy knows an operator as a class, which can be recognised, rather than a recipe."""
    return isinstance(_callable(row), type)


def _is_exact(rational: Sympy) -> bool:
    """Whether a fraction is a double as it stands: 1/2, 3/8, but not 1/3."""
    return bool((rational.q & (rational.q - 1)) == 0 and rational.p.bit_length() <= 53)


def _float(number: Sympy) -> float:
    if not number.is_number or not number.is_extended_real or not _is_finite_real(number):
        raise FormulaError(f"{_shown(number)} is not a real number that a double can hold.")
    return float(number)


def _sum_steps(expression: Sympy) -> Steps:
    """Terms one after the other, negative ones subtracted and not first if that can be."""
    terms = expression.as_ordered_terms()
    first = next((place for place, term in enumerate(terms) if not _is_negative(term)), 0)
    steps: Steps = [terms[first]]
    for term in terms[:first] + terms[first + 1 :]:
        steps += [-term, _Step(SUB)] if _is_negative(term) else [term, _Step(ADD)]
    return steps


def _is_negative(term: Sympy) -> bool:
    return bool(term.as_coeff_Mul()[0].is_negative)


def _product_steps(expression: Sympy) -> Steps:
    """Factors of the numerator, then those of the denominator as one divisor."""
    factor, rest = expression.as_coeff_mul()
    top: list[Steps] = []
    bottom: list[Steps] = []
    for part in rest:
        if part.is_Pow and part.exp.is_Rational and part.exp.is_negative:
            bottom.append(_power_steps(part.base, -part.exp))
        else:
            top.append([part])
    if factor.is_Rational and not _is_exact(factor):
        bottom.insert(0, [sympy.Integer(factor.q)])
        factor = sympy.Integer(factor.p)
    if factor == -1 and top:
        top[0].append(_Step(NEG))
    elif factor != 1 or not top:
        top.insert(0, [factor])
    return _multiplied(top) + ([*_multiplied(bottom), _Step(DIV)] if bottom else [])


def _multiplied(factors: list[Steps]) -> Steps:
    steps = list(factors[0])
    for factor in factors[1:]:
        steps += [*factor, _Step(MUL)]
    return steps


def _power_steps(base: Sympy, exponent: Sympy) -> Steps:
    if exponent.is_Rational and exponent.is_negative:
        return [_ONE, *_power_steps(base, -exponent), _Step(DIV)]
    if exponent == 1:
        return [base]
    if exponent == _HALF:
        return [base, _Step(SQRT)]
    if exponent.is_Integer and exponent <= MAX_POWER:
        return [base, _Step(POWI, int(exponent))]
    if exponent.is_Rational:
        exponent = sympy.Float(float(exponent))
    return [base, exponent, _Step(POW)]


def _call_steps(row: Operator, operands: Sequence[Sympy]) -> Steps:
    """One call, or a chain of them where sympy has joined several: min(a, b, c)."""
    steps: Steps = list(operands[: row.arity])
    if len(steps) < row.arity or (row.arity == 1 and len(operands) > 1):
        raise FormulaError(f"{row.name} takes {row.arity} operands; sympy gives {len(operands)}.")
    steps.append(_Step(row.code))
    for operand in operands[row.arity :]:
        steps += [operand, _Step(row.code)]
    return steps
