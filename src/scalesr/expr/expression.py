"""Expression: a formula as frozen flat postfix arrays plus constants."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scalesr.errors import FormulaError
from scalesr.expr.fold import Leaf, fold
from scalesr.expr.operators import BY_CODE, operator
from scalesr.expr.printing import to_text
from scalesr.kernels.codes import ADD, CONSTANT, FIRST_CUSTOM, LAST_BINARY, LAST_LEAF, OPEN, POWI, VARIABLE

MAX_NODES = 100_000
MAX_POWER = 1_000
_LARGEST: Final = 2**31 - 1  # number that an array of nodes holds
_NUMBERING: Final = "Constants must be numbered 0, 1, ... from left to right, one value each."


@dataclass(frozen=True, slots=True, eq=False)
class Expression:
    """A formula in variables 0, 1, ... with constants that have a value or are open.

    `constants[k]` belongs to the k-th constant leaf from the left; it is NaN where that leaf is
    open. A formula with open constants is a skeleton. Build with `variable`, `constant`,
    `open_constant` and `apply`, or `parse` a text.
    """

    codes: NDArray[np.int32]  # (nodes,)
    args: NDArray[np.int32]  # (nodes,) column, constant index or integer exponent
    constants: NDArray[np.float64]  # (constants,)
    memo: dict[str, Any] = field(default_factory=dict, init=False, repr=False)  # derived facts, worked out once

    def __post_init__(self) -> None:
        for array in (self.codes, self.args, self.constants):
            array.setflags(write=False)

    @classmethod
    def from_arrays(cls, codes: ArrayLike, args: ArrayLike, constants: ArrayLike = ()) -> Expression:
        """Make a formula from postfix arrays after checking that they are one whole tree."""
        values = np.array(constants, np.float64)
        values[np.isnan(values)] = np.nan  # one kind of NaN, as formulas are compared by their bytes
        expr = cls(_int32(codes, "codes"), _int32(args, "args"), values)
        _check(expr)
        return expr

    def arities(self) -> list[int]:
        """Number of operands of each node."""
        return list(map(_arity, self.codes.tolist()))

    @property
    def n_nodes(self) -> int:
        return len(self.codes)

    @property
    def n_open(self) -> int:
        return int(np.count_nonzero(self.codes == OPEN))

    @property
    def open_indices(self) -> NDArray[np.int64]:
        """Indices into `constants` of the open ones, from left to right."""
        return np.asarray(self.args[self.codes == OPEN], np.int64)

    @property
    def complexity(self) -> int:
        """The paper's measure: two per binary operator, one per unary; an integer power is unary."""
        if "complexity" not in self.memo:
            self.memo["complexity"] = sum(self.arities())
        return int(self.memo["complexity"])

    @property
    def variables(self) -> tuple[int, ...]:
        """Columns that occur, in ascending order."""
        return tuple(sorted(set(self.args[self.codes == VARIABLE].tolist())))

    @property
    def n_columns(self) -> int:
        """Columns a table needs for this formula: one more than the highest that occurs."""
        used = self.args[self.codes == VARIABLE]
        return int(used.max()) + 1 if len(used) else 0

    @property
    def depth(self) -> int:
        return fold(self, leaf=lambda _: 1, node=lambda _, kids: 1 + max(kids))

    def bind(self, values: ArrayLike) -> Expression:
        """Close the open constants with `values`, from left to right."""
        given = np.asarray(values, np.float64).ravel()
        where = self.open_indices
        if len(given) != len(where):
            raise FormulaError(f"This skeleton has {len(where)} open constants; {len(given)} values were given.")
        if not np.isfinite(given).all():
            raise FormulaError(f"A constant must be a finite number; the values are {given.tolist()}.")
        constants = self.constants.copy()
        constants[where] = given
        return Expression(np.where(self.codes == OPEN, np.int32(CONSTANT), self.codes), self.args, constants)

    def skeleton(self) -> Expression:
        """The same tree with every constant open."""
        codes = np.where(self.codes == CONSTANT, np.int32(OPEN), self.codes)
        return Expression(codes, self.args, np.full(len(self.constants), np.nan))

    def _identity(self) -> tuple[bytes, bytes, bytes]:
        return self.codes.tobytes(), self.args.tobytes(), self.constants.tobytes()

    def __reduce__(self) -> tuple[Any, ...]:
        return Expression, (self.codes, self.args, self.constants)  # copies are frozen too

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Expression) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def __str__(self) -> str:
        return to_text(self)

    def __repr__(self) -> str:
        return f"Expression({str(self)!r})"


def variable(index: int) -> Expression:
    """The formula that is one column."""
    if index < 0:
        raise FormulaError(f"A variable's column must be 0 or more, not {index}.")
    return _leaf(VARIABLE, index, ())


