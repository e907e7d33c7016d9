"""Templates: laws with holes as users give them, read over the columns of their table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scalesr.errors import FormulaError, SettingError
from scalesr.expr.frame import Frame, parse_frame


def template_of(given: Any, preset: Any = "default", start: Any = None) -> str | None:
    """A template as a text, or none."""
    if given is None:
        return None
    if not isinstance(given, str):
        raise SettingError(f"template={given!r} is not a law with holes; write template='a*f(x) + g(y, z)'.")
    if preset == "paper":
        raise SettingError("The paper's method has no templates; leave preset='paper' or the template out.")
    if start:
        raise SettingError("A template is filled from nothing; leave start= or template= out.")
    return given


def frame_of(template: str | None, names: Sequence[str]) -> Frame | None:
    """The template over the columns of a table."""
    if template is None:
        return None
    try:
        return parse_frame(template, names)
    except FormulaError as error:
        raise SettingError(f"template={template!r} cannot be used: {error}") from error
