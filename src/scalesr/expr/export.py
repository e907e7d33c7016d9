"""Formulas as source code: numpy, torch, JAX and C functions and cells of a spreadsheet, from the table's templates."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from scalesr.errors import FormulaError, OperatorError
from scalesr.expr.expression import Expression
from scalesr.expr.fold import Leaf, Node, fold
from scalesr.expr.identifiers import Valid, is_c, is_python, unique_identifier, unique_identifiers
from scalesr.expr.names import check_names, default_name, name_of
from scalesr.expr.operators import BY_CODE, Operator
from scalesr.expr.printing import real_text, to_text
from scalesr.expr.template import Rope, fill, flatten
from scalesr.kernels.codes import VARIABLE

MAX_NESTING = 25  # brackets in one statement; compilers refuse too many
MAX_COMMENT = 500  # characters
MAX_CELL = 8192  # characters of a formula in Excel


def to_python(expr: Expression, names: Sequence[str] | None = None, function_name: str = "law") -> str:
    """Source of a numpy function with one argument per column."""
    code = _write(expr, names, function_name, _NUMPY)
    arrays = [f"{name} = np.asarray({name}, dtype=np.float64)" for name in code.identifiers]
    return _python_source("import numpy as np", code, arrays + code.lines("", ""))


def to_torch(expr: Expression, names: Sequence[str] | None = None, function_name: str = "law") -> str:
    """Source of a torch function with one tensor argument per column."""
    code = _write(expr, names, function_name, _TORCH)
    return _python_source("import torch", code, code.lines("", ""))


def to_jax(expr: Expression, names: Sequence[str] | None = None, function_name: str = "law") -> str:
    """Source of a JAX function with one array argument per column."""
    code = _write(expr, names, function_name, _JAX)
    return _python_source("import jax.numpy as np", code, code.lines("", ""))


def to_c(expr: Expression, names: Sequence[str] | None = None, function_name: str = "law") -> str:
    """Source of a C99 function of one row of the table; link with -lm."""
    code = _write(expr, names, function_name, _C)
    used = [
        f"const double {code.identifiers[column]} = {_C_ROW}[{column}]; /* {_c_comment(code.names[column])} */"
        for column in expr.variables
    ]
    lines = (used or [f"(void){_C_ROW};"]) + code.lines("const double ", ";")
    return "\n".join(
        [
            "#include <math.h>",
            "",
            f"/* {_c_comment(code.formula)} */",
            f"double {code.function_name}(const double *{_C_ROW})",
            "{",
            *(f"    {line}" for line in lines),
            "}",
            "",
        ]
    )


def to_excel(expr: Expression, cells: Sequence[str]) -> str:
    """A formula for a cell of a spreadsheet; `cells` are where the columns stand, such as A2 and B2."""
    if odd := next((cell for cell in cells if not _CELL.fullmatch(cell)), None):
        raise FormulaError(f"{odd!r} is not a cell of a spreadsheet; give one such as A2 for each column.")
    code = _write(expr, cells, "law", _EXCEL)
    if code.statements:
        raise FormulaError(f"A formula of depth {expr.depth} is too deep for one cell of a spreadsheet.")
    text = "=" + code.result
    if len(text) > MAX_CELL:
        raise FormulaError(f"The formula has {len(text)} characters, and a cell of a spreadsheet takes {MAX_CELL}.")
    return text


def cell_in_row(column: int, row: int = 2) -> str:
    """The cell of a column, counted from 0: A2, B2, ..., Z2, AA2, ..."""
    letters = ""
    place = column + 1
    while place:
        place, letter = divmod(place - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{row}"


_C_ROW = "row"
_CELL = re.compile(r"[A-Z]{1,3}[1-9][0-9]{0,6}")


@dataclass(frozen=True, slots=True)
class _Language:
    """What differs from one language to the next."""

    name: str
    template: Callable[[Operator], str]
    is_valid: Valid
    taken: tuple[str, ...]
    number: str = "{0}"  # how a number is written where the library itself has to compute with it
    numbers_in_calls: bool = True  # whether its functions accept plain numbers beside arrays


_NUMPY = _Language("numpy", lambda row: row.numpy, is_python, ("np",), "np.float64({0})")
_TORCH = _Language(
    "torch",
    lambda row: row.torch,
    is_python,
    ("torch",),
    "torch.tensor({0}, dtype=torch.float64)",
    numbers_in_calls=False,
)
_JAX = _Language("JAX", lambda row: row.numpy, is_python, ("np",), "np.asarray({0})")
_C = _Language("C", lambda row: row.c, is_c, (_C_ROW,))
_EXCEL = _Language("Excel", lambda row: row.excel, str.isalnum, ())


class _Part(NamedTuple):
    """The source of a subtree."""

    rope: Rope
    depth: int = 0
    is_plain: bool = False  # made of numbers only


@dataclass(slots=True)
class _Code:
    """A function in the making."""

    language: _Language
    function_name: str
    names: tuple[str, ...]
    identifiers: list[str]
    taken: set[str]
    formula: str
    statements: list[tuple[str, str]] = field(default_factory=list)  # a name and its value
    result: str = ""

    def lines(self, declaration: str, end: str) -> list[str]:
        steps = [f"{declaration}{name} = {value}{end}" for name, value in self.statements]
        return [*steps, f"return {self.result}{end}"]

    def leaf(self, leaf: Leaf) -> _Part:
        if leaf.code == VARIABLE:
            return _Part(self.identifiers[leaf.index])
        text = real_text(leaf.value)
        return _Part(f"({text})" if text.startswith("-") else text, is_plain=True)

    def node(self, node: Node, kids: list[_Part]) -> _Part:
        row = BY_CODE[node.code]
        template = self.language.template(row)
        if not template:
            raise OperatorError(
                f"Operator {row.name!r} has no {self.language.name} template; give its row one to export it."
            )
        is_infix = template.startswith("(")
        wraps = all(kid.is_plain for kid in kids) or not (is_infix or self.language.numbers_in_calls)
        parts = [self.shallow(self.wrapped(kid) if wraps else kid) for kid in kids]
        depth = 1 + max(part.depth for part in parts)
        return _Part(fill(template, [part.rope for part in parts], str(node.power)), depth)

    def wrapped(self, part: _Part) -> _Part:
        """A plain number as one of the library's, so that 1/0 is inf and sin(2) is defined."""
        return _Part(fill(self.language.number, [part.rope]), part.depth) if part.is_plain else part

    def shallow(self, part: _Part) -> _Part:
        """The part, or the name of a statement of its own where it is nested too deeply."""
        if part.depth < MAX_NESTING:
            return part
        name = unique_identifier(f"part{len(self.statements) + 1}", self.language.is_valid, self.taken)
        self.statements.append((name, flatten(part.rope)))
        return _Part(name)


