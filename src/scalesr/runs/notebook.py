"""A notebook that reads a run's table and finds its law again; texts of others are Python literals in it."""

from __future__ import annotations

import json
from typing import Any

from scalesr.runs.plan import Plan


def notebook(plan: Plan, table: str) -> str:
    """The notebook as a file holds it; `table` is the name of the file that it reads."""
    parts = (_read(table), _find_law(plan) if plan.kind == "table" else _find_motion(plan), _show(plan))
    cells = [_cell(0, "markdown", ["# The law again", "", "Made by the page of ScaleSR."])]
    cells += [_cell(place, "code", lines) for place, lines in enumerate(parts, 1)]
    about = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": about, "cells": cells}, indent=1)


def _read(table: str) -> list[str]:
    return [
        "from pathlib import Path",
        "",
        "from scalesr.tables import Wanted, choose_rows, read_table",
        "",
        f"table = read_table(Path({table!a}))  # put the table beside this notebook",
        "table.description",
    ]


def _find_law(plan: Plan) -> list[str]:
    operators = f"operators_of(*{plan.operators!a})"
    known = {"template": plan.template or None, "start": plan.start or None, "constraints": plan.constraints or None}
    return [
        "from scalesr import ScaleSRRegressor",
        "from scalesr.estimators.frames import named_groups, named_rows",
        "from scalesr.estimators.plugins import operators_of",
        "from scalesr.estimators.told_units import units_of",
        "",
        f"columns = dict(target={plan.target!a}, features={plan.features!a}, weights={(plan.weights or None)!a})",
        f"rows = choose_rows(table, Wanted(**columns, groups={plan.groups!a}))",
        f"known = dict(units=units_of(rows, {plan.units!a})[0], {', '.join(f'{k}={v!a}' for k, v in known.items())})",
        "X, y = named_rows(rows.X, rows.names, rows.y, rows.target)",
        f"settings = dict(operators={operators}, time_limit={plan.time_limit!r}, random_state={plan.seed})",
        f"groups = named_groups(rows.groups, {plan.groups!a})",
        "model = ScaleSRRegressor(**settings, **known).fit(X, y, rows.weights, groups=groups)",
    ]


def _find_motion(plan: Plan) -> list[str]:
    return [
        "from scalesr import ScaleSRDynamics",
        "from scalesr.estimators.frames import frame_of",
        "",
        f"states, columns = {plan.states!a}, dict(time={plan.time!a}, trajectory={(plan.trajectory or None)!a})",
        "frame = frame_of(table, states, **columns)",
        f"settings = dict(order={plan.order}, time_limit={plan.time_limit!r}, random_state={plan.seed})",
        "model = ScaleSRDynamics(**settings).fit(frame, states=states, **columns)",
    ]


def _show(plan: Plan) -> list[str]:
    said = "model.discovery_.sentence" if plan.kind == "table" else "*model.statements_, sep='\\n'"
    return [f"print({said})", "model"]


def _cell(place: int, kind: str, lines: list[str]) -> dict[str, Any]:
    source = [line + "\n" for line in lines[:-1]] + lines[-1:]
    rest: dict[str, Any] = {"execution_count": None, "outputs": []} if kind == "code" else {}
    return {"id": f"cell-{place}", "cell_type": kind, "metadata": {}, "source": source} | rest
