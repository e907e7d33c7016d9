"""Lists of canonical skeletons by size, made once and kept on disk per set of operators.

Files are plain arrays, looked at before they are used (see list_file.py); one that is not sound is
made anew. They lie in the user's cache folder, or where SCALESR_CACHE says.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import scalesr.expr.canonical
from scalesr.errors import DataError
from scalesr.evidence.criterion import symbol_lengths
from scalesr.expr.canonical import canonical, canonical_key
from scalesr.expr.expression import Expression
from scalesr.expr.operators import Operators
from scalesr.expr.programs import Programs, pack
from scalesr.kernels.codes import OPEN, VARIABLE
from scalesr.search.exhaustive.grammar import Grammar
from scalesr.search.exhaustive.list_file import read_list, write_list

CHUNK = 256


class Level:
    """The canonical skeletons of one size that no smaller size has."""

    def __init__(self, packed: Programs, keys: NDArray[np.uint64]) -> None:
        self._packed, self.keys = packed, keys

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def n_columns(self) -> int:
        """Columns that the skeletons ask for."""
        return 1 + int(self._packed.args[self._packed.codes == VARIABLE].max(initial=-1))

    def __getitem__(self, index: int) -> Expression:
        if not 0 <= index < len(self):
            raise IndexError(index)
        codes, args, starts, constants, constant_starts = self._packed
        nodes = slice(starts[index], starts[index + 1])
        return Expression(codes[nodes], args[nodes], constants[constant_starts[index] : constant_starts[index + 1]])

    def prior_lengths(self, per_constant: float) -> NDArray[np.float64]:
        """What each skeleton costs before any data, in the terms of evidence/criterion.py."""
        codes, starts = self._packed.codes, self._packed.starts[:-1]
        if not len(self):
            return np.empty(0)
        n_open = np.add.reduceat(codes == OPEN, starts, dtype=np.int64)
        return np.asarray(np.add.reduceat(symbol_lengths(codes), starts) + per_constant * n_open)

    def chunks(self, where: NDArray[np.bool_] | None = None) -> Iterator[list[Expression]]:
        """The skeletons, or those of them that are marked, in lists of moderate length."""
        chosen = np.arange(len(self)) if where is None else np.flatnonzero(where)
        for start in range(0, len(chosen), CHUNK):
            yield [self[index] for index in chosen[start : start + CHUNK].tolist()]

    def save(self, path: Path) -> None:
        """Write to disk in one step, so that a reader never meets half a file."""
        write_list(path, self._packed, self.keys)

    @classmethod
    def load(cls, path: Path) -> Level | None:
        """Read from disk; None where there is no sound file."""
        stored = read_list(path)
        return None if stored is None else cls(*stored)


class SkeletonLists:
    """Levels of a grammar, made or loaded when they are first asked for."""

    def __init__(
        self, operators: Operators, n_variables: int, *, nested: bool = False, folder: Path | None = None
    ) -> None:
        self._grammar = Grammar(operators, n_variables, nested=nested)
        self._n_variables = n_variables
        self._levels: list[Level] = []
        words = [*sorted(operators.names), str(n_variables), str(nested), rules_stamp()]
        self._name = f"skeletons-{hashlib.sha256('|'.join(words).encode()).hexdigest()[:16]}"
        has_own = any(row.is_custom for row in operators)  # whose codes mean nothing elsewhere
        self._folder = None if has_own else folder or cache_folder()  # None: lists stay in memory

    def level(self, size: int, *, check: Callable[[], None] = lambda: None) -> Level:
        """Skeletons of a size, from 1 on; `check` is called now and then while they are made and may raise."""
        while len(self._levels) < size:
            self._levels.append(self._next(check))
        return self._levels[size - 1]

    def _next(self, check: Callable[[], None]) -> Level:
        size = len(self._levels) + 1
        if self._folder is None:
            return self._make(size, check)
        path = self._folder / f"{self._name}-{size}.list"
        stored = Level.load(path)
        if stored is not None and stored.n_columns <= self._n_variables:
            return stored
        made = self._make(size, check)
        with suppress(DataError):  # a read-only home or a full disk: the list is made again next time
            made.save(path)
        return made

    def _make(self, size: int, check: Callable[[], None]) -> Level:
        seen = {key for level in self._levels for key in level.keys.tolist()}
        forms: list[Expression] = []
        keys: list[int] = []
        for count, skeleton in enumerate(self._grammar.skeletons(size)):
            if count % CHUNK == 0:
                check()
            first_key = _number(canonical_key(skeleton))
            if first_key in seen:
                continue
            form = canonical(skeleton)
            key = _number(canonical_key(form))  # a rare form is only settled on the second look
            if key not in seen:
                keys.append(key)
                forms.append(form)
            seen |= {first_key, key}
        order = sorted(range(len(forms)), key=lambda i: (forms[i].n_open, forms[i].n_nodes, i))  # the cheap ones first
        return Level(pack([forms[i] for i in order]), np.array([keys[i] for i in order], np.uint64))


@cache
def skeleton_lists(operators: Operators, n_variables: int, nested: bool) -> SkeletonLists:
    """The lists of a grammar, shared by all searches of this process."""
    return SkeletonLists(operators, n_variables, nested=nested)


def cache_folder() -> Path | None:
    """Where lists are kept; None for a user without a home, whose lists stay in memory."""
    if given := os.environ.get("SCALESR_CACHE"):
        return Path(given)
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "scalesr"
    except RuntimeError:
        return None


@cache
def rules_stamp() -> str:
    """Fingerprint of the rules that shape the lists: the grammar and the canonical form."""
    form = Path(scalesr.expr.canonical.__file__)
    files = [Path(__file__).with_name("grammar.py"), form, *sorted((form.parent / "normal_form").glob("*.py"))]
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def _number(key: str) -> int:
    return int.from_bytes(hashlib.blake2b(key.encode(), digest_size=8).digest(), "little")
