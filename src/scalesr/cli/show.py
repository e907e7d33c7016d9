"""`scalesr show`: a saved law, to read or to use elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scalesr.cli.choose import Choice, take
from scalesr.cli.output import STANDARD_OUTPUT, Delivery, JsonPath, check_targets, say, say_lines, tell, write_json

LawPath = Annotated[Path, typer.Argument(metavar="LAW", help="A file that scalesr fit --save or model.save wrote.")]


def show(  # noqa: PLR0913, PLR0917  one argument per option
    law: LawPath,
    latex: Annotated[bool, typer.Option("--latex", help="Print LaTeX source.")] = False,
    python: Annotated[bool, typer.Option("--python", help="Print a Python function of NumPy arrays.")] = False,
    torch: Annotated[bool, typer.Option("--torch", help="Print a Python function of torch tensors.")] = False,
    jax: Annotated[bool, typer.Option("--jax", help="Print a Python function of JAX arrays.")] = False,
    c: Annotated[bool, typer.Option("--c", help="Print a C function.")] = False,
    sympy: Annotated[bool, typer.Option("--sympy", help="Print a sympy expression.")] = False,
    front: Annotated[bool, typer.Option("--latex-table", help="Print the Pareto front as a LaTeX table.")] = False,
    excel: Annotated[bool, typer.Option("--excel", help="Print a formula for a spreadsheet.")] = False,
    story: Annotated[bool, typer.Option("--story", help="Print what each stage did.")] = False,
    choose: Choice = "",
    save: Annotated[
        Path | None, typer.Option("--save", metavar="JSON", help="Write the law to another file, as it is chosen.")
    ] = None,
    json: JsonPath = None,
) -> None:
    """Show a saved law: with verdict, constants and Pareto front, or as source code.

    \b
    Examples:
      scalesr show law.json
      scalesr show law.json --python > law.py
      scalesr show law.json --choose 7 --save short.json
    """
    from scalesr.cli.outcome import lines_of
    from scalesr.estimators.saved_regressor import load_regressor  # loads the compiler; --help does without
    from scalesr.estimators.units import named_units
    from scalesr.estimators.values import values_of
    from scalesr.report.latex import latex_table
    from scalesr.report.sources import source_of

    check_targets({"--json": json, "--save": save}, [law])
    model = take(load_regressor(law), choose)
    found = model.discovery_ if isinstance(model.discovery_, tuple) else (model.discovery_,)
    asked = {
        "latex": latex, "python": python, "torch": torch, "jax": jax, "c": c, "sympy": sympy, "excel": excel,
        "latex-table": front,
    }  # fmt: skip
    forms = [name for name, is_asked in asked.items() if is_asked]
    for discovery, target in zip(found, model.target_names_, strict=True):
        for form in forms:
            text = latex_table(discovery) if form == "latex-table" else source_of(discovery.equation, target, form)
            say(text.rstrip("\n"))
        if story:
            lines = [f"{step.seconds:8.2f} s  {step.stage:<10} {step.summary}" for step in discovery.trace]
            say_lines(lines)
        if not (forms or story or json == STANDARD_OUTPUT):
            step = (
                f"scalesr predict {law} TABLE, or --latex, --python, --torch, --jax, --c, --sympy, --excel "
                "for the formula."
            )
            say_lines(lines_of(discovery, target, step, named_units(model.units))[1:])
    delivery = Delivery()
    with delivery.part():
        if save is not None:
            model.save(save)
            tell([f"Saved in {save}."])
    with delivery.part():
        if json is not None:
            named = zip(found, model.target_names_, strict=True)
            values = [values_of(discovery, target, named_units(model.units)) for discovery, target in named]
            write_json(json, values[0] if len(values) == 1 else values)
    delivery.close()
