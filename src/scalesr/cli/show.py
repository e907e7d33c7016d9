"""`scalesr show`: a saved law, to read or to use elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scalesr.cli.output import STANDARD_OUTPUT, JsonPath, check_targets, say, say_lines, write_json
from scalesr.errors import FormulaError
from scalesr.visible import visible

if TYPE_CHECKING:
    from scalesr.records.equation import Equation

LawPath = Annotated[Path, typer.Argument(metavar="LAW", help="A file that scalesr fit --save or model.save wrote.")]


def show(
    law: LawPath,
    latex: Annotated[bool, typer.Option("--latex", help="Print LaTeX source.")] = False,
    python: Annotated[bool, typer.Option("--python", help="Print a Python function of NumPy arrays.")] = False,
    c: Annotated[bool, typer.Option("--c", help="Print a C function.")] = False,
    sympy: Annotated[bool, typer.Option("--sympy", help="Print a sympy expression.")] = False,
    story: Annotated[bool, typer.Option("--story", help="Print what each stage did.")] = False,
    json: JsonPath = None,
) -> None:
    """Show a saved law: with verdict, constants and front, or as source code.

    \b
    Examples:
      scalesr show law.json
      scalesr show law.json --python > law.py
    """
    from scalesr.cli.outcome import lines_of, values_of
    from scalesr.estimators.regressor import load  # loads the compiler; --help does without

    check_targets({"--json": json}, [law])
    model = load(law)
    found = model.discovery_ if isinstance(model.discovery_, tuple) else (model.discovery_,)
    forms = [name for name, asked in (("latex", latex), ("python", python), ("c", c), ("sympy", sympy)) if asked]
    for discovery, target in zip(found, model.target_names_, strict=True):
        for form in forms:
            say(source_of(discovery.equation, target, form).rstrip("\n"))
        if story:
            lines = [f"{step.seconds:8.2f} s  {step.stage:<10} {step.summary}" for step in discovery.trace]
            say_lines(lines)
        if not (forms or story or json == STANDARD_OUTPUT):
            step = f"scalesr predict {law} TABLE, or --latex, --python, --c, --sympy for the formula."
            say_lines(lines_of(discovery, target, step)[1:])
    if json is not None:
        values = [values_of(discovery, target) for discovery, target in zip(found, model.target_names_, strict=True)]
        write_json(json, values[0] if len(values) == 1 else values)


def source_of(equation: Equation, target: str, form: str) -> str:
    """A law in another language; constants keep every digit."""
    from scalesr.expr.export import to_c, to_python

    match form:
        case "latex":
            return equation.latex()
        case "python":
            return to_python(equation.expression, equation.names, _function_name(target))
        case "c":
            return to_c(equation.expression, equation.names, _function_name(target))
        case _:
            return _sympy_text(equation)


def _sympy_text(equation: Equation) -> str:
    try:
        return visible(str(equation.sympy()))
    except RecursionError:  # sympy can hold some formulas that it cannot print
        raise FormulaError(f"A formula of depth {equation.expression.depth} is too deep for sympy to print.") from None


def _function_name(target: str) -> str:
    """The target's name as that of a function, where it can be one."""
    from scalesr.expr.identifiers import is_c, is_python

    return target if is_c(target) and is_python(target) else "law"
