"""What is told where there is nothing."""

from __future__ import annotations

from scalesr.app.pages.frame import frame
from scalesr.app.parts import link, paragraph, section


def missing(why: str) -> None:
    """A page that is not there."""
    with frame("Not found"), section("There is nothing here"):
        paragraph(why)
        link("All runs", "/")
