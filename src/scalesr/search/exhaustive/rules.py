"""The fingerprint of the rules that shape the lists of skeletons: of what they do, not of what is said about them."""

from __future__ import annotations

import hashlib
import io
import tokenize
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import scalesr.expr.canonical
from scalesr.expr import normal_form
from scalesr.search.exhaustive import grammar, making

_STARTS = {tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}  # tokens after which a statement begins


@cache
def rules_stamp() -> str:
    """Fingerprint of the grammar and of the canonical form, the same for every version of Python."""
    modules = [Path(str(module.__file__)) for module in (grammar, making, scalesr.expr.canonical)]
    files = [*modules, *sorted(Path(str(normal_form.__file__)).parent.glob("*.py"))]
    return hashlib.sha256("\n".join(code_of(path.read_text("utf-8")) for path in files).encode()).hexdigest()


def code_of(source: str) -> str:
    """A module's source without its docstrings, comments and blank lines."""
    lines = source.splitlines()
    for first, last, column in _words(source):
        lines[first - 1] = lines[first - 1][:column]
        lines[first:last] = [""] * (last - first)
    return "\n".join(line.rstrip() for line in lines if line.strip())


def _words(source: str) -> Iterator[tuple[int, int, int]]:
    """First line, last line and first column of each comment and of each string that is a statement of its own."""
    tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    yield from ((*_lines(one), one.start[1]) for one in tokens if one.type == tokenize.COMMENT)
    spoken = [one for one in tokens if one.type not in {tokenize.COMMENT, tokenize.NL}]
    before = tokenize.NEWLINE
    for one, following in pairwise(spoken):
        if one.type == tokenize.STRING and before in _STARTS and following.type == tokenize.NEWLINE:
            yield *_lines(one), one.start[1]
        before = one.type


def _lines(token: tokenize.TokenInfo) -> tuple[int, int]:
    return token.start[0], token.end[0]