def _write(expr: Expression, names: Sequence[str] | None, function_name: str, language: _Language) -> _Code:
    if expr.n_open:
        raise FormulaError(f"The formula has {expr.n_open} open constants; give them values with bind() to export it.")
    if not language.is_valid(function_name) or function_name in language.taken:
        raise FormulaError(f"{function_name!r} cannot be a function's name in {language.name}; try 'law'.")
    given = check_names(names)
    if expr.variables:
        name_of(expr.variables[-1], given)  # refuses too few names
    columns = tuple(default_name(column) for column in range(expr.n_columns)) if given is None else given
    taken = {*language.taken, function_name}
    identifiers = unique_identifiers(columns, language.is_valid, taken)
    code = _Code(language, function_name, columns, identifiers, taken, to_text(expr, given))
    code.result = flatten(code.wrapped(fold(expr, leaf=code.leaf, node=code.node)).rope)
    return code


def _python_source(imports: str, code: _Code, lines: list[str]) -> str:
    renamed = [
        f"# {identifier} is {_comment(name)}"
        for identifier, name in zip(code.identifiers, code.names, strict=True)
        if identifier != name
    ]
    head = [imports, "", "", f"def {code.function_name}({', '.join(code.identifiers)}):"]
    body = [f"# {_comment(code.formula)}", *renamed, *lines]
    return "\n".join([*head, *(f"    {line}" for line in body), ""])


def _comment(text: str) -> str:
    """A text that stays on its line."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in _cut(text))


def _c_comment(text: str) -> str:
    """A text that stays within its C comment."""
    return ascii(_cut(text))[1:-1].replace("*/", "* /").replace("/*", "/ *")


def _cut(text: str) -> str:
    return text if len(text) <= MAX_COMMENT else text[:MAX_COMMENT] + " ..."
