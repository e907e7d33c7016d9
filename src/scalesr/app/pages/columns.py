"""The columns of a table as they were understood: kinds, ranges, missing cells, units and histograms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from scalesr.app import charts
from scalesr.app.parts import checkbox, element, paragraph, section, table, text_field, trusted

NUMBERS: Final = ("number", "constant")
MOST_PAIRS: Final = 8  # columns that are drawn against one other


class ColumnChoice:
    """Which columns a law may use, with their units; what a column is used for otherwise stands in its line."""

    def __init__(self, columns: Sequence[dict[str, Any]], features: Sequence[str], units: dict[str, str]) -> None:
        """`features` are those to begin with; none: those that the library would take."""
        self._columns = columns
        self.told_units = {str(one["name"]): str(one.get("unit", "")) for one in columns}
        usable = {str(one["name"]): bool(one.get("usable", one["kind"] in NUMBERS)) for one in columns}
        self._chosen = {name: name in features if features else is_usable for name, is_usable in usable.items()}
        self._units = self.told_units | units
        self._roles: dict[str, str] = {}
        self._places: dict[str, tuple[Any, Any]] = {}  # by name: the mark, and the words that stand for it

    def show(self) -> None:
        """The columns in a table, with a mark and a unit for each."""
        with section("The columns"):
            paragraph(
                "Uncheck the columns that the law may not use. Units are optional; with them, laws that are "
                "dimensionally wrong are ruled out.",
                classes="hint",
            )
            heads = ["column", "may be used", "unit", "kind", "from", "to", "missing", "values"]
            table(heads, [self._line(one) for one in self._columns], caption="The columns", classes="cards")

    def used(self) -> tuple[str, ...]:
        """The columns that the law may use."""
        return tuple(name for name, chosen in self._chosen.items() if chosen and name not in self._roles)

    def units(self, names: Sequence[str]) -> dict[str, str]:
        """The units of some columns."""
        return {name: self._units.get(name, "") for name in names}

    def set_roles(self, roles: dict[str, str]) -> None:
        """Columns that are used for something else, and what for."""
        before, self._roles = self._roles, roles
        for name in {*before, *roles}:
            if name in self._places:
                mark, words = self._places[name]
                mark.set_visibility(name not in roles)
                words._text = roles.get(name, "")
                words.update()

    def _line(self, column: dict[str, Any]) -> list[Any]:
        name, kind = str(column["name"]), str(column["kind"])
        is_usable = kind in (*NUMBERS, "date") or bool(column.get("usable"))
        return [
            name,
            self._mark(name) if is_usable else self._words(name),
            self._unit(name) if kind in NUMBERS else "",
            kind + (f", such as {column['example']}" if kind == "text" else ""),
            column.get("least", ""),
            column.get("most", ""),
            column["missing"],
            bars(column),
        ]

    def _mark(self, name: str) -> Callable[[], None]:
        def put() -> None:
            field = checkbox(f"use {name}", self._chosen[name])
            field.label.classes("away")
            self._places[name] = (field.box, element("span", ""))

            def changed() -> None:
                self._chosen[name] = field.value

            field.on_change(changed)

        return put

    def _words(self, name: str) -> Callable[[], None]:
        def put() -> None:
            self._places[name] = (element("span", ""), element("span", ""))

        return put

    def _unit(self, name: str) -> Callable[[], None]:
        def put() -> None:
            field = text_field(f"unit of {name}", self._units.get(name, ""))
            field.label.classes("away")
            field.box.classes("unit")

            def changed() -> None:
                self._units[name] = field.value

            field.on_change(changed)

        return put


def bars(column: dict[str, Any]) -> Any:
    """The histogram of a column, where it has one."""
    if "counts" not in column:
        return ""
    return lambda: trusted(charts.histogram(column["edges"], column["counts"]))


def draw_pairs(place: Any, sample: dict[str, Any], across: Sequence[str], up: str) -> None:
    """One column against others, in small pictures."""
    place.clear()
    if up not in sample:
        return
    with place:
        for name in [one for one in across if one in sample and one != up][:MOST_PAIRS]:
            pair_picture(sample[name], sample[up], f"{up} against {name}")


def pair_picture(across: Sequence[float | None], up: Sequence[float | None], caption: str) -> None:
    """One column against another."""
    with element("figure"):
        trusted(charts.pair(across, up, caption))
        element("figcaption", caption)
