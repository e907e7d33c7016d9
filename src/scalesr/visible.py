"""Text as people may be shown it: a control character is seen, not obeyed."""

from __future__ import annotations


def visible(text: str) -> str:
    """One line of text in which every character that does not print, a line break too, is written as its escape.

    Names, cells and messages of others may hold sequences that move a terminal's cursor, write into its
    clipboard or turn the direction of writing.
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _escape(char) for char in text)


def visible_lines(text: str) -> str:
    """The same for a text of several lines, which stay lines."""
    return "\n".join(map(visible, text.split("\n")))


def _escape(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")
