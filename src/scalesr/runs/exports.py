"""What can be taken away from a run: the law in other languages, its record, a report and a notebook."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from scalesr.atomic import write_atomically
from scalesr.errors import DataError
from scalesr.estimators.dynamics import ScaleSRDynamics
from scalesr.estimators.fit_rows import labels_of
from scalesr.estimators.frames import named_rows
from scalesr.estimators.loading import load
from scalesr.estimators.predictions import predict_table
from scalesr.estimators.regressor import ScaleSRRegressor
from scalesr.estimators.units import named_units
from scalesr.estimators.values import values_of
from scalesr.records.discovery import Discovery
from scalesr.report import write_motion_report, write_report
from scalesr.report.sources import source_of
from scalesr.runs.find import rows_of, trajectories_of
from scalesr.runs.notebook import notebook
from scalesr.runs.plan import Plan
from scalesr.runs.run import RunFolder
from scalesr.tables import read_table


@dataclass(frozen=True, slots=True)
class Export:
    """A kind of file: its name, its title for people and what a browser is told that it is."""

    file: str
    title: str
    media: str = "text/plain; charset=utf-8"


EXPORTS: Final = {
    "latex": Export("law.tex", "LaTeX"),
    "python": Export("law.py", "Python"),
    "c": Export("law.c", "C"),
    "excel": Export("law-excel.txt", "Excel formula"),
    "sympy": Export("law-sympy.txt", "sympy"),
    "json": Export("result.json", "JSON", "application/json"),
    "law": Export("law.json", "Law file for scalesr.load", "application/json"),
    "notebook": Export("law.ipynb", "Notebook that repeats it", "application/x-ipynb+json"),
    "report": Export("report.html", "HTML report", "text/html; charset=utf-8"),
}


def export(run: RunFolder, form: str) -> bytes:
    """The content of one of these files; a report has to be there already."""
    if form not in EXPORTS:
        raise DataError(f"There is no export {form!r:.40}; known are {', '.join(EXPORTS)}.")
    if not run.law.exists():
        raise DataError("There is no law to export yet.")
    if form == "law":
        return run.law.read_bytes()
    if form == "report":
        return (run.path / "report.html").read_bytes()
    if form == "notebook":
        return notebook(_plan(run), run.name).encode("utf-8")
    model = load(run.law)
    if form == "json":
        return json.dumps(_values(model, run.values("view") or {}), indent=2, allow_nan=False).encode("utf-8")
    texts = [source_of(discovery.equation, target, form).rstrip("\n") for target, discovery in _laws(model)]
    return ("\n\n".join(texts) + "\n").encode("utf-8", errors="backslashreplace")


def _laws(model: ScaleSRRegressor | ScaleSRDynamics) -> list[tuple[str, Discovery]]:
    if isinstance(model, ScaleSRDynamics):
        return list(zip((f"rate_of_{name}" for name in model.state_names_), model.discoveries_, strict=True))
    found = model.discovery_ if isinstance(model.discovery_, tuple) else (model.discovery_,)
    return list(zip(model.target_names_, found, strict=True))


def _values(model: ScaleSRRegressor | ScaleSRDynamics, view: Mapping[str, Any]) -> Any:
    """What `scalesr fit --json` writes; a list with the laws of motion of all states."""
    if isinstance(model, ScaleSRDynamics):
        return [values_of(discovery, target) for target, discovery in _laws(model)]
    ((target, discovery),) = _laws(model)
    return values_of(discovery, target, named_units(model.units)) | {
        name: view[name] for name in ("table", "notes") if name in view
    }


def write_run_report(run: RunFolder) -> None:
    """The report of a run, as a file in its folder."""
    plan, model = _plan(run), load(run.law)
    command, path = plan.command(run.name), run.path / "report.html"
    if isinstance(model, ScaleSRDynamics):
        frame, columns = trajectories_of(run, plan)
        write_motion_report(path, model, model.compare(frame, **columns), command=command)
        return
    rows = rows_of(run, plan)
    X, y = named_rows(rows.X, rows.names, rows.y, rows.target)
    assert isinstance(model.discovery_, Discovery)
    labels = labels_of(model.discovery_, rows)
    write_report(path, model, X, y, command=command, sample_weight=rows.weights, groups=labels)


def write_predictions(run: RunFolder, table: Path, values: Path) -> None:
    """A run's law on the rows of another table: the values as CSV, and beside them what there is to say."""
    model = load(run.law)
    if isinstance(model, ScaleSRDynamics):
        raise DataError("Laws of motion say how states change; simulate them from a start instead.")
    found = predict_table(model, read_table(table, "the table"))
    write_atomically(values, found.csv().encode("utf-8"))
    write_atomically(values.with_suffix(".txt"), "\n".join(found.remarks).encode("utf-8"))


def _plan(run: RunFolder) -> Plan:
    plan = run.plan
    if plan is None:
        raise DataError("The run has no plan; find a law first.")
    return plan
