"""A law in other languages: LaTeX, Python, torch, JAX, C, sympy and Excel."""

from __future__ import annotations

from scalesr.errors import FormulaError
from scalesr.expr.export import cell_in_row, to_excel
from scalesr.expr.identifiers import is_c, is_python
from scalesr.records.equation import Equation
from scalesr.visible import visible


def source_of(equation: Equation, target: str, form: str) -> str:
    """A law in another language; constants keep every digit."""
    match form:
        case "latex":
            return equation.latex()
        case "excel":
            return _excel_text(equation)
        case "sympy":
            return _sympy_text(equation)
        case _:
            return equation.source(form, _function_name(target))


def _excel_text(equation: Equation) -> str:
    """A formula for the second line of a sheet, and where it looks for its columns."""
    used = equation.expression.variables
    cells = [cell_in_row(place) for place in range(len(equation.names))]
    where = "".join(f"{cells[column]}\t{visible(equation.names[column])}\n" for column in used)
    return f"{to_excel(equation.expression, cells)}\n\n{where}"


def _sympy_text(equation: Equation) -> str:
    try:
        return visible(str(equation.sympy()))
    except RecursionError:  # sympy can hold some formulas that it cannot print
        raise FormulaError(f"A formula of depth {equation.expression.depth} is too deep for sympy to print.") from None


def _function_name(target: str) -> str:
    """The target's name as that of a function, where it can be one."""
    return target if is_c(target) and is_python(target) else "law"
