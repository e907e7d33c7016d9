"""Where results go: the screen, files, and the sentence for those that could not be written."""

from __future__ import annotations

import glob
import json
import os
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, Final, TextIO

import typer

from scalesr.atomic import require_writable, write_atomically
from scalesr.cli.signals import while_read
from scalesr.errors import DataError, ScaleSRError
from scalesr.visible import visible, visible_lines

JsonPath = Annotated[Path | None, typer.Option("--json", metavar="PATH", help="Write the result as JSON; - prints it.")]

STANDARD_OUTPUT: Final = Path("-")
BAD_INPUT: Final = 2
PRINTED: Final = ("--json", "--output")  # options whose result may go to the screen


def say(text: str, *, nl: bool = True) -> None:
    """A text on standard output, without control characters; a reader that goes away ends nothing."""
    try:
        with while_read():
            typer.echo(visible_lines(text), nl=nl)
    except BrokenPipeError:
        silence(sys.stdout)
    except OSError as error:
        silence(sys.stdout)
        raise DataError(f"Standard output cannot be written: {error.strerror or error}.") from error


def say_lines(lines: Iterable[str]) -> None:
    """Lines on standard output; a line break within one of them is shown, not made."""
    say("\n".join(map(visible, lines)))


def tell(lines: Iterable[str], *, indent: str = "") -> None:
    """Lines on standard error, where they do not mix with results; nobody has to hear them."""
    for line in lines:
        _show(visible(indent + line), nl=True)


def tell_over(line: str, *, is_last: bool) -> None:
    """A line on a terminal in the place of the one that was told before."""
    _show(f"\r\x1b[K{visible(line)}", nl=is_last)


def _show(text: str, *, nl: bool) -> None:
    try:
        with while_read():
            typer.echo(text, err=True, nl=nl)
    except OSError:
        silence(sys.stderr)


def silence(stream: TextIO | None) -> None:
    """Let what is still to be written to a stream that cannot be written go nowhere."""
    if stream is None:
        return
    with suppress(OSError, ValueError):  # a stream without a descriptor keeps what it has
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def write_json(path: Path, result: object) -> None:
    """Write `result` to a file, or to the screen where `path` is -."""
    write_text(path, json.dumps(result, indent=2, allow_nan=False) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write a text to a file, or to the screen where `path` is -."""
    if path == STANDARD_OUTPUT:
        say(text, nl=False)
        return
    _make_folder(path)
    write_atomically(path, text.encode("utf-8", errors="backslashreplace"))


def check_targets(targets: Mapping[str, Path | None], inputs: Iterable[Path]) -> None:
    """Refuse files that cannot be written, are read from or are asked for twice, before any work is done for them.

    `targets` are paths by their options. An input may be a folder, or a pattern of names: of a folder all is read.
    """
    read = {file.resolve() for path in inputs if path != STANDARD_OUTPUT for file in _files(path)}
    taken: dict[Path, str] = {}
    for option, path in targets.items():
        if path == STANDARD_OUTPUT and option not in PRINTED:
            raise DataError(f"{option} is written to a file; only {' and '.join(PRINTED)} can be printed with -.")
        if path is None or path == STANDARD_OUTPUT:
            continue
        if option == "--json":
            _make_folder(path)
        require_writable(path)
        if folder := next((other for other in read if other.is_dir() and path.resolve().is_relative_to(other)), None):
            raise DataError(f"{option} {path} is in the folder that is read, {folder}; choose another place.")
        if any(_is_stream(path, stream) for stream in (sys.stdout, sys.stderr)):
            raise DataError(f"{option} {path} is where the output of this command goes already; choose another file.")
        if any(_is_same(path, other) for other in read):
            raise DataError(f"{option} {path} is the file that is read; nothing is written over it. Choose another.")
        other = next((name for known, name in taken.items() if _is_same(path, known)), None)
        if other is not None and path.resolve() != Path(os.devnull):
            raise DataError(f"{other} and {option} name the same file, {path}; give each its own.")
        taken[path.resolve()] = option


class Delivery:
    """The handing over of a result in parts: one that fails costs no other, and is told at the end."""

    def __init__(self) -> None:
        self._failures: list[str] = []

    @contextmanager
    def part(self) -> Iterator[None]:
        """A part of the result."""
        try:
            yield
        except ScaleSRError as error:
            self._failures.append(str(error))
        except KeyboardInterrupt:
            self._failures.append("Interrupted before everything was written.")

    def fail(self, failures: Iterable[str]) -> None:
        """Take note of parts that have failed elsewhere."""
        self._failures.extend(failures)

    def close(self) -> None:
        """Tell what failed, if anything did, and end with the exit code for it."""
        if self._failures:
            tell(f"Error: {failure}" for failure in self._failures)
            raise typer.Exit(BAD_INPUT)


def _make_folder(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"{path} cannot be written: {error.strerror or error}. Choose another file.") from error


def _files(path: Path) -> list[Path]:
    """What a path stands for: itself, or the files that a pattern names."""
    return [path] if path.exists() else [path, *map(Path, glob.glob(str(path), recursive=True))]  # noqa: PTH207


def _is_stream(path: Path, stream: TextIO | None) -> bool:
    """Whether a stream goes to the file at a path, in whose place another would come."""
    try:
        there = os.fstat(-1 if stream is None else stream.fileno())
        return stat.S_ISREG(there.st_mode) and os.path.samestat(there, path.stat())
    except (OSError, ValueError):  # there is no such file, or no descriptor
        return False


def _is_same(path: Path, other: Path) -> bool:
    """Whether two paths lead to one file, by links of either kind."""
    if path.resolve() == other:
        return True
    try:
        return path.samefile(other)
    except OSError:
        return False
