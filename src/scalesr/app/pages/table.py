"""What was understood of a table, to be corrected, and the little that a search has to be told."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from scalesr.app.pages.columns import NUMBERS, ColumnChoice, draw_pairs
from scalesr.app.pages.frame import tell
from scalesr.app.pages.limits import LimitFields
from scalesr.app.pages.trajectories import RUN_NAMES, TIME_NAMES, MotionForm
from scalesr.app.parts import (
    button,
    element,
    folded,
    listed,
    paragraph,
    section,
    select,
    tabs,
    text_field,
    text_lines,
)
from scalesr.errors import ScaleSRError
from scalesr.estimators.units import named_units
from scalesr.runs.find import require_sense
from scalesr.runs.plan import Plan, units_text

if TYPE_CHECKING:
    from scalesr.app.pages.run import RunPage

KINDS: Final = {"table": "A law for one column", "motion": "Laws of motion of trajectories"}


def show_form(page: RunPage) -> None:
    """The table as it was read, and the form that asks for its law."""
    known, plan = page.run.values("understood"), page.run.plan
    if known is None:
        paragraph("The table was not understood.")
        return
    paragraph(known["description"])
    listed(known["notes"])
    numbers = [column for column in known["columns"] if column["kind"] in NUMBERS]
    if not numbers or len(known["columns"]) < 2:
        paragraph("A law needs a column of numbers and another one that it may use; this table has fewer.")
        return
    kind = tabs("What to look for", KINDS, "motion" if _is_motion(plan, numbers) else "table")
    body = element("div")

    def rebuild() -> None:
        body.clear()
        with body:
            (TableForm if kind.value == "table" else MotionForm)(page, known).show()

    kind.on_change(rebuild)
    rebuild()


def _is_motion(plan: Plan | None, numbers: list[dict[str, Any]]) -> bool:
    """Whether trajectories are meant: the plan says so, or a column of times stands before others."""
    if plan is not None:
        return plan.kind == "motion"
    names = [str(column["name"]).lower() for column in numbers]
    return any(name in TIME_NAMES for name in names[:2]) and any(name in RUN_NAMES for name in names[:2])


class TableForm:
    """Which column the law is for, which it may use, and what is known of it."""

    def __init__(self, page: RunPage, known: dict[str, Any]) -> None:
        self._page, self._columns, self._sample = page, known["columns"], known["sample"]
        plan = page.run.plan
        self._numbers = [str(one["name"]) for one in self._columns if one["kind"] in NUMBERS]
        is_known = plan is not None and plan.kind == "table" and plan.target in self._numbers
        self._plan = plan if plan is not None and is_known else Plan(target=self._numbers[-1])

    def show(self) -> None:
        """Build the form."""
        plan = self._plan
        with element("div", classes="fields"):
            self._target = select("Column that the law is for", {one: one for one in self._numbers}, plan.target)
            self._limits = LimitFields(plan)
        self._show_rows()
        self._show_known()
        self._limits.show_seed()
        button("Find the law", self._ask, classes="main big")
        given = {} if plan.units == "none" else dict(named_units(plan.units))
        self._used = ColumnChoice(self._columns, plan.features, given)
        self._used.show()
        with section("Pair by pair"):
            self._pairs = element("div", classes="pictures small-ones")
        for field in (self._target, self._weights, self._groups, self._error):
            field.on_change(self._tell_roles)
        self._target.on_change(self._draw_pairs)
        self._tell_roles()
        self._draw_pairs()

    def _show_rows(self) -> None:
        """What some columns say of the rows."""
        plan = self._plan
        numbers = {one: one for one in self._numbers}
        labels = {str(one["name"]): str(one["name"]) for one in self._columns if one["kind"] in (*NUMBERS, "text")}
        with (
            folded("Weights, groups and errors of the rows", is_open=bool(plan.weights or plan.groups or plan.y_error)),
            element("div", classes="fields"),
        ):
            self._weights = select("Weights of the rows", {"": "all alike"} | numbers, plan.weights)
            hint = "The law has one form and constants of its own for each group."
            self._groups = select("Column that tells groups apart", {"": "no groups"} | labels, plan.groups, hint=hint)
            errors = {"": "not known"} | numbers
            self._error = select("Standard error of the target", errors, plan.y_error if plan.y_error in errors else "")

    def _show_known(self) -> None:
        """What is known of the law."""
        plan = self._plan
        with folded("What you know of the law", is_open=bool(plan.template or plan.start or plan.constraints)):
            self._template = text_field(
                "A law with holes", plan.template, placeholder="a*f(x) + g(y, z)",
                hint="f, g, ... are found; x, y, z are columns; other names are constants.",
            )  # fmt: skip
            self._start = text_lines(
                "Formulas to begin from, one in each line", plan.start, placeholder="k*m1*m2/r^2",
                hint="Names that are not columns are constants to be fitted.",
            )  # fmt: skip
            self._constraints = text_lines(
                "What the law obeys, one in each line", plan.constraints, placeholder="increasing in x",
                hint="Also: f(x=0) = 0, positive, no exp inside exp.",
            )  # fmt: skip

    def _tell_roles(self) -> None:
        """Say in the line of a column what it is used for."""
        fields = {"groups": self._groups, "error of the target": self._error, "weights": self._weights}
        roles = {field.value: role for role, field in fields.items() if field.value}
        self._used.set_roles(roles | {self._target.value: "the law is for it"})

    def _draw_pairs(self) -> None:
        draw_pairs(self._pairs, self._sample, list(self._sample), self._target.value)

    def _planned(self) -> Plan:
        target, used = self._target.value, self._used.used()
        units = self._used.units([one for one in (*used, target) if one in self._numbers])
        return Plan(
            target=target, features=used, weights=self._weights.value, groups=self._groups.value,
            y_error=self._error.value, template=self._template.value.strip(), start=_lines(self._start.value),
            constraints=_lines(self._constraints.value),
            units=units_text(units, self._used.told_units), **self._limits.values(),
        )  # fmt: skip

    async def _ask(self) -> None:
        if not self._used.used():
            tell("Mark at least one column that the law may use.")
            return
        try:
            plan = self._planned()
            has_dates = any(one["kind"] == "date" and one["name"] in plan.features for one in self._columns)
            names = [one for one in plan.features if one in self._numbers]
            await asyncio.to_thread(require_sense, plan, [] if has_dates else names)
        except ScaleSRError as error:
            tell(str(error))
        else:
            await self._page.begin(plan)


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line for part in text.splitlines() if (line := part.strip()))
