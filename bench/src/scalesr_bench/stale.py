"""Which stored results are older than the last change of the code that could change them.

Two commits are compared file by file, over the folders that a result depends on. A file counts as changed where its
code differs: comments, docstrings, layout and the place that a name is imported from do not count, and a file that
was only moved counts as the same.
"""

from __future__ import annotations

import ast
import hashlib
import json
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from scalesr.errors import DataError

_PRODUCT, _BENCH = "src/scalesr/", "bench/src/scalesr_bench/"
_ENGINE: Final = ("kernels", "expr")
_SEARCH: Final = (*_ENGINE, "records", "evidence", "search")
_METHOD: Final = (*_SEARCH, "generator", "control", "chain", "polish", "reduce", "groups", "pipeline")
_JUDGE: Final = ("problems", "judge.py", "form_judge.py", "samplers.py", "data")

# First word of a result's name -> the parts of the product and of the bench that it depends on; others depend on all.
DEPENDS: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "canonical": (("expr",), ("canonical",)),
    "dynamics": ((*_METHOD, "dynamics", "estimators"), ("dynamics",)),
    "engine": (_ENGINE, ("engine",)),
    "groups": (_METHOD, ("groups", "judge.py", "form_judge.py")),
    "knowledge": (_METHOD, ("knowledge", "judge.py", "form_judge.py")),
    "laws": ((*_METHOD, "paper"), ("laws", "adapters", *_JUDGE)),
    "mcts": (_SEARCH, ("mcts_speed.py",)),
    "paper": ((*_METHOD, "paper", "dynamics"), ("paper", "laws", "dynamics", "analysis", "adapters", *_JUDGE)),
    "public": ((*_METHOD, "estimators"), ("public", "predictors.py", "data")),
    "scaling": (_METHOD, ("scaling.py", "problems")),
    "search": (_SEARCH, ("search", *_JUDGE)),
    "verdict": (_METHOD, ("verdict", "judge.py", "form_judge.py")),
}
_EVERYTHING: Final = (_PRODUCT, _BENCH)


@dataclass(frozen=True, slots=True)
class Age:
    """How old a stored result is."""

    name: str
    day: str
    commit: str
    changed: tuple[str, ...] = ()  # files of today whose code differs from that of the commit
    reason: str = ""  # why the result cannot be compared with today's code at all

    @property
    def is_stale(self) -> bool:
        return bool(self.changed or self.reason)

    @property
    def sentence(self) -> str:
        """Whether the result still holds, and why not."""
        if self.reason or not self.changed:
            return self.reason or "No code that it depends on has changed since."
        first, more = ", ".join(self.changed[:3]), len(self.changed) - 3
        return f"{len(self.changed)} files have changed since: {first}{f' and {more} more' if more > 0 else ''}."


def depends_on(name: str) -> tuple[str, ...]:
    """Folders and files, as beginnings of paths, that a result of this name depends on."""
    product, bench = DEPENDS.get(name.partition("-")[0], (None, None))
    if product is None or bench is None:
        return _EVERYTHING
    return tuple(f"{_PRODUCT}{part}" for part in product) + tuple(f"{_BENCH}{part}" for part in bench)


def ages(results: Path, root: Path, names: Sequence[str] = ()) -> list[Age]:
    """The age of every result in a folder, or of those that are named, against the last commit of the repository."""
    paths = sorted(results.glob("*.json"))
    if unknown := set(names) - {path.stem for path in paths}:
        raise DataError(f"{results} has no result {sorted(unknown)[0]!r}; it has {', '.join(p.stem for p in paths)}.")
    history = _History(root)
    return [_age(path, history) for path in paths if not names or path.stem in names]


def _age(path: Path, history: _History) -> Age:
    try:
        result: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(f"{path} cannot be read as a result: {error}.") from error
    commit, day = str(result.get("commit", "unknown")), str(result.get("day", "unknown"))
    if result.get("uncommitted_changes"):
        return Age(path.stem, day, commit, reason="It was measured with changes that were not committed.")
    changed = history.changed_since(commit)
    if changed is None:
        return Age(path.stem, day, commit, reason="The history of this repository does not have its commit.")
    parts = depends_on(path.stem)
    return Age(path.stem, day, commit, tuple(file for file in changed if _lies_in(file, parts)))


def _lies_in(file: str, parts: Iterable[str]) -> bool:
    return any(file == part or file.startswith(f"{part.rstrip('/')}/") for part in parts)


class _History:
    """Files whose code differs between a commit and the last one; each question is answered once."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._changed: dict[str, list[str] | None] = {}
        self._codes: dict[str, str] = {}  # blob -> digest of its code
        if self._git("rev-parse", "HEAD") is None:
            raise DataError(f"{root} has no history of git; results are compared with commits.")

    def changed_since(self, commit: str) -> list[str] | None:
        """Paths of today, the product's first; None where the commit is not known."""
        if commit not in self._changed:
            is_known = commit.isalnum() and self._git("rev-parse", "--verify", f"{commit}^{{commit}}") is not None
            self._changed[commit] = self._differing(commit) if is_known else None
        return self._changed[commit]

    def _differing(self, commit: str) -> list[str]:
        pairs = {
            fields[-1]: (words[2], words[3])
            for fields in self._raw(commit)
            if (words := fields[0].split())[4] != "R100"  # moved and otherwise the same
        }
        self._read(blob for pair in pairs.values() for blob in pair)
        differing = [path for path, (old, new) in pairs.items() if self._codes[old] != self._codes[new]]
        return sorted(differing, key=lambda path: (not path.startswith(_PRODUCT), path))

    def _raw(self, commit: str) -> list[list[str]]:
        """What `git diff --raw` says of each file: modes, blobs and status; old path; new path where it was moved."""
        options = ("--raw", "-M30%", "-l3000", "--abbrev=40", "--no-ext-diff")
        found = self._git("diff", *options, commit, "HEAD", "--", "src", "bench") or b""
        return [line.decode(errors="replace").split("\t") for line in found.splitlines()]

    def _read(self, blobs: Iterable[str]) -> None:
        """Digest the code of blobs that are not known yet, all in one process of git."""
        missing = sorted({blob for blob in blobs if blob not in self._codes})
        self._codes |= {blob: "" for blob in missing if not blob.strip("0")}  # no file on this side
        wanted = [blob for blob in missing if blob not in self._codes]
        if not wanted:
            return
        content = self._git("cat-file", "--batch", given="\n".join(wanted).encode()) or b""
        place = 0
        for blob in wanted:
            head, _, _ = content[place:].partition(b"\n")
            start = place + len(head) + 1
            place = start + int(head.split()[2]) + 1
            self._codes[blob] = code_digest(content[start : place - 1])

    def _git(self, *command: str, given: bytes | None = None) -> bytes | None:
        try:
            done = subprocess.run(["git", *command], cwd=self.root, input=given, capture_output=True, check=True)
        except (OSError, subprocess.CalledProcessError):
            return None
        return done.stdout


def code_digest(content: bytes) -> str:
    """The same text for contents that do the same: of Python the code alone, of anything else every byte."""
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError):
        return hashlib.sha256(content).hexdigest()
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    imported = sorted(alias.asname or alias.name for node in imports for alias in node.names)
    tree.body = [node for node in tree.body if node not in imports]
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            node.module = None
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = _without_docstring(node.body)
    return hashlib.sha256(f"{imported} {ast.dump(tree)}".encode()).hexdigest()


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    is_text = bool(body) and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
    return body[1:] if is_text else body
