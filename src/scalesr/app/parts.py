"""Small parts of a page, of native elements: every browser knows how to reach them by keyboard and read them aloud.

Texts are set as text and never as HTML; the one way to HTML is `trusted`, for what report/ has made and escaped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final
from uuid import uuid4

from nicegui import ui

from scalesr.visible import visible

Handler = Callable[..., Any]
VALUE = "(e) => emit(e.target.value)"
CHECKED = "(e) => emit(e.target.checked)"
SENT: Final = 0.05  # seconds in which what was made is sent to the browser, before more is made


def element(tag: str, text: str | None = None, *, classes: str = "", **attributes: Any) -> Any:
    """An element with its text and attributes; names of attributes are ours, never somebody's data."""
    made = ui.element(tag)
    if text is not None:
        made._text = visible(text)
    made.props.update({name.strip("_").replace("_", "-"): value for name, value in attributes.items()})
    return made.classes(classes) if classes else made


def trusted(content: str, *, classes: str = "") -> Any:
    """HTML that our report made; the browser cleans it once more."""
    return ui.html(content).classes(classes)


def law_box(content: str) -> Any:
    """A law in mathematical type, in a box of its own that can be scrolled by keyboard where it is long."""
    made = trusted(content, classes="law")
    made.props.update({"tabindex": 0, "role": "group", "aria-label": "the law"})
    return made


def in_words(seconds: float) -> str:
    """A time as people say it."""
    for size, one, many in ((3600, "hour", "hours"), (60, "minute", "minutes")):
        if seconds >= size:
            count = round(seconds / size, 1)
            return f"{count:g} {one if count == 1 else many}"
    return f"{seconds:.3g} s" if seconds < 10 else f"{seconds:.0f} s"


def paragraph(text: str, *, classes: str = "") -> Any:
    """A paragraph of plain text."""
    return element("p", text, classes=classes)


def heading(text: str, level: int = 2) -> Any:
    """A heading of a part of the page."""
    return element(f"h{level}", text)


def button(text: str, handler: Handler | None = None, *, classes: str = "", **attributes: Any) -> Any:
    """A button that does something here."""
    made = element("button", text, classes=classes, type="button", **attributes)
    if handler is not None:
        made.on("click", handler, args=[])
    return made


def link(text: str, to: str, *, classes: str = "", **attributes: Any) -> Any:
    """A link to another page or file."""
    return element("a", text, classes=classes, href=to, **attributes)


class Field:
    """A labelled control whose value is known here."""

    def __init__(self, label: str, value: Any, *, hint: str = "") -> None:
        self.value, self._listeners = value, list[Callable[[], Any]]()
        self.key = f"f{uuid4().hex[:8]}"
        self.box = element("div", classes="field")
        with self.box:
            self.label = element("label", label, for_=self.key)
            self.control: Any = None
        self._hint = hint

    def _listen(self, event: str, script: str, convert: Callable[[Any], Any], throttle: float = 0.0) -> None:
        def changed(event: Any) -> Any:
            try:
                self.value = convert(event.args)
            except (TypeError, ValueError):
                return None
            with self.control.props.suspend_updates():
                self.control.props["checked" if isinstance(self.value, bool) else "value"] = self.value
            results = [listener() for listener in self._listeners]
            return results[-1] if results else None

        self.control.on(event, changed, js_handler=script, throttle=throttle)
        if self._hint:
            with self.box:
                element("span", self._hint, classes="hint")

    def on_change(self, listener: Callable[[], Any]) -> Field:
        """Call something after each change."""
        self._listeners.append(listener)
        return self


def select(label: str, options: Mapping[str, str], value: str, *, hint: str = "") -> Field:
    """A choice of one; `options` are texts by their values."""
    field = Field(label, value, hint=hint)
    with field.box:
        field.control = element("select", id=field.key, value=value)
        with field.control:
            for one, text in options.items():
                element("option", text, value=one, **_if(one == value, "selected"))
    field._listen("change", VALUE, lambda given: given if given in options else field.value)
    return field


def tabs(label: str, options: Mapping[str, str], value: str) -> Field:
    """A choice of one that decides what is shown below."""
    field = Field(label, value)
    field.box.delete()
    with element("div", classes="tabs", role="tablist", aria_label=label):
        made = {
            one: element("button", text, type="button", role="tab", aria_selected=_said(one == value))
            for one, text in options.items()
        }

    def chosen(one: str) -> Callable[[], None]:
        def choose() -> None:
            field.value = one
            for name, tab in made.items():
                tab.props["aria-selected"] = _said(name == one)
                tab.update()
            for listener in field._listeners:
                listener()

        return choose

    for one, tab in made.items():
        tab.on("click", chosen(one), args=[])
    return field


