"""THE table of operators: everything about each one, in one row.

Derivatives are formula texts in `u` and `v` (the operands), one per operand, with `k` for the
exponent of an integer power. Templates take the operands as {0} and {1}, the exponent as {k}.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import OperatorError
from scalesr.kernels import codes

Predicate = Callable[..., NDArray[np.bool_]]

# Binding strength, weakest first; a call or a leaf never needs brackets.
SUM, PRODUCT, SIGN, POWER, ATOM = range(1, 6)


def _everywhere(*operands: NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.ones(np.shape(operands[0]), dtype=bool)


def _power_domain(base: NDArray[np.float64], exponent: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Where a power is real; its derivative in the exponent asks for a positive base besides."""
    defined: NDArray[np.bool_] = (base > 0) | ((base < 0) & (exponent == np.round(exponent)))
    return defined


@dataclass(frozen=True, slots=True)
class Operator:
    """One row of the table."""

    name: str  # as it is written in a formula
    code: int  # as compiled code knows it
    arity: int
    text: str  # how it is printed
    latex: str
    derivative: tuple[str, ...]
    domain: Predicate = _everywhere  # where value and derivative are finite real numbers
    precedence: int = ATOM
    commutative: bool = False
    numpy: str = ""  # source templates for exported code
    torch: str = ""
    c: str = ""
    excel: str = ""
    to_sympy: Callable[..., Any] | None = field(default=None, compare=False)  # user-defined operators only

    @property
    def is_custom(self) -> bool:
        return self.code >= codes.FIRST_CUSTOM

    @property
    def is_call(self) -> bool:
        """Whether it is written name(...) in a formula; the others are written by symbols."""
        return self.precedence == ATOM


def _infix(name: str, code: int, precedence: int, latex: str, derivative: tuple[str, str], **rest: Any) -> Operator:
    source = f"({{0}} {name} {{1}})"
    text = f"{{0}} {name} {{1}}" if precedence == SUM else f"{{0}}{name}{{1}}"
    row = {"numpy": source, "torch": source, "c": source, "excel": source} | rest
    return Operator(name, code, 2, text, latex, derivative, precedence=precedence, **row)


def _call(name: str, code: int, derivative: str, **rest: Any) -> Operator:
    call = f"{name}({{0}})"
    sources = {"numpy": f"np.{call}", "torch": f"torch.{call}", "c": call, "excel": f"{name.upper()}({{0}})"}
    row = {"latex": rf"\{name}\left({{0}}\right)"} | sources | rest
    return Operator(name, code, 1, call, derivative=(derivative,), **row)


def _inverse(name: str, code: int, derivative: str, **rest: Any) -> Operator:
    long = f"arc{name[1:]}"
    return _call(name, code, derivative, latex=rf"\{long}\left({{0}}\right)", numpy=f"np.{long}({{0}})", **rest)


def _choice(name: str, code: int, derivative: tuple[str, str]) -> Operator:
    return Operator(
        name, code, 2, f"{name}({{0}}, {{1}})", rf"\{name}\left({{0}}, {{1}}\right)", derivative,
        domain=lambda u, v: u != v, commutative=True,
        numpy=f"np.{name}imum({{0}}, {{1}})", torch=f"torch.{name}imum({{0}}, {{1}})",
        c=f"f{name}({{0}}, {{1}})", excel=f"{name.upper()}({{0}}, {{1}})",
    )  # fmt: skip


