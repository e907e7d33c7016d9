"""The form for laws of motion: which column holds the times, which tells runs apart, and which are the states."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from scalesr.app.pages.columns import NUMBERS, bars, draw_pairs, pair_picture
from scalesr.app.pages.frame import tell
from scalesr.app.pages.limits import LimitFields
from scalesr.app.parts import button, checkbox, element, heading, paragraph, section, select, table
from scalesr.errors import ScaleSRError
from scalesr.runs.plan import Plan

if TYPE_CHECKING:
    from scalesr.app.pages.run import RunPage

TIME_NAMES: Final = ("t", "time", "times", "seconds", "hours", "days", "year", "date")
RUN_NAMES: Final = ("run", "trajectory", "id", "series", "experiment")


class MotionForm:
    """Times, runs and states."""

    def __init__(self, page: RunPage, known: dict[str, Any]) -> None:
        plan = page.run.plan
        self._page, self._sample = page, known["sample"]
        self._columns = [one for one in known["columns"] if one["kind"] in NUMBERS]
        self._names = [str(one["name"]) for one in self._columns]
        self._plan = plan if plan is not None and plan.kind == "motion" else None

    def show(self) -> None:
        """Build the form."""
        plan = self._plan
        lower = {name.lower(): name for name in self._names}
        first = next((lower[name] for name in TIME_NAMES if name in lower), self._names[0])
        runs = next((lower[name] for name in RUN_NAMES if name in lower), "")
        options = {name: name for name in self._names}
        paragraph("How each state changes with time, as a formula of all states.", classes="hint")
        with element("div", classes="fields"):
            self._time = select("Column of times", options, plan.time if plan else first)
            self._runs = select(
                "Column that tells runs apart", {"": "one run"} | options, plan.trajectory if plan else runs
            )
            orders = {"1": "first: x' = f(x)", "2": "second: x'' = f(x, x')"}
            hint = "Second, where positions were measured and no rates."
            self._order = select("Order", orders, str(plan.order) if plan else "1", hint=hint)
            self._limits = LimitFields(plan)
        heading("States", 3)
        with element("div", classes="fields"):
            chosen = plan.states if plan else [name for name in self._names if name not in (first, runs)]
            self._marks = {name: checkbox(name, name in chosen) for name in self._names}
        self._limits.show_seed()
        button("Find the laws of motion", self._ask, classes="main big")
        with section("The columns"):
            lines = [[one["name"], one["least"], one["most"], one["missing"], bars(one)] for one in self._columns]
            table(["column", "from", "to", "missing", "values"], lines, caption="The columns", classes="cards")
        with section("Trajectories"):
            self._pictures = element("div", classes="pictures small-ones")
        for field in (self._time, self._runs, *self._marks.values()):
            field.on_change(self._draw)
        self._draw()

    def _draw(self) -> None:
        """Each state over time, and one state against the next."""
        states = self._states()
        self._pictures.clear()
        with self._pictures:
            over_time, against = element("div", classes="as-parts"), element("div", classes="as-parts")
        with over_time:
            for state in states:
                if {state, self._time.value} <= set(self._sample):
                    pair_picture(self._sample[self._time.value], self._sample[state], f"{state} over time")
        if len(states) > 1:
            draw_pairs(against, self._sample, states[:1], states[1])

    def _states(self) -> tuple[str, ...]:
        special = (self._time.value, self._runs.value)
        return tuple(name for name, mark in self._marks.items() if mark.value and name not in special)

    async def _ask(self) -> None:
        try:
            plan = Plan(
                kind="motion", time=self._time.value, trajectory=self._runs.value, states=self._states(),
                order=int(self._order.value), **self._limits.values(),
            )  # fmt: skip
        except ScaleSRError as error:
            tell(str(error))
        else:
            await self._page.begin(plan)
