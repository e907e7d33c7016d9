"""Code blocks of a page: what they run, and what they promise to print."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import scalesr_bench.cli
from scalesr import ScaleSRRegressor, cli

BLOCK = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROMISE = re.compile(r"^print\(.*\)  # (.*)$", re.MULTILINE)
UNHURRIED = 600.0  # seconds
ENOUGH_WORK = 30.0  # units of work in which the laws of most pages are found; noisy ones would go on looking for others
WAVES = 3000.0  # of pages with a law inside a function, which takes more of them
WITH_WAVES = ("oracle.md", "index.md")
RUN, SHOWN = ("python", "console"), ("text",)
PROGRAMS = {"scalesr": cli.main, "scalesr-bench": scalesr_bench.cli.main}


@dataclass(frozen=True)
class Block:
    """One block of code."""

    kind: str
    text: str


def blocks_of(page: Path) -> list[Block]:
    """The blocks of a page, in order."""
    return [Block(kind, text) for kind, text in BLOCK.findall(page.read_text(encoding="utf-8"))]


def run_page(page: Path) -> int:
    """Run the blocks of a page one after another in this folder; returns how many lines of output were compared."""
    names: dict[str, object] = {}
    n_compared = 0
    with without_hurry(WAVES if page.name in WITH_WAVES else ENOUGH_WORK):
        for block in blocks_of(page):
            if block.kind == "python":
                n_compared += _run_python(block.text, names)
            elif block.kind == "console":
                n_compared += _run_console(block.text)
    return n_compared


@contextlib.contextmanager
def without_hurry(work: float = ENOUGH_WORK) -> Iterator[None]:
    """Pages are written for readers with a minute; here work ends by its amount, on a busy machine too."""
    defaults = ScaleSRRegressor.__init__.__kwdefaults__
    own = patch.dict(defaults, time_limit=UNHURRIED, max_work=work)
    with own, patch("scalesr.cli.fit.TIME_LIMIT", UNHURRIED):
        yield


def _run_python(code: str, names: dict[str, object]) -> int:
    printed, promised = io.StringIO(), PROMISE.findall(code)
    with contextlib.redirect_stdout(printed):
        exec(code, names)  # noqa: S102 - our own documents
    lines = printed.getvalue().splitlines()
    assert len(lines) == len(promised), f"{len(promised)} lines are promised and {lines} printed"
    for line, promise in zip(lines, promised, strict=True):
        assert matches(line, promise), f"the page says {promise!r}, the code {line!r}"
    return len(lines)


def _run_console(text: str) -> int:
    """A line that begins with $ is a command of ours; the lines below it are its output."""
    command, _, promised = text.partition("\n")
    prompt, program, *arguments = shlex.split(command)
    assert (prompt, program in PROGRAMS) == ("$", True), f"{command!r} is not a command of ours"
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
        status = _status(PROGRAMS[program], _limited(arguments))
    assert status == 0, f"{command} ended with {status}"
    assert matches(printed.getvalue().strip(), promised.strip()), f"{command} printed\n{printed.getvalue()}"
    return len(promised.splitlines())


def _limited(arguments: list[str]) -> list[str]:
    """A fit without a limit of its own gets that of the pages."""
    has_own = any(argument in ("--max-work", "--time-limit") for argument in arguments)
    return arguments if arguments[0] != "fit" or has_own else [*arguments, "--max-work", str(ENOUGH_WORK)]


def _status(program: Callable[[list[str]], None], arguments: list[str]) -> object:
    try:
        program(arguments)
    except SystemExit as end:
        return end.code or 0
    return 0


def matches(text: str, promise: str) -> bool:
    """Whether a text is what was promised; three dots are anything on a line, on a line of their own any lines."""
    pattern = re.escape(promise)
    pattern = re.sub(r"^\\\.\\\.\\\.$", r"[\\s\\S]*", pattern, flags=re.MULTILINE)
    pattern = pattern.replace(r"\.\.\.", r"[^\n]*")
    return re.fullmatch(pattern, text) is not None
