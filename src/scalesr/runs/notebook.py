"""A notebook that reads a run's table and finds its law again; texts of others are Python literals in it."""

from __future__ import annotations

import json
from dataclasses import fields
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
    wanted = {field.name: getattr(plan.wanted, field.name) for field in fields(plan.wanted)}
    chosen = ", ".join(f"{name}={value!a}" for name, value in wanted.items() if value)
    settings = ", ".join(f"{name}={value!a}" for name, value in plan.parameters.items())
    return [
        "from scalesr import ScaleSRRegressor",
        "from scalesr.estimators.fit_rows import fit_rows",
        "from scalesr.estimators.told_units import units_of",
        "",
        f"rows = choose_rows(table, Wanted({chosen}))",
        f"units, _ = units_of(rows, {plan.units!a})",
        f"settings = dict({settings})",
        f"model = fit_rows(ScaleSRRegressor(units=units, **settings), rows, groups={plan.groups!a})",
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
