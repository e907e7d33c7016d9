"""Frames: laws with holes as users write them, a*f(x) + g(y, z), read by the parser of formulas.

A name with brackets that is not a function is a hole, a function that is to be found. A name without brackets that is
no column is an open constant. A hole may be used several times; it is the same function each time.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from scalesr.errors import FormulaError
from scalesr.expr.expression import Expression, open_constant
from scalesr.expr.names import PI, function, is_open
from scalesr.expr.printing import to_text
from scalesr.expr.substitute import substitute
from scalesr.expr.text import names_in, parse
from scalesr.expr.tokens import Token, TokenKind, fault, tokens

MOST_HOLES: Final = 6  # of one frame: the rows say little about more
MOST_ARGUMENTS: Final = 4  # of one hole, for the same reason
_DERIVATIVE: Final = (
    "{text} asks for a derivative, and a hole is a function of columns; make the derivative the target column, or use "
    "ScaleSRDynamics (scalesr dynamics) for laws of motion."
)


@dataclass(frozen=True, slots=True)
class Use:
    """One place at which a hole is used, and the formulas of columns that it is a function of there."""

    hole: int
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """A law with holes: a formula over the columns of a table and, after these, one more for each use of a hole."""

    text: str
    law: Expression  # its open constants are those that the user has named
    holes: tuple[str, ...]  # their names
    uses: tuple[Use, ...]
    names: tuple[str, ...]  # of the columns

    @property
    def n_columns(self) -> int:
        return len(self.names)

    def arguments(self, hole: int) -> tuple[Expression, ...]:
        """What a hole is a function of where it is used first."""
        return next(use.arguments for use in self.uses if use.hole == hole)

    def title(self, hole: int) -> str:
        """A hole as it is written where it is used first: g(y, z)."""
        return f"{self.holes[hole]}({', '.join(to_text(one, self.names) for one in self.arguments(hole))})"

    def filled(self, parts: Sequence[Expression | None], law: Expression | None = None) -> Expression:
        """The law with formulas of their own arguments in the holes, or in those that have one.

        `law` is the frame's own formula, with other constants perhaps.
        """
        inside = {
            self.n_columns + place: substitute(part, dict(enumerate(use.arguments)))
            for place, use in enumerate(self.uses)
            if (part := parts[use.hole]) is not None
        }
        return substitute(self.law if law is None else law, inside)


def parse_frame(text: str, names: Sequence[str]) -> Frame:
    """Read a law with holes over the columns `names`.

    >>> parse_frame("a*f(x) + g(y, z)", ["x", "y", "z"]).holes
    ('f', 'g')
    """
    read = list(tokens(text))
    _refuse_derivatives(text, read, names)
    calls = _calls(text, read, names)
    if not calls:
        raise FormulaError(
            f"{text!r} has no hole such as f(x); without one it is a formula to begin from: start=[{text!r}]."
        )
    holes = tuple(dict.fromkeys(call.name for call in calls))
    if len(holes) > MOST_HOLES:
        raise FormulaError(f"{text!r} has {len(holes)} holes; the rows determine at most {MOST_HOLES}.")
    written = list(dict.fromkeys(call.text(text) for call in calls))
    uses = tuple(_use(one, text, holes, calls, names) for one in written)
    for hole, name in enumerate(holes):
        _require_one_arity(name, [use for use in uses if use.hole == hole])
    stand_ins = [_stand_in(place, names) for place in range(len(written))]
    rest = _replaced(text, calls, dict(zip(written, stand_ins, strict=True)))
    unknown = _constants(text, rest, [*names, *stand_ins])
    form = parse(rest, [*names, *stand_ins, *unknown])
    first = len(names) + len(stand_ins)
    law = substitute(form, {first + place: open_constant() for place in range(len(unknown))})
    return Frame(text, law, holes, uses, tuple(names))


class _Call(NamedTuple):
    """A hole where it is used, and the places at which it begins and ends in the text."""

    name: str
    start: int
    inside: int  # where its arguments begin
    commas: tuple[int, ...]
    end: int  # after the closing bracket

    def text(self, whole: str) -> str:
        """What is written there, without spaces."""
        return "".join(whole[self.start : self.end].split())

    def arguments(self, whole: str) -> list[str]:
        """What is written between its brackets."""
        edges = [self.inside - 1, *self.commas, self.end - 1]
        return [whole[low + 1 : high] for low, high in itertools.pairwise(edges)]


def _calls(text: str, read: Sequence[Token], names: Sequence[str]) -> list[_Call]:
    """The holes of a text in order of appearance."""
    found, place = list[_Call](), 0
    while place < len(read):
        token = read[place]
        if token.kind is not TokenKind.CALL or function(token.text) or token.text in names or _is_number(token.text):
            place += 1
            continue
        end = _closing(text, read, place)
        _refuse_inner(text, read[place + 1 : end], names)
        depth, commas = 0, list[int]()
        for one in read[place + 1 : end]:
            depth += (one.kind is TokenKind.CALL or one.text == "(") - (one.text == ")")
            if one.kind is TokenKind.SYMBOL and one.text == "," and depth == 0:
                commas.append(one.position)
        inside = text.index("(", token.position + len(token.text)) + 1
        found.append(_Call(token.text, token.position, inside, tuple(commas), read[end].position + 1))
        place = end + 1
    return found


def _is_number(name: str) -> bool:
    return name == PI or is_open(name)


def _closing(text: str, read: Sequence[Token], place: int) -> int:
    """Where the bracket of a call is closed."""
    depth = 0
    for later in range(place, len(read)):
        token = read[later]
        is_symbol = token.kind is TokenKind.SYMBOL
        depth += (token.kind is TokenKind.CALL or (is_symbol and token.text == "(")) - (is_symbol and token.text == ")")
        if depth == 0:
            return later
    raise fault("This bracket is never closed; add ).", text, read[place].position)


def _refuse_inner(text: str, inside: Sequence[Token], names: Sequence[str]) -> None:
    """A hole within a hole is a function of the inner one's arguments, whatever the outer one is."""
    for token in inside:
        if token.kind is TokenKind.CALL and not (function(token.text) or token.text in names or _is_number(token.text)):
            message = (
                f"The hole {token.text} stands within another; the outer one alone says the same, with its columns."
            )
            raise fault(message, text, token.position)


