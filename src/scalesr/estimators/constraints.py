"""Constraints as users write them: "increasing in x", "f(x=0) = 0", "no exp inside exp".

A text is cut into words, numbers and signs and compared with a table of forms; a word of a form in capitals stands
for a column, a number, and so on. There is no other grammar than this table.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from scalesr.errors import SettingError
from scalesr.expr.operators import BY_NAME
from scalesr.kernels.codes import POW, POWI
from scalesr.records.constraints import (
    Bound,
    Constraint,
    Count,
    Exchange,
    Limit,
    Monotone,
    Nesting,
    Parity,
    Point,
    Relation,
    Size,
    Uses,
)

LONGEST: Final = 300  # characters of a constraint
LAW: Final = "f"  # what the law is called, besides by the name of the target
_TOKEN: Final = re.compile(
    r"\s*(?:(?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[+-]?inf\b)|(?P<name>[^\W\d]\w*)|`(?P<quoted>[^`]+)`"
    r"|(?P<sign><=|>=|->|[<>=(),^*/+-]))"
)
_RELATIONS: Final[dict[str, Relation]] = {"<": "<", "<=": "<=", ">": ">", ">=": ">=", "=": "="}
_TURNED: Final[dict[str, Relation]] = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


class _Word(NamedTuple):
    kind: str  # number, name, quoted or sign
    text: str


def constraints_of(given: Any, preset: Any = "default") -> tuple[str, ...]:
    """Constraints as texts, from one or a list."""
    texts = () if given is None else (given,) if isinstance(given, str) else given
    if not isinstance(texts, list | tuple) or not all(isinstance(text, str) for text in texts):
        raise SettingError(
            f"constraints={given!r} is not a constraint or list of them; write constraints=['positive']."
        )
    if texts and preset == "paper":
        raise SettingError("The paper's method has no constraints; leave preset='paper' or the constraints out.")
    return tuple(texts)


def read_constraints(texts: Sequence[str], names: Sequence[str], target: str) -> tuple[Constraint, ...]:
    """Constraints over the columns `names`; one text may say several."""
    return tuple(one for text in texts for one in _Reader(text, names, target).read())


Made = list[Constraint]


@dataclass(frozen=True, slots=True)
class _Form:
    """One way to write a constraint, and what is made of the values in it."""

    pattern: str
    made: Callable[..., Made]


class _Mismatch(Exception):
    """A text is not of a form."""


class _Reader:
    """Reads one constraint."""

    def __init__(self, text: str, names: Sequence[str], target: str) -> None:
        self.text, self.names, self.target = text, list(names), target
        self.words: list[_Word] = []
        self.words = self._words()

    def read(self) -> Made:
        for form in FORMS:
            try:
                values, rest = self._values(form.pattern.split(), self.words)
            except _Mismatch:
                continue
            if not rest:
                return form.made(self.text.strip(), *values)
        raise self._unknown()

    def _words(self) -> list[_Word]:
        if len(self.text) > LONGEST:
            raise SettingError(f"A constraint of {len(self.text)} characters is too long; {LONGEST} are read.")
        found, place = list[_Word](), 0
        text = self.text.rstrip()
        while place < len(text):
            match = _TOKEN.match(text, place)
            if match is None:
                raise self._unknown()
            kind = match.lastgroup or "sign"
            found.append(_Word(kind, match[kind]))
            place = match.end()
        return found

    def _unknown(self) -> SettingError:
        odd = [word.text for word in self.words if word.kind == "quoted" and word.text not in self.names]
        about = f" {odd[0]!r} is not a column." if odd else ""
        forms = "; ".join(form.pattern for form in FORMS)
        return SettingError(
            f"The constraint {self.text!r} is not understood.{about} Possible are: {forms}. COLUMN is one of "
            f"{', '.join(self.names)}; f or {self.target} is the law."
        )

    def _values(self, pattern: Sequence[str], words: Sequence[_Word]) -> tuple[list[Any], Sequence[_Word]]:
        """The values of the words in capitals, and what is left of the text."""
        values: list[Any] = []
        for part in pattern:
            if part in _SLOTS:
                value, words = _SLOTS[part](self, words)
                values.append(value)
            elif words and words[0].kind != "quoted" and words[0].text == part:
                words = words[1:]
            else:
                raise _Mismatch
        return values, words

    def column(self, words: Sequence[_Word]) -> tuple[int, Sequence[_Word]]:
        if not words or words[0].kind not in ("name", "quoted") or words[0].text not in self.names:
            raise _Mismatch
        return self.names.index(words[0].text), words[1:]

    def columns(self, words: Sequence[_Word]) -> tuple[list[int], Sequence[_Word]]:
        first, words = self.column(words)
        found = [first]
        while words and words[0].text == ",":
            following, words = self.column(words[1:])
            found.append(following)
        return found, words

    def law(self, words: Sequence[_Word]) -> tuple[None, Sequence[_Word]]:
        is_law = words and (words[0].text == self.target or words[0].text == LAW) and words[0].text not in self.names
        if not is_law:
            raise _Mismatch
        return None, words[1:]

    def number(self, words: Sequence[_Word]) -> tuple[float, Sequence[_Word]]:
        if words and words[0].text in ("-", "+") and len(words) > 1 and words[1].kind == "number":
            value, rest = self.number(words[1:])
            return (-value if words[0].text == "-" else value), rest
        if not words or words[0].kind != "number" or not math.isfinite(float(words[0].text)):
            raise _Mismatch
        return float(words[0].text), words[1:]

    def place(self, words: Sequence[_Word]) -> tuple[float, Sequence[_Word]]:
        """A number or infinity."""
        if words and words[0].kind == "number" and words[0].text.lstrip("+-") == "inf":
            return float(words[0].text), words[1:]
        if len(words) > 1 and words[0].text in ("-", "+") and words[1].text == "inf":
            return (-math.inf if words[0].text == "-" else math.inf), words[2:]
        return self.number(words)

    def whole(self, words: Sequence[_Word]) -> tuple[int, Sequence[_Word]]:
        value, rest = self.number(words)
        if value < 0 or not value.is_integer():
            raise _Mismatch
        return int(value), rest

    def relation(self, words: Sequence[_Word]) -> tuple[Relation, Sequence[_Word]]:
        if not words or words[0].text not in _RELATIONS:
            raise _Mismatch
        return _RELATIONS[words[0].text], words[1:]

    def values(self, words: Sequence[_Word]) -> tuple[tuple[tuple[int, float], ...], Sequence[_Word]]:
        """x=0, y=1."""
        found: list[tuple[int, float]] = []
        while True:
            column, words = self.column(words)
            if not words or words[0].text != "=":
                raise _Mismatch
            number, words = self.number(words[1:])
            found.append((column, number))
            if not words or words[0].text != ",":
                return tuple(found), words
            words = words[1:]

    def operator(self, words: Sequence[_Word]) -> tuple[tuple[int, ...], Sequence[_Word]]:
        if not words or words[0].kind == "number":
            raise _Mismatch
        if words[0].text in ("^", "power"):
            return (POW, POWI), words[1:]
        row = BY_NAME.get(words[0].text)
        if row is None:
            raise _Mismatch
        return (row.code,), words[1:]


_SLOTS: Final[dict[str, Callable[[_Reader, Sequence[_Word]], tuple[Any, Sequence[_Word]]]]] = {
    "COLUMN": _Reader.column,
    "COLUMNS": _Reader.columns,
    "LAW": _Reader.law,
    "NUMBER": _Reader.number,
    "PLACE": _Reader.place,
    "WHOLE": _Reader.whole,
    "RELATION": _Reader.relation,
    "COLUMN=NUMBER,...": _Reader.values,
    "OPERATOR": _Reader.operator,
}


def _bounded(text: str, _: None, relation: Relation, number: float) -> Made:
    return [Bound(text, relation, number)]


def _between(text: str, low: float, first: Relation, _: None, second: Relation, high: float) -> Made:
    return [Bound(text, _turned(first, text), low), Bound(text, second, high)]


def _turned(relation: Relation, text: str) -> Relation:
    if relation not in _TURNED:
        raise SettingError(
            f"The constraint {text!r} has two relation signs, one of which is =; write f = NUMBER at a point."
        )
    return _TURNED[relation]


def _pairs(sign: int) -> Callable[[str, list[int]], Made]:
    def made(text: str, columns: list[int]) -> Made:
        if len(set(columns)) < 2:
            raise SettingError(f"The constraint {text!r} needs two columns that are exchanged.")
        return [Exchange(text, (columns[0], other), sign) for other in columns[1:]]

    return made


def _monotone(sign: int, order: int) -> Callable[[str, list[int]], Made]:
    return lambda text, columns: [Monotone(text, column, sign, order) for column in columns]


def _parity(sign: int) -> Callable[[str, list[int]], Made]:
    return lambda text, columns: [Parity(text, column, sign) for column in columns]


def _uses(wanted: bool) -> Callable[[str, list[int]], Made]:
    return lambda text, columns: [Uses(text, column, wanted) for column in columns]


FORMS: Final = (
    _Form("positive", lambda text: [Bound(text, ">", 0.0)]),
    _Form("negative", lambda text: [Bound(text, "<", 0.0)]),
    _Form("nonnegative", lambda text: [Bound(text, ">=", 0.0)]),
    _Form("LAW RELATION NUMBER", _bounded),
    _Form("NUMBER RELATION LAW RELATION NUMBER", _between),
    _Form("increasing in COLUMNS", _monotone(1, 1)),
    _Form("decreasing in COLUMNS", _monotone(-1, 1)),
    _Form("convex in COLUMNS", _monotone(1, 2)),
    _Form("concave in COLUMNS", _monotone(-1, 2)),
    _Form("even in COLUMNS", _parity(1)),
    _Form("odd in COLUMNS", _parity(-1)),
    _Form("symmetric in COLUMNS", _pairs(1)),
    _Form("antisymmetric in COLUMNS", _pairs(-1)),
    _Form(
        "LAW ( COLUMN=NUMBER,... ) RELATION NUMBER",
        lambda text, _, at, relation, number: [Point(text, at, relation, number)],
    ),
    _Form("finite as COLUMN -> PLACE", lambda text, column, towards: [Limit(text, column, towards, None)]),
    _Form(
        "LAW -> NUMBER as COLUMN -> PLACE",
        lambda text, _, number, column, towards: [Limit(text, column, towards, number)],
    ),
    _Form("contains COLUMNS", _uses(True)),
    _Form("without COLUMNS", _uses(False)),
    _Form("complexity <= WHOLE", lambda text, most: [Size(text, "complexity", most)]),
    _Form("constants <= WHOLE", lambda text, most: [Size(text, "constants", most)]),
    _Form("at most WHOLE of OPERATOR", lambda text, most, codes: [Count(text, codes, most)]),
    _Form("no OPERATOR", lambda text, codes: [Count(text, codes, 0)]),
    _Form("no OPERATOR inside OPERATOR", lambda text, inner, outer: [Nesting(text, inner, outer)]),
)
