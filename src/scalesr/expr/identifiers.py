"""Column names as identifiers of the languages that formulas are exported to."""

from __future__ import annotations

import keyword
import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Final

Valid = Callable[[str], bool]

_C_KEYWORDS: Final = (
    "auto break case char const continue default do double else enum extern float for goto if inline int long "
    "register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while"
)
_C_MACROS: Final = "HUGE HUGE_VAL HUGE_VALF HUGE_VALL INFINITY MAXFLOAT NAN asm i386 linux math_errhandling unix"
_C_FUNCTIONS: Final = "acos asin atan cos exp fabs fmax fmin log pow sin sqrt tan tanh main"
_C_TAKEN: Final = frozenset(f"{_C_KEYWORDS} {_C_MACROS} {_C_FUNCTIONS}".split())
_C_NAME: Final = re.compile(r"(?!FP_|M_|MATH_)[A-Za-z][A-Za-z0-9_]*")


def is_python(name: str) -> bool:
    """Whether Python reads a name as itself and as nothing else."""
    is_itself = unicodedata.normalize("NFKC", name) == name
    return name.isidentifier() and is_itself and not keyword.iskeyword(name) and not name.startswith("__")


def is_c(name: str) -> bool:
    """Whether a name is free in C with <math.h>."""
    return _C_NAME.fullmatch(name) is not None and name not in _C_TAKEN


def unique_identifiers(names: Sequence[str], is_valid: Valid, taken: set[str]) -> list[str]:
    """One identifier per name, the name itself where that is possible; `taken` grows by them."""
    kept = {name for name in names if is_valid(name) and name not in taken}
    taken |= kept
    return [
        name if name in kept else unique_identifier(_base(name, place), is_valid, taken)
        for place, name in enumerate(names)
    ]


def unique_identifier(base: str, is_valid: Valid, taken: set[str]) -> str:
    """The first of base, base_, base_2, base_3, ... that is valid and not taken; it is taken then."""
    name, count = base, 1
    while name in taken or not is_valid(name):
        name = f"{base}_{count}" if count > 1 else f"{base}_"
        count += 1
    taken.add(name)
    return name


def _base(name: str, place: int) -> str:
    """What is left of a name in ASCII, or the column's default name."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    words = re.sub(r"[^A-Za-z0-9]+", "_", plain).strip("_")
    if not words:
        return f"x{place}"
    return words if words[0].isalpha() and not words.startswith(("FP_", "M_", "MATH_")) else f"x_{words}"
