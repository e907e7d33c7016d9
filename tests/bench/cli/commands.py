"""The command line of the bench in this process, as if it were one of its own in a folder of its own."""

from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import pytest

from scalesr_bench.cli import main


class Done(NamedTuple):
    """How a command ended, and what it said."""

    returncode: int
    stdout: str
    stderr: str


def bench(folder: Path, *options: str) -> Done:
    """`scalesr-bench` with its runs kept in the folder."""
    out, err = StringIO(), StringIO()
    with pytest.MonkeyPatch.context() as patch, chdir(folder), redirect_stdout(out), redirect_stderr(err):
        patch.setenv("COLUMNS", "100")
        with pytest.raises(SystemExit) as ended:
            main([*options, "--runs", "r.jsonl"])
    assert isinstance(ended.value.code, int)
    return Done(ended.value.code, out.getvalue(), err.getvalue())