_BUILT_IN: Final = (
    _infix("+", codes.ADD, SUM, "{0} + {1}", ("1", "1"), commutative=True),
    _infix("-", codes.SUB, SUM, "{0} - {1}", ("1", "-1")),
    _infix("*", codes.MUL, PRODUCT, r"{0} \cdot {1}", ("v", "u"), commutative=True),
    _infix("/", codes.DIV, PRODUCT, r"\frac{{{0}}}{{{1}}}", ("1/v", "-u/v^2"), domain=lambda u, v: v != 0),
    _infix(
        "^", codes.POW, POWER, "{0}^{{{1}}}", ("v*u^(v - 1)", "u^v*log(u)"), domain=_power_domain,
        numpy="np.power({0}, {1})", torch="torch.pow({0}, {1})", c="pow({0}, {1})", excel="POWER({0}, {1})",
    ),
    _choice("min", codes.MIN, ("(1 - (u - v)/abs(u - v))/2", "(1 + (u - v)/abs(u - v))/2")),
    _choice("max", codes.MAX, ("(1 + (u - v)/abs(u - v))/2", "(1 - (u - v)/abs(u - v))/2")),
    Operator(
        "neg", codes.NEG, 1, "-{0}", "-{0}", ("-1",), precedence=SIGN,
        numpy="(-{0})", torch="(-{0})", c="(-{0})", excel="(-{0})",
    ),
    Operator(
        "powi", codes.POWI, 1, "{0}^{k}", "{0}^{{{k}}}", ("k*u^(k - 1)",), precedence=POWER,
        domain=lambda u: u != 0, numpy="np.power({0}, {k}.0)", torch="torch.pow({0}, {k}.0)", c="pow({0}, {k}.0)",
        excel="POWER({0}, {k})",
    ),
    _call("sqrt", codes.SQRT, "1/(2*sqrt(u))", domain=lambda u: u > 0, latex=r"\sqrt{{{0}}}"),
    _call("sin", codes.SIN, "cos(u)"),
    _call("cos", codes.COS, "-sin(u)"),
    _call("tan", codes.TAN, "1 + tan(u)^2", domain=lambda u: np.cos(u) != 0),
    _call("exp", codes.EXP, "exp(u)"),
    _call("log", codes.LOG, "1/u", domain=lambda u: u > 0, excel="LN({0})"),
    _call("tanh", codes.TANH, "1 - tanh(u)^2"),
    _inverse("asin", codes.ASIN, "1/sqrt(1 - u^2)", domain=lambda u: np.abs(u) < 1),
    _inverse("acos", codes.ACOS, "-1/sqrt(1 - u^2)", domain=lambda u: np.abs(u) < 1),
    _inverse("atan", codes.ATAN, "1/(1 + u^2)"),
    _call("abs", codes.ABS, "u/abs(u)", domain=lambda u: u != 0, latex=r"\left|{0}\right|", c="fabs({0})"),
)  # fmt: skip

BY_NAME: Final[dict[str, Operator]] = {op.name: op for op in _BUILT_IN}
BY_CODE: Final[dict[int, Operator]] = {op.code: op for op in _BUILT_IN}

PRESETS: Final[dict[str, tuple[str, ...]]] = {
    "paper": ("+", "-", "*", "/", "sin", "cos", "exp", "log"),
    "physics": ("+", "-", "*", "/", "sin", "cos", "exp", "log", "sqrt", "powi", "^", "tan", "tanh"),
}
# Functions that a preset knows as the last step of a law alone.
OUTERMOST: Final[dict[str, tuple[str, ...]]] = {"physics": ("asin", "acos", "atan")}


# Open constants, the number pi, default variables, and the operands in derivative texts.
_TAKEN: Final = re.compile(r"C(_?[0-9]+)?|pi|x[0-9]+|[uvk]")


def operator(name: str) -> Operator:
    """Look an operator up by the name it has in formulas."""
    try:
        return BY_NAME[name]
    except KeyError:
        raise OperatorError(f"Unknown operator {name!r}; known are {', '.join(BY_NAME)}.") from None


def define_operator(
    name: str,
    function: Callable[..., float],
    *,
    sympy: Callable[..., Any],
    arity: int = 1,
    derivative: tuple[Callable[..., float], ...] = (),
    latex: str = "",
    domain: Predicate = _everywhere,
) -> Operator:
    """Add an operator of your own, from a function of floats that numba can compile.

    `sympy` maps sympy operands to a sympy expression. `derivative` holds one function per
    operand, of the same operands; without it the kernels differentiate numerically.
    """
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        raise OperatorError(f"An operator's name must be letters, digits and _, not {name!r}.")
    if name in BY_NAME or _TAKEN.fullmatch(name):
        raise OperatorError(f"The name {name!r} is taken; choose another one.")
    if arity not in (1, 2) or len(derivative) not in (0, arity):
        raise OperatorError(f"Operator {name!r}: arity must be 1 or 2, with as many derivatives or none.")
    code = _compiled(name, function, derivative, arity)
    operands = ", ".join(f"{{{i}}}" for i in range(arity))
    upright = name.replace("_", r"\_")
    row = Operator(
        name, code, arity, f"{name}({operands})",
        latex or rf"\operatorname{{{{{upright}}}}}\left({operands}\right)", (), domain=domain, to_sympy=sympy,
    )  # fmt: skip
    BY_NAME[name] = BY_CODE[row.code] = row
    return row


