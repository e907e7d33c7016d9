"""Names and numbers as LaTeX."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_LOWER: Final = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon "
    "phi chi psi omega varepsilon vartheta varphi varrho varsigma"
)
_UPPER: Final = "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
_GREEK: Final = frozenset([*_LOWER.split(), *_UPPER.split()])

_ESCAPES: Final = {char: f"\\{char}" for char in "_{}$&#% "} | {
    "\\": r"\backslash{}",
    "^": r"\hat{\ }",
    "~": r"\sim{}",
}
_LEADING_LETTERS: Final = re.compile(r"([^\W\d_]+)(\d*)")


def latex_name(name: str) -> str:
    """A variable's name as a symbol: theta_1, E_0 and x12 get indices, long names stand upright."""
    first, *indices = name.split("_")
    match = _LEADING_LETTERS.fullmatch(first)
    if not match or not all(index.isalnum() for index in indices):
        return _upright(name)
    if match[2]:
        indices.insert(0, match[2])
    subscript = f"_{{{', '.join(map(_symbol, indices))}}}" if indices else ""
    return _symbol(match[1]) + subscript


def latex_number(text: str) -> str:
    """A printed number without sign, its exponent as a power of ten."""
    digits, _, exponent = text.partition("e")
    if not exponent:
        return digits
    power = f"10^{{{int(exponent)}}}"
    return power if digits == "1" else rf"{digits}\cdot {power}"


def _symbol(part: str) -> str:
    """One letter, Greek letter or number as it is, anything longer upright."""
    letter = _greek(unicodedata.normalize("NFKC", part)) if len(part) == 1 else part
    if letter in _GREEK:
        return f"\\{letter}"
    return part if part.isascii() and (len(part) == 1 or part.isdigit()) else _upright(part)


def _greek(char: str) -> str:
    """What LaTeX would call a Greek character; it may not know that name."""
    words = unicodedata.name(char, "").split() if len(char) == 1 else []
    if words[:1] != ["GREEK"] or words[2:3] != ["LETTER"] or len(words) != 4:
        return char
    letter = words[3].lower().replace("lamda", "lambda")
    return letter.capitalize() if words[1] == "CAPITAL" else letter


def _upright(text: str) -> str:
    return rf"\mathrm{{{''.join(_escaped(char) for char in text) or _ESCAPES[' ']}}}"


def _escaped(char: str) -> str:
    return _ESCAPES.get(char, char if char.isprintable() else _ESCAPES[" "])
