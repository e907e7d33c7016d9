"""A formula's text as tokens, in one pass, and what to do about characters that are none."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from enum import Enum, auto
from typing import Final, NamedTuple

from scalesr.errors import FormulaError

MAX_TEXT: Final = 3_200_000  # characters: the longest formula of MAX_NODES nodes fits
MAX_DIGITS: Final = 1_000  # in one number

# Every alternative either matches at once or fails at its first character: time is linear.
_SPACE: Final = re.compile(r"\s+")
_NUMBER: Final = re.compile(r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_PLUS: Final = re.compile(r"[+\s]+")
_SYMBOLS: Final = frozenset("-+*/^(),")
_ASCII_NAME: Final = re.compile(r"[A-Za-z0-9_]*")
_QUOTED: Final = re.compile(r"`((?:[^`]|``)*+)`")
_CALL: Final = re.compile(r"\s*\(")

_BARE: Final = (
    "Functions and names are written bare, sin(x) and not np.sin(x); a column's name with a point goes in backquotes."
)
_SUPERSCRIPTS: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_ADVICE: Final[dict[str, str]] = {
    "=": "A formula has no '='; give the right-hand side only.",
    ":": "A formula has no ':'; give the right-hand side only.",
    ".": "A number has its point next to a digit, as in 0.5, and a name has none unless it is in backquotes.",
    "`": "This backquote is never closed; a name is written between two of them.",
    "|": "The absolute value is written abs(x).",
    "√": "The square root is written sqrt(x).",
    "%": "A remainder cannot be used; for per cent divide by 100.",
    "\\": "LaTeX is not read; write sin(x), sqrt(x), a/b.",
    "!": "Factorials and comparisons cannot be used in a formula.",
    **dict.fromkeys("[]{}", "Only round brackets are used in a formula: write ( and )."),
    **dict.fromkeys("'\"", "Quotes are not used; a column name with special characters goes in backquotes."),
    **dict.fromkeys("<>", "Comparisons cannot be used in a formula; min(a, b) and max(a, b) can."),
    **dict.fromkeys("×·⋅∙•∗", "A product is written with *."),
    **dict.fromkeys("÷∕", "A quotient is written with /."),
    **dict.fromkeys("−–—‒", "A minus sign is written with the plain hyphen -."),
}


class TokenKind(Enum):
    """What a token is."""

    NUMBER = auto()
    NAME = auto()
    QUOTED = auto()  # a name in backquotes
    CALL = auto()  # a name and the bracket that follows it
    SYMBOL = auto()
    END = auto()


class Token(NamedTuple):
    """A piece of a formula's text and where it begins."""

    kind: TokenKind
    text: str  # a name without backquotes or bracket
    position: int


def fault(message: str, text: str, position: int) -> FormulaError:
    """The error for a place in a text, with what stands around it."""
    return FormulaError(message, position=position, excerpt=text[max(0, position - 12) : position + 12])


def tokens(text: str) -> Iterator[Token]:
    """Cut a formula's text into tokens; the last one is END."""
    if not isinstance(text, str):
        raise FormulaError(f"A formula is a text, not {type(text).__name__}.")
    if len(text) > MAX_TEXT:
        raise FormulaError(f"The text has {len(text)} characters; formulas are read up to {MAX_TEXT}.")
    return _scan(text)


def number_value(token: Token, text: str) -> float:
    """The value of a number token, which must be one a double can hold."""
    if len(token.text) > MAX_DIGITS:
        message = f"A number of {len(token.text)} characters is too long; 17 digits are all that count."
        raise fault(message, text, token.position)
    value = float(token.text)
    if math.isinf(value):
        raise fault("This number is too large; the largest is about 1.8e308.", text, token.position)
    if value == 0.0 and re.search("[1-9]", re.split("[eE]", token.text)[0]):
        raise fault("This number is too small; the smallest is about 4.9e-324.", text, token.position)
    return value


def _scan(text: str) -> Iterator[Token]:
    place = 0
    while place < len(text):
        if text[place] in _SYMBOLS:
            symbol = "**" if text.startswith("**", place) else text[place]
            yield Token(TokenKind.SYMBOL, symbol, place)
            place += len(symbol)
            if symbol == "+" and (more := _PLUS.match(text, place)):  # a plus after a plus changes nothing
                place = more.end()
        elif space := _SPACE.match(text, place):
            place = space.end()
        else:
            token, place = _word(text, place)
            yield token
    yield Token(TokenKind.END, "", len(text))


def _word(text: str, place: int) -> tuple[Token, int]:
    """The number or name that begins at `place`, and where it ends."""
    if match := _NUMBER.match(text, place):
        return Token(TokenKind.NUMBER, match[0], place), match.end()
    if text[place].isidentifier():
        return _name(text, place)
    if match := _QUOTED.match(text, place):
        return Token(TokenKind.QUOTED, match[1].replace("``", "`"), place), match.end()
    raise fault(_advice(text[place]), text, place)


def _name(text: str, place: int) -> tuple[Token, int]:
    end = _name_end(text, place)
    name = text[place:end]
    if text[end : end + 1] == ".":
        raise fault(_BARE, text, place)
    if match := _CALL.match(text, end):
        return Token(TokenKind.CALL, name, place), match.end()
    return Token(TokenKind.NAME, name, place), end


def _name_end(text: str, place: int) -> int:
    """Where an identifier ends, by the rules of str.isidentifier."""
    match = _ASCII_NAME.match(text, place)
    end = match.end() if match else place
    while end < len(text) and f"_{text[end]}".isidentifier():
        end += 1
    return end


def _advice(char: str) -> str:
    if char in _ADVICE:
        return _ADVICE[char]
    if (power := char.translate(_SUPERSCRIPTS)) != char:
        return f"A power is written with ^, as in x^{power}."
    return f"The character {char!r} has no meaning in a formula; use numbers, names, functions and + - * / ^ ( )."
