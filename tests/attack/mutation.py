"""Mutation: texts, bytes and JSON values that are nearly right, and law files that are right and absurd."""

from __future__ import annotations

import copy
import random
import re
from typing import Any

ESCAPES = ("\x1b]52;c;aGk=\x07", "\x1b[2J", "\x07", "\x00", "\u202e", "\x9b31m", "a\nError: all is well", "\ud800")
PAYLOADS = (
    "__import__('os').system('true')", "().__class__.__base__.__subclasses__()", "=cmd|'/c calc'!A1", "${jndi:ldap}",
    "<script>alert(1)</script>", "{{7*7}}", "%s%n", "../../etc/passwd", "`rm -rf`", "cos\nsystem\n(S'true'\ntR.",
)  # fmt: skip
NUMBERS = (
    -1, 0, -0.0, 1e308, -1e308, 5e-324, 2**31, 2**63, -(2**63), 2**64, 10**400, 0.1, "nan", "inf", "-inf", True, None,
)  # fmt: skip
STRANGE: tuple[Any, ...] = (
    *NUMBERS, *ESCAPES, *PAYLOADS, "", [], {}, [[]], [None], {"a": 1}, "x" * 5000, [0] * 300,
    "sin(" * 400 + "x" + ")" * 400,
)  # fmt: skip
EXTREMES = (0.0, 1.0, 7.0, 1e16, 1e75, 1e308, 1e-75, 1e-308, 5e-324)
NAMES = (
    *ESCAPES[:-1], *PAYLOADS, '"""\nimport os\nos.system("true")\n#', '*/ int main(){system("true");} /*', "*/",
    "\\write18{true}", "np", "x*y", "a b", "", "é" * 200, "lambda", "`", "``", "$x$", "%", "C", "x0", "\u202eevil",
    "</script><script>", "'", "#", "\\",
)  # fmt: skip
BYTES = (b"\x00", b"\xff", b"\x1b[2J", b"\n", b",", b'"', b"<!DOCTYPE x>", b"1e999", b"\xef\xbb\xbf", b"PK\x03\x04")


def mutated_bytes(draw: random.Random, content: bytes) -> bytes:
    """Content with some of its bytes changed, moved, repeated or gone."""
    found = bytearray(content)
    for _ in range(draw.choice((1, 1, 2, 5, 20))):
        place = draw.randrange(len(found) + 1)
        end = min(len(found), place + draw.choice((1, 2, 8, 100, 1000)))
        match draw.randrange(6):
            case 0 if place < len(found):
                found[place] = draw.randrange(256)
            case 1:
                del found[place:end]
            case 2:
                found[place:place] = draw.choice(BYTES)
            case 3:
                found[place:place] = found[place:end] * draw.choice((1, 3))
            case 4:
                found[place:end] = bytes(draw.randrange(256) for _ in range(end - place))
            case _:
                del found[place:]
        found = found or bytearray(b"\x00")
    return bytes(found)


def mutated_json(draw: random.Random, document: Any) -> Any:
    """A document in which one to three values are others, or fields are added, doubled or gone."""
    found = copy.deepcopy(document)
    for _ in range(draw.choice((1, 1, 2, 3))):
        if not (places := _places(found)):
            break
        holder, key = draw.choice(places)
        match draw.randrange(5):
            case 0 if isinstance(holder, dict):
                holder.pop(key)
            case 1 if isinstance(holder, list):
                holder.insert(key, copy.deepcopy(draw.choice(STRANGE)))
            case 2 if isinstance(holder, dict):
                holder[draw.choice((*ESCAPES, *PAYLOADS, "z"))] = copy.deepcopy(holder[key])
            case 3 if isinstance(holder[key], str):
                holder[key] = mutated_text(draw, holder[key])
            case _:
                holder[key] = copy.deepcopy(draw.choice(STRANGE))
    return found


def bent_json(draw: random.Random, document: Any) -> Any:
    """A law file that still has the form of one, with a column called otherwise, other numbers or other words."""
    found = copy.deepcopy(document)
    for _ in range(draw.choice((1, 2, 3, 6))):
        match draw.randrange(4):
            case 0:
                _rename(draw, found)
            case 1:
                holder, key = draw.choice([place for place in _places(found) if place[1] == "equation"])
                holder[key] = re.sub(r"(?<![\w.`])\d+\.\d+", lambda _: repr(draw.choice(EXTREMES)), holder[key])
            case kind:
                wanted = float if kind == 2 else str
                places = [one for one in _places(found) if type(one[0][one[1]]) is wanted and one[1] not in FIXED]
                holder, key = draw.choice(places)
                holder[key] = draw.choice(EXTREMES) if kind == 2 else holder[key] + draw.choice(NAMES)
    return found


FIXED = ("format", "equation", "verdict", "ending", "kind", "source", "operators", "search", "preset", "generator")


def _rename(draw: random.Random, document: Any) -> None:
    """Another name for a column, in all formulas."""
    lists = [document[key] for key in ("names", "states", "targets") if document.get(key)]
    names = draw.choice(lists)
    place, new = draw.randrange(len(names)), draw.choice(NAMES)
    quoted = "`" + new.replace("`", "``") + "`"
    was = re.compile(rf"(?<![\w`]){re.escape(names[place])}(?![\w`(])|`{re.escape(names[place].replace('`', '``'))}`")
    for holder, key in _places(document):
        if key == "equation":
            holder[key] = was.sub(lambda _: quoted, holder[key])
    names[place] = new


def mutated_text(draw: random.Random, text: str) -> str:
    """A text with something put into it or taken out of it."""
    place = draw.randrange(len(text) + 1)
    if draw.random() < 0.3:
        return text[:place] + text[place + draw.choice((1, 3, 20)) :]
    return text[:place] + draw.choice((*ESCAPES, *PAYLOADS, "(", ")", "^", "-", "1e999", "`", "x")) + text[place:]


def _places(document: Any) -> list[tuple[Any, Any]]:
    """Every holder and key of a value."""
    found: list[tuple[Any, Any]] = []
    waiting = [document]
    while waiting:
        holder = waiting.pop()
        keys = holder.keys() if isinstance(holder, dict) else range(len(holder))
        for key in keys:
            found.append((holder, key))
            if isinstance(holder[key], dict | list) and holder[key]:
                waiting.append(holder[key])
    return found
