"""Names as mathematical symbols: theta_1, E_0 and x12 get indices, Greek names become letters."""

from __future__ import annotations

import re
import unicodedata
from html import escape
from typing import Final

from scalesr.expr.operators import BY_CODE
from scalesr.visible import visible

_FUNCTIONS: Final = {row.name for row in BY_CODE.values()} | {"ln", "lg", "exp", "e"}
_LETTERS_THEN_DIGITS: Final = re.compile(r"([^\W\d_]+)(\d*)")


def symbol(name: str) -> str:
    """A variable's name as HTML; what reads as a function is written out, so that log_Re is not a logarithm."""
    first, *indices = name.split("_")
    match = _LETTERS_THEN_DIGITS.fullmatch(first)
    if not match or match[1] in _FUNCTIONS or not all(index.isalnum() for index in indices):
        return f'<span class="name">{escape(printable(name))}</span>'
    if match[2]:
        indices.insert(0, match[2])
    if not indices:
        return _letter(match[1])
    return f"{_letter(match[1])}<sub>{','.join(map(_letter, indices))}</sub>"


def printable(text: str) -> str:
    """A text in which every character can stand on a page, escaped where it does not print; a blank for no text."""
    return visible(text) or " "


def _letter(part: str) -> str:
    """A letter in italics, a number or a word upright."""
    shown = escape(_greek(part))
    return f"<i>{shown}</i>" if len(_greek(part)) == 1 and not part.isdigit() else shown


def _greek(word: str) -> str:
    """The letter that a word is the name of, or the word."""
    case = "SMALL" if word.islower() else "CAPITAL"
    if len(word) == 1 or word not in (word.lower(), word.capitalize()):
        return word
    try:
        return unicodedata.lookup(f"GREEK {case} LETTER {word.upper().replace('LAMBDA', 'LAMDA')}")
    except KeyError:
        return word
