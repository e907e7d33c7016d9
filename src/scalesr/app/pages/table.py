"""What was understood of a table, to be corrected, and the little that a search has to be told."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from scalesr.app import charts
from scalesr.app.pages.frame import tell
from scalesr.app.parts import (
    Field,
    button,
    chart,
    checkbox,
    element,
    folded,
    heading,
    listed,
    number,
    paragraph,
    section,
    select,
    table,
    text_field,
    trusted,
)
from scalesr.errors import ScaleSRError
from scalesr.estimators.plugins import operators_of
from scalesr.expr.operators import PRESETS
from scalesr.runs.plan import LONGEST, TIME_LIMIT, Plan

if TYPE_CHECKING:
    from scalesr.app.pages.run import RunPage

TIMES: Final = {"10": "10 seconds", "60": "1 minute", "300": "5 minutes", "3600": "1 hour", "": "other"}
MOST_PAIRS: Final = 8  # columns that are drawn against the target
TIME_NAMES: Final = ("t", "time", "times", "seconds", "hours", "days", "year", "date")
RUN_NAMES: Final = ("run", "trajectory", "id", "series", "experiment")


def show_form(page: RunPage) -> None:
    """The table as it was read, and the form that asks for its law."""
    known, plan = page.run.values("understood"), page.run.plan
    if known is None:
        paragraph("The table was not understood.")
        return
    paragraph(known["description"])
    listed(known["notes"])
    numbers = [column for column in known["columns"] if column["kind"] in ("number", "constant")]
    if len(numbers) < 2:
        paragraph("A law needs two columns of numbers, and this table has fewer.")
        return
    wanted = "motion" if _is_motion(plan, numbers) else "table"
    kinds = {"table": "a law for one column", "motion": "laws of motion of trajectories"}
    with element("div", classes="fields"):
        kind = select("Look for", kinds, wanted)
    body = element("div")

    def rebuild() -> None:
        body.clear()
        with body:
            (_TableForm if kind.value == "table" else _MotionForm)(page, known, numbers).show()

    kind.on_change(rebuild)
    rebuild()


def _is_motion(plan: Plan | None, numbers: list[dict[str, Any]]) -> bool:
    """Whether trajectories are meant: the plan says so, or a column of times stands before others."""
    if plan is not None:
        return plan.kind == "motion"
    names = [str(column["name"]).lower() for column in numbers]
    return any(name in TIME_NAMES for name in names[:2]) and any(name in RUN_NAMES for name in names[:2])


class _Limits:
    """How long to look, with which operators and from which seed."""

    def __init__(self, plan: Plan | None) -> None:
        limit = TIME_LIMIT if plan is None else plan.time_limit
        known = f"{limit:g}" if f"{limit:g}" in TIMES else ""
        self._time = select("Time at most", TIMES, known, hint="It ends earlier when the law is sure.")
        self._other = number("Other time (seconds)", limit, least=0.1, most=LONGEST)
        self._other.box.set_visibility(not known)
        self._time.on_change(lambda: self._other.box.set_visibility(not self._time.value))
        with folded("More settings"):
            given = "physics" if plan is None else ",".join(plan.operators)
            hint = f"{', '.join(PRESETS)}, or names with commas: +,*,exp,sqrt"
            self._operators = text_field("Operators", given, hint=hint)
            self._seed = number("Seed", 0 if plan is None else plan.seed, least=0, most=2**31)

    def values(self) -> dict[str, Any]:
        """As a plan has them; operators that are not known are an error here."""
        names = tuple(name for part in self._operators.value.split(",") if (name := part.strip())) or ("physics",)
        operators_of(*names)
        limit = float(self._time.value) if self._time.value else float(self._other.value)
        return {"time_limit": limit, "operators": names, "seed": int(self._seed.value)}


class _Known:
    """What is known of the law before it is found, as the command line takes it."""

    def __init__(self, plan: Plan | None, columns: list[dict[str, Any]]) -> None:
        old = Plan(target="y") if plan is None else plan
        names = {str(column["name"]): str(column["name"]) for column in columns}
        chosen = old.groups if old.groups in names else ""
        with folded("What you know"):
            self._units = text_field("Units", old.units, hint="m=kg,v=m/s,E=J: of every column, or none")
            self._groups = select("Groups of rows", {"": "none"} | names, chosen, hint="Constants may differ by it.")
            self._start = text_field("Formulas to begin from", "; ".join(old.start), hint="k*m1*m2/r^2; a*x")
            self._template = text_field("Template", old.template, hint="a*f(x) + g(y, z)")
            self._constraints = text_field(
                "Constraints", "; ".join(old.constraints), hint="increasing in x; f(x=0) = 0"
            )  # fmt: skip

    def values(self) -> dict[str, Any]:
        """As a plan has them."""
        return {
            "units": self._units.value.strip(),
            "groups": self._groups.value,
            "start": _parts(self._start.value),
            "template": self._template.value.strip(),
            "constraints": _parts(self._constraints.value),
        }


def _parts(text: str) -> tuple[str, ...]:
    """What stands between semicolons."""
    return tuple(part.strip() for part in text.split(";") if part.strip())


class _TableForm:
    """Which column the law is for, and which it may use."""

    def __init__(self, page: RunPage, known: dict[str, Any], numbers: list[dict[str, Any]]) -> None:
        self._page, self._known, self._numbers, self._plan = page, known, numbers, page.run.plan
        names = [str(column["name"]) for column in numbers]
        plan = self._plan if self._plan is not None and self._plan.kind == "table" else None
        self._chosen = {name: plan is None or not plan.features or name in plan.features for name in names}
        self._first = plan.target if plan is not None and plan.target in names else names[-1]
        self._weights = plan.weights if plan is not None else ""

    def show(self) -> None:
        """Build the form."""
        options = {name: name for name in self._chosen}
        with element("div", classes="fields"):
            target = select("Column that the law is for", options, self._first)
            weights = select("Weights of the rows", {"": "all alike"} | options, self._weights)
            limits = _Limits(self._plan)
            known = _Known(self._plan, self._known["columns"])
        button("Find the law", self._asked(target, weights, limits, known), classes="main big")
        with section("The columns"):
            paragraph("Clear the mark of what the law may not use.", classes="hint")
            table(["column", "used", "kind", "from", "to", "missing", "values"], self._lines(), caption="The columns")
        self._pairs(target)

    def _lines(self) -> list[list[Any]]:
        return [
            [
                column["name"],
                self._mark(str(column["name"])) if column["name"] in self._chosen else "",
                column["kind"] + (f", such as {column['example']}" if column["kind"] == "text" else ""),
                column.get("least", ""),
                column.get("most", ""),
                column["missing"],
                _bars(column),
            ]
            for column in self._known["columns"]
        ]

    def _mark(self, name: str) -> Callable[[], None]:
        def put() -> None:
            field = checkbox(f"use {name}", self._chosen[name])
            field.label.classes("away")

            def changed() -> None:
                self._chosen[name] = field.value

            field.on_change(changed)

        return put

    def _pairs(self, target: Field) -> None:
        """The column of the law against each other one."""
        sample = self._known["sample"]
        with section("Pair by pair"):
            place = element("div", classes="pictures small-ones")

        def draw() -> None:
            place.clear()
            others = [name for name in sample if name != target.value][:MOST_PAIRS]
            if target.value in sample:
                with place:
                    for name in others:
                        drawn = charts.pair(sample[name], sample[target.value], (name, target.value))
                        chart(drawn, f"{target.value} against {name}")

        draw()
        target.on_change(draw)

    def _asked(self, target: Field, weights: Field, limits: _Limits, known: _Known) -> Callable[[], Any]:
        async def ask() -> None:
            try:
                told = known.values()
                taken = (target.value, weights.value, told["groups"])
                used = tuple(name for name, chosen in self._chosen.items() if chosen and name not in taken)
                if not used:
                    tell("Mark at least one column that the law may use.")
                    return
                plan = Plan(target=target.value, features=used, weights=weights.value, **told, **limits.values())
            except ScaleSRError as error:
                tell(str(error))
            else:
                await _begin(self._page, plan)

        return ask


class _MotionForm:
    """Which column holds the times, which tells runs apart, and which are the states."""

    def __init__(self, page: RunPage, known: dict[str, Any], numbers: list[dict[str, Any]]) -> None:
        del known
        self._page, self._plan = page, page.run.plan
        self._names = [str(column["name"]) for column in numbers]

    def show(self) -> None:
        """Build the form."""
        plan = self._plan if self._plan is not None and self._plan.kind == "motion" else None
        lower = {name.lower(): name for name in self._names}
        first = next((lower[name] for name in TIME_NAMES if name in lower), self._names[0])
        runs = next((lower[name] for name in RUN_NAMES if name in lower), "")
        options = {name: name for name in self._names}
        with element("div", classes="fields"):
            time = select("Column of times", options, plan.time if plan else first)
            trajectory = select(
                "Column that tells runs apart", {"": "one run"} | options, plan.trajectory if plan else runs
            )
            orders = {"1": "x' = f(x)", "2": "x'' = f(x, x'), where rates were not measured"}
            order = select("Order", orders, str(plan.order) if plan else "1")
            limits = _Limits(plan)
        heading("States", 3)
        with element("div", classes="fields"):
            marks = {
                name: checkbox(name, name in plan.states if plan else name not in (first, runs)) for name in self._names
            }

        async def ask() -> None:
            states = tuple(
                name for name, mark in marks.items() if mark.value and name not in (time.value, trajectory.value)
            )
            try:
                plan = Plan(
                    kind="motion", time=time.value, trajectory=trajectory.value, states=states, order=int(order.value),
                    **limits.values(),
                )  # fmt: skip
            except ScaleSRError as error:
                tell(str(error))
            else:
                await _begin(self._page, plan)

        button("Find the laws of motion", ask, classes="main big")


async def _begin(page: RunPage, plan: Plan) -> None:
    """Begin anew where something else is asked for; the same, with more or less time, goes on."""
    page.run.restart(plan)
    await page.find()


def _bars(column: dict[str, Any]) -> Any:
    if "counts" not in column:
        return ""
    return lambda: trusted(charts.histogram(column["edges"], column["counts"]))
