"""Slices: the law along one variable, with a slider for every other one, and over two as a surface."""

from __future__ import annotations

from typing import Any

from scalesr.app import charts
from scalesr.app.laws import Shown
from scalesr.app.parts import Field, button, chart, element, paragraph, section, select, slider


def show_along(found: Shown) -> None:
    """The law along each of its variables."""
    if not found.used:
        return
    with section("Variable by variable"):
        others = ", the others are held where their sliders stand" if len(found.used) > 1 else ""
        paragraph(f"One variable moves{others}. The dots are rows, moved by the law to the same setting.")
        _Slices(found)


class _Slices:
    """What is held, and what moves."""

    def __init__(self, found: Shown) -> None:
        self._found = found
        self._held = [float(value) for value in found.view["middle"]]
        options = {str(column): found.names[column] for column in found.used}
        with element("div", classes="fields"):
            self._moving = select("Moving", options, str(found.used[0])).on_change(self._move)
            self._sliders = {column: self._slider(column) for column in found.used} if len(found.used) > 1 else {}
        self._show_sliders()
        self._drawn = chart(self._figure(), "The law along the moving variable")
        if len(found.used) > 1:
            self._surface(options)

    def _move(self) -> None:
        self._show_sliders()
        self._draw()

    def _show_sliders(self) -> None:
        """A slider for each variable that is held."""
        for column, field in self._sliders.items():
            field.box.set_visibility(column != int(self._moving.value))

    def _slider(self, column: int) -> Field:
        view = self._found.view
        least, most = float(view["least"][column]), float(view["most"][column])
        field = slider(self._found.names[column], self._held[column], least=least, most=most)

        def moved() -> None:
            self._held[column] = field.value
            self._draw()

        return field.on_change(moved)

    def _figure(self) -> charts.Figure:
        column = int(self._moving.value)
        x, y = self._found.along(self._found.discovery.equation, column, self._held)
        rows = [row[column] for row in self._found.view["X"]]
        dots = charts.scatter(rows, self._found.moved_rows(column, self._held), colour=charts.FAINT)
        return charts.figure([dots, charts.line(x, y)], self._found.names[column], self._found.target)

    def _draw(self) -> None:
        self._drawn.update_figure(self._figure())

    def _surface(self, options: dict[str, str]) -> None:
        """A surface over two variables, drawn when it is asked for."""
        first, second = list(options)[:2]
        with element("div", classes="fields"):
            one = select("Surface over", options, first)
            two = select("and", options, second)
            button("Draw the surface", lambda: self._draw_surface(place, one, two))
        place = element("div")
        if len(options) == 2:
            self._draw_surface(place, one, two)

    def _draw_surface(self, place: Any, one: Field, two: Field) -> None:
        place.clear()
        with place:
            if one.value == two.value:
                paragraph("Choose two different variables.")
                return
            names = (self._found.names[int(one.value)], self._found.names[int(two.value)])
            x, y, z = self._found.over(int(one.value), int(two.value), self._held)
            chart(charts.surface(x, y, z, names, self._found.target), f"The law over {names[0]} and {names[1]}")