def _compiled(
    name: str, function: Callable[..., float], derivative: tuple[Callable[..., float], ...], arity: int
) -> int:
    from scalesr.kernels.custom import compile_operator  # the compiler loads only when it is needed

    try:
        return compile_operator(function, derivative, arity)
    except ValueError as error:
        raise OperatorError(f"Operator {name!r}: {error}") from error


class Operators:
    """A set of operators: presets, names and rows of your own in any mixture.

    `outermost` are functions that may only be the last step of a law, as asin in y = asin(n*sin(t)):
    they are looked for by transforming the target, and searches, which go over the members of the
    set, do not have them. A function that is a member besides may stand anywhere.

    >>> list(Operators("paper", "sqrt").names)
    ['+', '-', '*', '/', 'sin', 'cos', 'exp', 'log', 'sqrt']
    """

    __slots__ = ("_rows", "outermost")

    def __init__(self, *members: str | Operator, outermost: Sequence[str] | None = None) -> None:
        names: dict[str, Operator] = {}
        for member in members:
            for row in _rows(member):
                names.setdefault(row.name, row)
        if not names:
            raise OperatorError('An operator set needs a member: Operators("physics"), for example.')
        self._rows = tuple(names.values())
        if outermost is None:
            outermost = [name for member in members if isinstance(member, str) for name in OUTERMOST.get(member, ())]
        self.outermost = tuple(operator(name).name for name in outermost if name not in names)

    @property
    def codes(self) -> frozenset[int]:
        """What compiled code knows the members and the outermost functions by."""
        return frozenset([*(row.code for row in self._rows), *(BY_NAME[name].code for name in self.outermost)])

    def can_end_with(self, name: str) -> bool:
        """Whether an operator may be the last step of a law."""
        return name in self or name in self.outermost

    def can_write(self, symbols: Iterable[int]) -> bool:
        """Whether a formula with these codes needs no other operators; whole powers are products, signs differences."""
        known = {row.code for row in self._rows}
        stands_for = {codes.POWI: codes.MUL, codes.NEG: codes.SUB}
        return all(code <= codes.LAST_LEAF or code in known or stands_for.get(code) in known for code in symbols)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(row.name for row in self._rows)

    def __iter__(self) -> Iterator[Operator]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, member: object) -> bool:
        return (member.name if isinstance(member, Operator) else member) in self.names

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Operators) and self._sets == other._sets

    def __hash__(self) -> int:
        return hash(self._sets)

    @property
    def _sets(self) -> tuple[frozenset[str], frozenset[str]]:
        return frozenset(self.names), frozenset(self.outermost)

    def __reduce__(self) -> tuple[Any, ...]:
        return _operators, (self.names, self.outermost)  # rows hold functions, which are found again by name

    def __repr__(self) -> str:
        names = ", ".join(repr(name) for name in self.names)
        return f"Operators({names}, outermost={self.outermost!r})" if self.outermost else f"Operators({names})"


def _operators(names: tuple[str, ...], outermost: tuple[str, ...]) -> Operators:
    return Operators(*names, outermost=outermost)


def _rows(member: str | Operator) -> tuple[Operator, ...]:
    if isinstance(member, Operator):
        return (member,)
    if member in PRESETS:
        return tuple(BY_NAME[name] for name in PRESETS[member])
    if member in BY_NAME:
        return (BY_NAME[member],)
    raise OperatorError(
        f"Unknown operator or preset {member!r}; presets are {', '.join(PRESETS)}; operators are {', '.join(BY_NAME)}."
    )
