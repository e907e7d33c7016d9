"""Formulas that the user has typed, fitted and judged beside the law that was found."""

from __future__ import annotations

import math
from typing import Any, Final

from scalesr.errors import DataError, FormulaError, ScaleSRError
from scalesr.estimators.frames import named_rows
from scalesr.estimators.judging import judge_formula
from scalesr.estimators.saved_regressor import load_regressor
from scalesr.expr.text import parse
from scalesr.records.equation import Equation
from scalesr.runs.find import rows_of
from scalesr.runs.run import RunFolder

MOST: Final = 30  # formulas that are kept
LONGEST: Final = 2000  # characters of one


def propose(run: RunFolder, formula: str) -> None:
    """Keep a formula to be judged; one that cannot be read is refused here, before a process is started."""
    view = run.values("view")
    if view is None or "names" not in view:
        raise DataError("Formulas are judged beside a found law; find one first.")
    if view.get("groups"):
        raise DataError("Formulas are not judged beside laws of groups yet.")
    if len(formula) > LONGEST:
        raise FormulaError(f"A formula has up to {LONGEST} characters; this one has {len(formula)}.")
    parse(formula, view["names"])
    kept = [one for one in judged(run) if one["formula"] != formula]
    run.set_values("judged", {"laws": [*kept, {"formula": formula}][-MOST:]})


def judged(run: RunFolder) -> list[dict[str, Any]]:
    """The typed formulas, with what was found out about each."""
    laws = (run.values("judged") or {}).get("laws")
    kept = laws if isinstance(laws, list) else []
    return [one for one in kept if isinstance(one, dict) and isinstance(one.get("formula"), str)]


def judge_typed(run: RunFolder) -> None:
    """Judge the formulas that have no verdict yet."""
    plan = run.plan
    if plan is None:
        raise DataError("Formulas are judged beside a found law; find one first.")
    rows = rows_of(run, plan)
    X, y = named_rows(rows.X, rows.names, rows.y, rows.target)
    beside = load_regressor(run.law).equation_
    assert isinstance(beside, Equation)
    done = []
    for one in judged(run):
        if "sentence" in one or "fault" in one:
            done.append(one)
            continue
        try:
            found = judge_formula(one["formula"], X, y, rows.weights, beside=beside, random_state=plan.seed)
        except ScaleSRError as error:
            done.append(one | {"fault": str(error)})
        else:
            law = found.law
            told: dict[str, Any] = {
                "law": str(law.equation),
                "rounded": str(law.equation.rounded()),
                "sentence": found.sentence,
            }
            told |= {"verdict": str(found.verdict), "complexity": law.complexity, "error": math.sqrt(law.loss)}
            done.append(one | told | {"advantage": found.advantage})
    run.set_values("judged", {"laws": done})
