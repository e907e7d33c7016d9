"""Figures as SVG that stands in a page: its colours follow the page's, its identifiers are its own."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree as ET

from scalesr.report.palette import PAGE_VARIABLES
from scalesr.visible import visible

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LEFT_OUT: Final = ("metadata", "style")  # the page has a style for all of its figures


def to_svg(figure: Figure, *, key: str, label: str) -> str:
    """The figure as an <svg> element that readers of screens call `label`; `key` is its own on the page."""
    from matplotlib import rc_context

    file = io.StringIO()
    # matplotlib has no argument for these two; they are as before when the block ends
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": key}):
        figure.savefig(file, format="svg", metadata={"Date": None})
    root = ET.fromstring(file.getvalue())
    for element in root.iter():
        _adapt(element, key)
    root.attrib.update({"role": "img", "aria-label": visible(label)})
    for size in ("width", "height"):
        root.attrib.pop(size, None)  # the page decides; the proportions are in viewBox
    return ET.tostring(root, encoding="unicode")


def _adapt(element: ET.Element, key: str) -> None:
    """Plain names, as HTML has them, identifiers that begin with `key`, and the page's colours."""
    element.tag = _plain(element.tag)
    attributes = {_plain(name): value for name, value in element.attrib.items()}
    element.attrib.clear()
    for name, value in attributes.items():
        element.set(name, f"{key}-{value}" if name == "id" else _own(value, key))
    for child in list(element):
        if _plain(child.tag) in _LEFT_OUT:
            element.remove(child)


def _plain(name: str) -> str:
    return name.rpartition("}")[2]


def _own(value: str, key: str) -> str:
    """An attribute with the page's colours and its references to this figure's parts."""
    for colour, variable in PAGE_VARIABLES.items():
        value = value.replace(colour, variable)
    if value.startswith("#"):
        return f"#{key}-{value[1:]}"
    return value.replace("url(#", f"url(#{key}-")
