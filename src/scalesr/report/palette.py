"""Colours: those of a figure by itself, and those of a page that the reader sees light or dark."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of a figure."""

    ink: str  # axes, text
    faint: str  # lines to compare with
    first: str  # the law
    second: str
    third: str
    rows: str  # the data
    ground: str


PAPER: Final = Palette("#222222", "#999999", "#0b62a8", "#b5541c", "#3b7d3a", "#555555", "#ffffff")

# Stand-ins that no other colour of a figure has; on the page each becomes the variable of its name.
PAGE: Final = Palette("#010101", "#010102", "#010103", "#010104", "#010105", "#010106", "#010107")

PAGE_VARIABLES: Final = {getattr(PAGE, field.name): f"var(--{field.name})" for field in fields(Palette)}
