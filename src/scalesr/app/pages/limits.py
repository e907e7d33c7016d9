"""The little that every search is told: how long it may take, with which operators and from which seed."""

from __future__ import annotations

from typing import Any, Final

from scalesr.app.parts import folded, number, select, text_field
from scalesr.estimators.plugins import operators_of
from scalesr.expr.operators import PRESETS
from scalesr.runs.plan import LONGEST, TIME_LIMIT, Plan

TIMES: Final = {"10": "10 seconds", "60": "1 minute", "300": "5 minutes", "3600": "1 hour", "": "other"}


class LimitFields:
    """Fields for time and operators, and the seed, which is folded away."""

    def __init__(self, plan: Plan | None) -> None:
        limit = TIME_LIMIT if plan is None else plan.time_limit
        known = f"{limit:g}" if f"{limit:g}" in TIMES else ""
        self._time = select("Time at most", TIMES, known, hint="It ends earlier when the law is sure.")
        self._other = number("Other time (seconds)", limit, least=0.1, most=LONGEST)
        self._other.box.set_visibility(not known)
        self._time.on_change(lambda: self._other.box.set_visibility(not self._time.value))
        given = PRESET if plan is None else ",".join(plan.operators)
        sets = {name: f"{name}: {_shown(name)}" for name in reversed(PRESETS)} | {"": "my own choice"}
        self._set = select("Operators", sets, given if given in sets else "")
        self._own = text_field("Names between commas", given, hint="+,*,exp,sqrt for example")
        self._own.box.set_visibility(not self._set.value)
        self._set.on_change(lambda: self._own.box.set_visibility(not self._set.value))
        self._plan = plan

    def show_seed(self) -> None:
        """The seed, where nobody who does not look for it meets it."""
        with folded("Seed"):
            hint = "The same seed gives the same law, unless time cuts the search short."
            self._seed = number("Seed", 0 if self._plan is None else self._plan.seed, least=0, most=2**31, hint=hint)

    def values(self) -> dict[str, Any]:
        """As a plan has them; operators that are not known are an error here."""
        told = self._set.value or self._own.value
        names = tuple(name for part in told.split(",") if (name := part.strip())) or (PRESET,)
        operators_of(*names)
        limit = float(self._time.value) if self._time.value else float(self._other.value)
        return {"time_limit": limit, "operators": names, "seed": int(self._seed.value)}


PRESET: Final = "physics"


def _shown(preset: str) -> str:
    return " ".join({"powi": "powers", "^": "x^C"}.get(name, name) for name in PRESETS[preset])