def constant(value: float) -> Expression:
    """The formula that is one number."""
    if not np.isfinite(value):
        raise FormulaError(f"A constant must be a finite number, not {value}.")
    return _leaf(CONSTANT, 0, (float(value),))


def open_constant() -> Expression:
    """The formula that is one open constant."""
    return _leaf(OPEN, 0, (np.nan,))


def apply(name: str, *operands: Expression, power: int = 0) -> Expression:
    """Join formulas by an operator; `power` is the exponent of "powi"."""
    row = operator(name)
    if len(operands) != row.arity:
        raise FormulaError(f"{name!r} takes {row.arity} operands; {len(operands)} were given.")
    if power and row.code != POWI:
        raise FormulaError(f"{name!r} has no power; it belongs to 'powi'.")
    if abs(power) > MAX_POWER:
        raise FormulaError(
            f"An integer power must lie within ±{MAX_POWER}, not {power}; write {power}.0 for a real one."
        )
    return join(row.code, operands, power=power)


def join(code: int, operands: Sequence[Expression], *, power: int = 0) -> Expression:
    """`apply` by code and without checks, for callers that build formulas in bulk."""
    args = []
    offset = 0
    for part in operands:
        args.append(part.args)
        if offset and len(part.constants):  # places of constants, which come after those of the operands before
            shift = ((part.codes == CONSTANT) | (part.codes == OPEN)).astype(np.int32) * offset
            args[-1] = part.args + shift
        offset += len(part.constants)
    return Expression(
        np.concatenate([*(part.codes for part in operands), (code,)], dtype=np.int32),
        np.concatenate([*args, (power,)], dtype=np.int32),
        np.concatenate([part.constants for part in operands]) if len(operands) > 1 else operands[0].constants,
    )


def leaf_of(leaf: Leaf) -> Expression:
    """The formula that a leaf of a fold is."""
    if leaf.code == VARIABLE:
        return variable(leaf.index)
    return open_constant() if leaf.code == OPEN else constant(leaf.value)


def _leaf(code: int, arg: int, constants: tuple[float, ...]) -> Expression:
    return Expression(np.array([code], np.int32), np.array([arg], np.int32), np.array(constants, np.float64))


def _int32(numbers: ArrayLike, what: str) -> NDArray[np.int32]:
    """A flat copy of whole numbers; anything else is refused rather than rounded."""
    given = np.asarray(numbers)
    is_whole = given.dtype.kind in "iu" or given.size == 0
    if given.ndim != 1 or not is_whole or max(map(abs, given.tolist()), default=0) > _LARGEST:
        raise FormulaError(f"The {what} of a formula are a flat list of whole numbers.")
    return given.astype(np.int32)


@cache
def _arity(code: int) -> int:
    if code <= LAST_LEAF:
        return 0
    if code >= FIRST_CUSTOM:
        return 1 + code % 2  # by the numbering of custom codes
    return 2 if ADD <= code <= LAST_BINARY else 1


def _check(expr: Expression) -> None:
    """Refuse arrays that are not one whole tree with its constants in order."""
    if not 0 < len(expr.codes) <= MAX_NODES:
        raise FormulaError(f"A formula has 1 to {MAX_NODES} nodes, not {len(expr.codes)}.")
    if len(expr.args) != len(expr.codes):
        raise FormulaError(f"{len(expr.codes)} codes need as many args; {len(expr.args)} were given.")
    depth = 0
    for place, (code, arity) in enumerate(zip(expr.codes.tolist(), expr.arities(), strict=True)):
        if (code > LAST_LEAF and code not in BY_CODE) or code < 0:
            raise FormulaError(f"Node {place} has the unknown operator code {code}.")
        depth += 1 - arity
        if depth < 1:
            raise FormulaError(f"Node {place} lacks operands: these arrays are not in postfix order.")
    if depth != 1:
        raise FormulaError(f"These arrays hold {depth} formulas, not one.")
    _check_args(expr)


def _check_args(expr: Expression) -> None:
    """Refuse args that do not belong to their nodes; plain loops, as formulas are small and many."""
    constants = expr.constants.tolist()
    n_constants = 0
    for code, arg in zip(expr.codes.tolist(), expr.args.tolist(), strict=True):
        if code == VARIABLE:
            if arg < 0:
                raise FormulaError("A variable's column must be 0 or more.")
        elif code <= LAST_LEAF:
            if arg != n_constants or arg >= len(constants):
                raise FormulaError(_NUMBERING)
            if not (math.isnan(constants[arg]) if code == OPEN else math.isfinite(constants[arg])):
                raise FormulaError("A closed constant needs a finite value and an open one NaN.")
            n_constants += 1
        elif code == POWI:
            if abs(arg) > MAX_POWER:
                raise FormulaError(f"An integer power must lie within ±{MAX_POWER}.")
        elif arg != 0:
            raise FormulaError("Only variables, constants and integer powers have an arg.")
    if n_constants != len(constants):
        raise FormulaError(_NUMBERING)