def _said(is_so: bool) -> str:
    return "true" if is_so else "false"


def number(label: str, value: float, *, least: float, most: float, hint: str = "") -> Field:
    """A number between two others."""
    field = Field(label, value, hint=hint)
    with field.box:
        field.control = element("input", id=field.key, type="number", min=least, max=most, step="any", value=value)
    field._listen("input", VALUE, lambda given: min(max(float(given), least), most))
    return field


def text_field(label: str, value: str = "", *, hint: str = "", placeholder: str = "") -> Field:
    """A line of text."""
    field = Field(label, value, hint=hint)
    with field.box:
        field.control = element(
            "input", id=field.key, type="text", value=value, spellcheck="false", autocomplete="off", maxlength=2000,
            placeholder=placeholder,
        )  # fmt: skip
    field._listen("input", VALUE, str)
    return field


def text_lines(label: str, lines: Sequence[str], *, hint: str = "", placeholder: str = "") -> Field:
    """Texts, one in each line; the value is all of them."""
    field = Field(label, "\n".join(lines), hint=hint)
    with field.box:
        field.control = element(
            "textarea", id=field.key, rows=2, spellcheck="false", maxlength=20_000, placeholder=placeholder,
            value=field.value,
        )  # fmt: skip
    field._listen("input", VALUE, str)
    return field


def slider(label: str, value: float, *, least: float, most: float) -> Field:
    """A number that is moved between two others, with its value beside it."""
    field = Field(label, value)
    with field.box:
        field.control = element("input", id=field.key, type="range", min=least, max=most, step="any", value=value)
        shown = element("output", f"{value:.4g}", for_=field.key)
    field._listen("input", VALUE, lambda given: min(max(float(given), least), most), throttle=0.08)

    def show() -> None:
        shown._text = f"{field.value:.4g}"
        shown.update()

    return field.on_change(show)


def checkbox(label: str, value: bool) -> Field:
    """Yes or no."""
    field = Field(label, value)
    field.box.classes("check")
    with field.box:
        field.control = element("input", id=field.key, type="checkbox", **_if(value, "checked"))
    field._listen("change", CHECKED, bool)
    return field


def _if(is_so: bool, name: str) -> dict[str, Any]:
    """An attribute that is there or not, as those of HTML that have no value."""
    return {name: True} if is_so else {}


def table(
    heads: Sequence[str], lines: Sequence[Sequence[Any]], *, caption: str = "", chosen: int | None = None,
    classes: str = "",
) -> Any:  # fmt: skip
    """A table of texts and numbers; a cell that is a function puts its own content there.

    With the class "cards" each line becomes a card of its own on a narrow screen.
    """
    box = element("div", classes="scroll", tabindex=0, role="region", aria_label=caption or "table")
    with box, element("table", classes=classes):
        with element("thead"), element("tr"):
            for head in heads:
                element("th", head, scope="col") if head else element("td")
        with element("tbody"):
            for place, line in enumerate(lines):
                with element("tr", classes="chosen" if place == chosen else ""):
                    for head, cell in zip(heads, line, strict=True):
                        _cell(head, cell)
    return box


def _cell(head: str, cell: Any) -> None:
    if callable(cell):
        with element("td", data_label=head):
            cell()
    elif isinstance(cell, float):
        element("td", f"{cell:.4g}", classes="number", data_label=head)
    else:
        element("td", str(cell), classes="number" if isinstance(cell, int) else "", data_label=head)


def listed(lines: Sequence[str]) -> None:
    """Sentences, one below the other."""
    if lines:
        with element("ul"):
            for line in lines:
                element("li", line)


def section(title: str) -> Any:
    """A part of the page under a heading, to be filled."""
    made = element("section")
    with made:
        heading(title)
    return made


def folded(title: str, *, is_open: bool = False) -> Any:
    """A part that opens on demand, to be filled."""
    made = element("details", **_if(is_open, "open"))
    with made:
        element("summary", title)
    return made


def chart(figure: Mapping[str, Any], caption: str) -> Any:
    """A picture that can be zoomed, with what it shows; the chart itself can be updated."""
    with element("figure"):
        drawn = ui.plotly(dict(figure))
        drawn.props.update({"role": "img", "aria-label": visible(caption)})
        element("figcaption", caption)
    return drawn
