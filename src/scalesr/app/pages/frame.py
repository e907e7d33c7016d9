"""What every page has: its head, its way home and where messages are told."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from nicegui import ui

from scalesr.app.parts import element, link
from scalesr.report.formula import STYLE
from scalesr.visible import visible


@contextmanager
def frame(title: str) -> Iterator[Any]:
    """A page under a title, to be filled."""
    ui.page_title(visible(f"{title} - ScaleSR"))
    ui.add_head_html(f'<link rel="stylesheet" href="/static/style.css"><style>{STYLE}</style>')
    ui.add_body_html('<script defer src="/static/page.js"></script>')
    with element("header", classes="top"):
        link("ScaleSR", "/", classes="home")
        link("All runs", "/#runs")
    with element("div", id="content") as content:  # in the main landmark that the framework makes
        yield content


def tell(text: str) -> None:
    """A sentence that comes up and goes again; it is read aloud, too."""
    ui.notify(visible(text), multi_line=True, close_button="Close", timeout=8000)