def _refuse_derivatives(text: str, read: Sequence[Token], names: Sequence[str]) -> None:
    """d/dt f and df/dt are not holes."""
    for top, over, below in zip(read, read[1:], read[2:], strict=False):
        are_names = top.kind is TokenKind.NAME and below.kind in (TokenKind.NAME, TokenKind.CALL) and over.text == "/"
        if (
            are_names
            and top.text not in names
            and below.text not in names
            and top.text.startswith("d")
            and below.text.startswith("d")
            and below.text[1:].isalpha()
            and (top.text == "d" or top.text[1:].isalpha())
        ):
            raise FormulaError(_DERIVATIVE.format(text=text[top.position : below.position + len(below.text)]))


def _use(written: str, text: str, holes: Sequence[str], calls: Sequence[_Call], names: Sequence[str]) -> Use:
    """A hole with its arguments read as formulas of columns."""
    call = next(one for one in calls if one.text(text) == written)
    arguments = tuple(_argument(one, call, names) for one in call.arguments(text))
    if len(arguments) > MOST_ARGUMENTS:
        raise FormulaError(
            f"The hole {written} has {len(arguments)} arguments; the rows determine at most {MOST_ARGUMENTS}."
        )
    return Use(holes.index(call.name), arguments)


def _argument(written: str, call: _Call, names: Sequence[str]) -> Expression:
    """An argument of a hole, a formula of columns without open constants."""
    if not written.strip():
        raise FormulaError(f"The hole {call.name} lacks an argument; write {call.name}({names[0]}).")
    if unknown := [name for name in names_in(written) if name not in names]:
        raise FormulaError(
            f"The hole {call.name} depends on {unknown[0]!r}, which is not a column; these are {', '.join(names)}. A "
            "constant within is found with the hole."
        )
    read = parse(written, names)
    if not read.variables or read.n_open:
        raise FormulaError(f"The argument {written.strip()!r} of the hole {call.name} has to be a formula of columns.")
    return read


def _require_one_arity(name: str, uses: Sequence[Use]) -> None:
    counts = sorted({len(use.arguments) for use in uses})
    if len(counts) > 1:
        raise FormulaError(
            f"The hole {name} has {_count(counts[0])} at one place and {counts[-1]} at another; it is one function, "
            "so give the others another name."
        )


def _count(number: int) -> str:
    return f"{number} argument{'' if number == 1 else 's'}"


def _stand_in(place: int, names: Sequence[str]) -> str:
    """A name for a use of a hole that no column has."""
    name = f"hole {place}"
    while name in names:
        name += " "
    return name


def _replaced(text: str, calls: Sequence[_Call], stand_ins: dict[str, str]) -> str:
    """The text with a name in backquotes in the place of every hole."""
    pieces, end = list[str](), 0
    for call in calls:
        pieces += [text[end : call.start], f"`{stand_ins[call.text(text)]}`"]
        end = call.end
    return "".join([*pieces, text[end:]])


def _constants(text: str, rest: str, known: Sequence[str]) -> list[str]:
    """The named constants of a frame; each is one number and stands at one place."""
    found = [
        token.text
        for token in tokens(rest)
        if token.kind in (TokenKind.NAME, TokenKind.QUOTED) and token.text not in known and not _is_number(token.text)
        and function(token.text) is None
    ]  # fmt: skip
    if again := next((name for name in found if found.count(name) > 1), None):
        raise FormulaError(
            f"The constant {again} is used twice in {text!r}; write it once, as a factor, or rename the other."
        )
    return found
