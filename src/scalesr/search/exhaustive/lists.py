"""Lists of canonical skeletons by size, made once and kept on disk per set of operators.

Files are plain arrays, looked at before they are used (see list_file.py); one that is not sound is
made again. Those of the default operators come with the package, others lie in the user's cache folder,
or where SCALESR_CACHE says.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import DataError
from scalesr.evidence.criterion import symbol_lengths
from scalesr.expr.expression import Expression
from scalesr.expr.operators import Operators
from scalesr.expr.programs import Programs, pack
from scalesr.expr.threads import SECONDS_BETWEEN_LOOKS
from scalesr.kernels.codes import OPEN, VARIABLE
from scalesr.search.exhaustive.grammar import Grammar
from scalesr.search.exhaustive.list_file import read_list, write_list
from scalesr.search.exhaustive.making import CHUNK, Making, number_of
from scalesr.search.exhaustive.rules import rules_stamp

SHIPPED = Path(__file__).with_name("shipped")  # lists that come with the package, see shipping.py


class Level:
    """The canonical skeletons of one size that no smaller size has."""

    def __init__(self, packed: Programs) -> None:
        self._packed = packed

    def __len__(self) -> int:
        return len(self._packed.starts) - 1

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
        write_list(path, self._packed)

    @classmethod
    def load(cls, path: Path) -> Level | None:
        """Read from disk; None where there is no sound file."""
        stored = read_list(path)
        return None if stored is None else cls(stored)


class _Begun(Making):
    """A list in the making, of which can be had what there is."""

    def so_far(self) -> list[Expression]:
        """The forms that have been made, the cheap ones first."""
        return sorted(self._forms, key=lambda form: (form.n_open, form.n_nodes))


class SkeletonLists:
    """Levels of a grammar, made or loaded when they are first asked for, by as many threads as like."""

    def __init__(
        self, operators: Operators, n_variables: int, *, nested: bool = False, folder: Path | None = None
    ) -> None:
        self._grammar = Grammar(operators, n_variables, nested=nested)
        self._n_variables = n_variables
        self._levels: list[Level] = []
        self._making: _Begun | None = None  # the next level, where a search that asked for it has ended before it
        self._seen: set[int] | None = None  # keys of all levels so far, where the last of them was made here
        self._lock = Lock()
        words = [*sorted(operators.names), str(n_variables), str(nested), rules_stamp()]
        self._name = f"skeletons-{hashlib.sha256('|'.join(words).encode()).hexdigest()[:16]}"
        has_own = any(row.is_custom for row in operators)  # whose codes mean nothing elsewhere
        self._folder = None if has_own else folder or cache_folder()  # None: lists stay in memory
        self._places = [] if has_own else [place for place in (folder or SHIPPED, self._folder) if place]

    def file_name(self, size: int) -> str:
        """The name of the file for a size, which no other grammar and no other rules have."""
        return f"{self._name}-{size}.list"

    def level(self, size: int, *, check: Callable[[], None] = lambda: None) -> Level:
        """Skeletons of a size, from 1 on; `check` is called now and then while they are made and may raise.

        What was made by then is kept, and the next one who asks goes on from there.
        """
        while len(self._levels) < size:
            while not self._lock.acquire(timeout=SECONDS_BETWEEN_LOOKS):
                check()
            try:
                if len(self._levels) < size:
                    self._levels.append(self._next(check))
            finally:
                self._lock.release()
        return self._levels[size - 1]

    def begun(self, size: int) -> Level:
        """What has been made of a size so far: nothing where it is not the next one, or another thread is making it."""
        if len(self._levels) >= size:
            return self._levels[size - 1]
        forms: list[Expression] = []
        if self._lock.acquire(blocking=False):
            try:
                if self._making is not None and len(self._levels) == size - 1:
                    forms = self._making.so_far()
            finally:
                self._lock.release()
        return Level(pack(forms))

    def _next(self, check: Callable[[], None]) -> Level:
        name = self.file_name(len(self._levels) + 1)
        for place in self._places:
            stored = Level.load(place / name)
            if stored is not None and stored.n_columns <= self._n_variables:
                self._seen = None
                return stored
        made = self._made(check)
        if self._folder is not None:
            with suppress(DataError):  # a read-only home or a full disk: the list is made again next time
                made.save(self._folder / name)
        return made

    def _made(self, check: Callable[[], None]) -> Level:
        if self._making is None:
            seen = self._seen or self._keys_of_levels(check)
            self._making, self._seen = _Begun(self._grammar.skeletons(len(self._levels) + 1), seen), None
        try:
            forms = self._making.finished(check)
        except BaseException:
            self._making = self._making if self._making.is_at_rest else None
            raise
        self._seen, self._making = self._making.seen, None
        return Level(pack(forms))

    def _keys_of_levels(self, check: Callable[[], None]) -> set[int]:
        """What tells the families of all smaller sizes apart from new ones."""
        seen: set[int] = set()
        for level in self._levels:
            for chunk in level.chunks():
                check()
                seen.update(map(number_of, chunk))
        return seen


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
