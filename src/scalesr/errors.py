"""The errors a user can meet; each says what is wrong, the value seen and what to do.

ScaleSRError
├── FormulaError      a formula text or tree that is not well formed
├── OperatorError     an operator that is unknown or cannot be compiled
├── DataError         a table, column, array or file that cannot be used
├── SettingError      a setting that is unknown or out of range
└── MissingExtra      an optional dependency that is not installed

ScaleSRWarning        something that works and may not be what was meant

Messages are one line and quote names, cells and files of others; control characters are shown as escapes.
"""

from __future__ import annotations

from scalesr.visible import visible


class ScaleSRError(Exception):
    """Base of every error raised on purpose by this package."""

    def __init__(self, message: str = "") -> None:
        super().__init__(visible(message))


class FormulaError(ScaleSRError, ValueError):
    """A formula that cannot be read; `position` is the character where reading stopped."""

    def __init__(self, message: str, *, position: int | None = None, excerpt: str = "") -> None:
        where = "" if position is None else f" (at character {position + 1}: {excerpt!r})"
        super().__init__(message + where)
        self.position = position
        self.excerpt = excerpt


class OperatorError(ScaleSRError, ValueError):
    """An operator that is unknown, defined twice or not compilable."""


class DataError(ScaleSRError, ValueError):
    """Data that cannot be used as they are."""


class SettingError(ScaleSRError, ValueError):
    """A setting that is unknown or out of range."""


class MissingExtra(ScaleSRError, ImportError):
    """An optional dependency that is needed here and not installed."""


class ScaleSRWarning(UserWarning):
    """Something that works and may not be what was meant."""

    def __init__(self, message: str = "") -> None:
        super().__init__(visible(message))
