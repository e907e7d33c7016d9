"""Names as mathematical symbols: theta_1, E_0 and x12 get indices, Greek names become letters."""

from __future__ import annotations

import re
import unicodedata
from html import escape
from typing import Final

from scalesr.visible import visible

_LETTERS_THEN_DIGITS: Final = re.compile(r"([^\W\d_]+)(\d*)")


def mathml_name(name: str) -> str:
    """A variable's name as MathML."""
    first, *indices = name.split("_")
    match = _LETTERS_THEN_DIGITS.fullmatch(first)
    if not match or not all(index.isalnum() for index in indices):
        return f"<mtext>{escape(printable(name))}</mtext>"
    if match[2]:
        indices.insert(0, match[2])
    symbol = _symbol(match[1])
    if not indices:
        return symbol
    return f"<msub>{symbol}<mrow>{'<mo>,</mo>'.join(map(_symbol, indices))}</mrow></msub>"


def printable(text: str) -> str:
    """A text in which every character can stand on a page, escaped where it does not print; a blank for no text."""
    return visible(text) or " "


def _symbol(part: str) -> str:
    if part.isdigit():
        return f"<mn>{escape(part)}</mn>"
    return f"<mi>{escape(_greek(part))}</mi>"


def _greek(word: str) -> str:
    """The letter that a word is the name of, or the word."""
    case = "SMALL" if word.islower() else "CAPITAL"
    if len(word) == 1 or word not in (word.lower(), word.capitalize()):
        return word
    try:
        return unicodedata.lookup(f"GREEK {case} LETTER {word.upper().replace('LAMBDA', 'LAMDA')}")
    except KeyError:
        return word
