"""Law and rows: agreement, residuals, and the Pareto front whose laws can be compared with the chosen one."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable
from typing import Any, Final

from nicegui import ui

from scalesr.app import charts
from scalesr.app.laws import Shown, equation_html
from scalesr.app.parts import SENT, button, chart, element, law_box, listed, paragraph, section, table, trusted
from scalesr.records.discovery import Law

MOST_NATS: Final = 10.0  # of which people are told how many times more probable one law is than another


class RowsView:
    """The rows that a page shows, and the law that the one that was found is compared with."""

    def __init__(self, found: Shown) -> None:
        self._found = found
        discovery, view = found.discovery, found.view
        self._law, self._y = found.on_rows(discovery.equation), view["y"]
        with section("Law and table"):
            explained = view["explained"]
            share = "" if explained is None else f" and explains {explained:.4%} of the variance"
            without = f" On {view['n_without']} more rows the law has no value." if view["n_without"] else ""
            paragraph(f"On {view['n_rows']} rows the law errs by {view['error']:.4g}{share}.{without}")
            paragraph(view["left"])
            listed(view.get("notes", []))
            with element("div", classes="pictures"):
                chart(self._drawn(charts.agreement), "Table against law; on the line they agree")
                chart(self._drawn(charts.residuals), "What the law leaves of each row")
                chart(charts.residual_histogram(self._law, self._y), "How often each residual occurs")

    def show_front(self) -> None:
        """The Pareto front; a click on a dot, or the button in its line, compares that law."""
        laws = list(self._found.discovery.front)
        best = _place(laws, self._found.discovery.law)
        points = _points(laws)
        with section("The Pareto front"):
            paragraph(
                "No formula that was tried is both simpler and closer to the rows than one of these.", classes="hint"
            )
            drawn = chart(charts.front(points, best=best), "Error against complexity; the law is the large dot")
            place_of_comparison = element("div", role="status")

            async def compare(place: int) -> None:
                drawn.update_figure(charts.front(points, best=best, chosen=place))
                await self._compare(laws, place, place_of_comparison)

            drawn.on("plotly_click", lambda event: compare(int(event.args)), js_handler=_CLICKED)
            lines = [
                [_button(place, compare), law.complexity, math.sqrt(law.loss), _formula(law, self._found.target)]
                for place, law in enumerate(laws)
            ]
            table(["", "complexity", "error", "law"], lines, caption="Laws on the Pareto front", chosen=best)

    async def _compare(self, laws: list[Law], place: int, where: Any) -> None:
        """The law and what the rows say of it, then the pictures."""
        if not 0 <= place < len(laws):
            return
        other, own = laws[place], self._found.discovery.law
        where.clear()
        with where:
            law_box(equation_html(other.equation, self._found.target))
            ratio = math.sqrt(other.loss / own.loss) if own.loss > 0 else math.inf
            times = f", {ratio:.3g} times that of the law" if math.isfinite(ratio) else ""
            paragraph(
                f"Complexity {other.complexity}, error {math.sqrt(other.loss):.4g}{times}. {_preference(own, other)}"
            )
            pictures = element("div", classes="pictures")
        await asyncio.sleep(SENT)
        if pictures.is_deleted:  # another law was asked for meanwhile
            return
        with pictures:
            chart(self._drawn(charts.agreement, other), "Table against both laws; on the line they agree")
            chart(self._drawn(charts.residuals, other), "What each law leaves of each row")
        ui.run_javascript(f"getHtmlElement({where.id})?.scrollIntoView({{block: 'nearest'}})")

    def _drawn(self, draw: Callable[..., charts.Figure], other: Law | None = None) -> charts.Figure:
        told = None if other is None else (f"complexity {other.complexity}", self._found.on_rows(other.equation))
        return draw(self._law, self._y, self._found.target, other=told)


def _preference(own: Law, other: Law) -> str:
    """Which of two laws the rows prefer, and how much."""
    nats = own.score - other.score
    if nats == 0:
        return "It is the law itself."
    times = f", which is {math.exp(abs(nats)):.2g} times as probable" if abs(nats) < MOST_NATS else ""
    return f"The rows prefer {'it' if nats > 0 else 'the law'} by {abs(nats):.3g} nats{times}."


_CLICKED = "(event) => emit(event.points[0].pointIndex)"


def _place(laws: list[Law], best: Law) -> int | None:
    return next((place for place, law in enumerate(laws) if law.equation == best.equation), None)


def _points(laws: list[Law]) -> list[dict[str, Any]]:
    return [
        {"complexity": law.complexity, "error": math.sqrt(law.loss), "law": str(law.equation.rounded())} for law in laws
    ]


def _formula(law: Law, target: str) -> Callable[[], None]:
    return lambda: trusted(equation_html(law.equation, target), classes="small")


def _button(place: int, compare: Callable[[int], Awaitable[None]]) -> Callable[[], None]:
    return lambda: button("Compare", lambda: compare(place))
