"""Expression -> Form.

Products are kept as lists of factors until a sum or a function needs their form: a fraction then
cancels before it is multiplied out, and each factor of a denominator stays one.
"""

from __future__ import annotations

from typing import Final

from scalesr.expr.expression import MAX_POWER, Expression
from scalesr.expr.fold import Leaf, Node, fold
from scalesr.expr.normal_form.form import Form, forget_if_full, number, remembered, variable_form
from scalesr.expr.normal_form.functions import function, function_of_two
from scalesr.expr.normal_form.numbers import Scalar, near_integer
from scalesr.expr.normal_form.powers import absolute_form
from scalesr.expr.normal_form.products import integer_power, multiply, scale
from scalesr.expr.normal_form.sums import add
from scalesr.kernels.codes import ABS, ADD, DIV, LOG, MUL, NEG, OPEN, POW, POWI, SQRT, SUB, VARIABLE

Factors = tuple[tuple[Form, int], ...]  # a product of whole powers

# A number that is infinite or not real, a product with too many terms, or too deep a formula.
NO_FORM: Final = (ArithmeticError, ValueError, RecursionError)


def normal_form(expr: Expression) -> Form:
    """The normal form of a formula or skeleton; raises one of NO_FORM if it has none."""
    forget_if_full()
    return product_form(fold(expr, leaf_factors, join_factors))


def leaf_factors(leaf: Leaf) -> Factors:
    """A variable or constant."""
    code, index, value = leaf
    if code == VARIABLE:
        return _variable(index)
    return _number(None if code == OPEN else value)


@remembered
def _variable(column: int) -> Factors:
    return ((variable_form(column), 1),)


@remembered
def _number(value: Scalar) -> Factors:
    return ((number(value), 1),)


@remembered
def product_form(factors: Factors) -> Form:
    """The form of a product."""
    if len(factors) == 1:
        return integer_power(*factors[0])
    whole = number(1.0)
    for form, exponent in sorted(_merged(factors), key=lambda item: (item[0].key, item[1])):
        whole = multiply(whole, integer_power(form, exponent))
    return whole


def _merged(factors: Factors) -> Factors:
    """Factors with the powers of equal closed forms added."""
    exponents: dict[str, tuple[Form, int]] = {}
    apart: list[tuple[Form, int]] = []
    for form, exponent in factors:
        if form.closed:
            exponents[form.key] = (form, exponents.get(form.key, (form, 0))[1] + exponent)
        else:
            apart.append((form, exponent))
    return (*exponents.values(), *apart)


def join_factors(node: Node, operands: list[Factors]) -> Factors:
    """An operator over its operands."""
    return _joined(*node, *operands)


@remembered
def _joined(code: int, exponent: int, *operands: Factors) -> Factors:
    if code == MUL:
        return operands[0] + operands[1]
    if code == DIV:
        return operands[0] + _to_power(operands[1], -1)
    if code == POWI:
        return _to_power(operands[0], exponent)
    if code == NEG:
        return _number(-1.0) + operands[0]
    if code == POW:
        whole = _whole_number(operands[1])
        if whole is not None:
            return _to_power(operands[0], whole)
    return ((_form(code, *operands), 1),)


def _whole_number(factors: Factors) -> int | None:
    """The whole number that an exponent is, if it is one."""
    if len(factors) > 1 or factors[0][1] != 1 or not factors[0][0].is_constant or not factors[0][0].terms:
        return None
    value = factors[0][0].terms[0][0]
    return None if value is None or abs(value) > MAX_POWER else near_integer(value)


def _to_power(factors: Factors, exponent: int) -> Factors:
    if exponent % 2 == 0 and sum(not form.closed for form, _ in factors) > 1:
        return ((product_form(factors), exponent),)  # a scale inside has no sign outside
    return tuple((form, power * exponent) for form, power in factors)


def _form(code: int, *operands: Factors) -> Form:
    if code == SQRT:
        return _form(POW, operands[0], _number(0.5))
    if code in (POW, LOG, ABS) and _is_reciprocal(operands[0]):
        return _of_reciprocal(code, _to_power(operands[0], -1), operands[1:])
    if code in (POW, LOG, ABS):
        squares, rest = _split_squares(operands[0])
        if squares:
            return _function_of_product(code, squares, rest, [product_form(factors) for factors in operands[1:]])
    forms = [product_form(factors) for factors in operands]
    if code == ADD:
        return add(*forms)
    if code == SUB:
        return add(forms[0], scale(-1.0, forms[1]))
    return function(code, forms[0]) if len(forms) == 1 else function_of_two(code, *forms)


def _is_reciprocal(factors: Factors) -> bool:
    """Whether everything that varies stands below the bar."""
    exponents = [exponent for form, exponent in factors if not form.is_constant]
    return bool(exponents) and max(exponents) < 0


def _of_reciprocal(code: int, factors: Factors, exponents: tuple[Factors, ...]) -> Form:
    """A function of 1/u from that of u."""
    if code == POW:
        return _form(POW, factors, _number(-1.0) + exponents[0])
    whole = _form(code, factors)
    return scale(-1.0, whole) if code == LOG else integer_power(whole, -1)


def _split_squares(factors: Factors) -> tuple[Factors, Factors]:
    """Even powers of sums, which are known not to be negative, and the other factors."""
    if all(exponent % 2 for _, exponent in factors):
        return (), factors
    merged = _merged(factors)
    squares = tuple((form, exponent) for form, exponent in merged if exponent % 2 == 0 and len(form.terms) > 1)
    return squares, tuple(item for item in merged if item not in squares)


def _function_of_product(code: int, squares: Factors, rest: Factors, exponents: list[Form]) -> Form:
    """A power, logarithm or absolute value of squares x rest, before the squares are multiplied out."""
    if exponents and not exponents[0].closed and len(squares) + len(rest) > 1:
        return function_of_two(code, product_form(squares + rest), exponents[0])  # one open exponent for all
    inside = product_form(rest) if rest else number(1.0)
    whole = function(code, inside) if not exponents else function_of_two(code, inside, exponents[0])
    for form, even in squares:
        if code == ABS:
            whole = multiply(whole, integer_power(form, even))
        elif code == LOG:
            whole = add(whole, scale(float(even), function(LOG, absolute_form(form))))
        else:
            exponent = scale(float(even), exponents[0])
            whole = multiply(whole, function_of_two(POW, absolute_form(form), exponent))
    return whole
