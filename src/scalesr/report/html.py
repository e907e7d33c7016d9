"""Small pieces of HTML; whatever text they are given is escaped."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape

from scalesr.visible import visible_lines


def text(value: object) -> str:
    """Any text as HTML; characters that do not print are shown as escapes."""
    return escape(visible_lines(str(value)))


def paragraph(value: object) -> str:
    """A paragraph of plain text."""
    return f"<p>{text(value)}</p>"


def number(value: float, digits: int = 4) -> str:
    """A number with this many digits."""
    return f"{value:.{digits}g}" if math.isfinite(value) else str(value)


def table(heads: Sequence[str], lines: Iterable[Sequence[object]], *, chosen: int | None = None) -> str:
    """A table; numbers stand in columns, the line `chosen` stands out."""
    head = "".join(f"<th>{text(one)}</th>" for one in heads)
    starts = {chosen: '<tr class="chosen">'}
    body = "".join(
        f"{starts.get(place, '<tr>')}{''.join(map(_cell, line))}</tr>" for place, line in enumerate(lines)
    )  # fmt: skip
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def details(title: str, lines: Sequence[str]) -> str:
    """A list that opens on demand, nothing where it is empty."""
    if not lines:
        return ""
    items = "".join(f"<li>{text(line)}</li>" for line in lines)
    return f"<details><summary>{text(title)}</summary><ul>{items}</ul></details>"


def section(title: str, *parts: str) -> str:
    """A part of the page: its heading as text, the rest as HTML."""
    return f"<section><h2>{text(title)}</h2>{''.join(parts)}</section>"


def picture(svg: str, caption: str) -> str:
    """A figure with what it shows."""
    return f"<figure>{svg}<figcaption>{text(caption)}</figcaption></figure>"


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f'<td class="number">{number(value)}</td>'
    return f"<td>{text(value)}</td>"
