"""How a benchmark begins and ends: stored runs that do not count, and where its result goes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scalesr.cli.output import STANDARD_OUTPUT, tell, write_json

if TYPE_CHECKING:
    from scalesr_bench.run_log import RunLog


def open_runs(path: Path, run_limit: str, *, accept_stale: bool) -> RunLog:
    """The file of finished runs; how many of them are of other code or limits is told."""
    from scalesr_bench.run_log import open_log

    log = open_log(path, run_limit, accept_stale=accept_stale)
    tell_stale(log, accept_stale=accept_stale)
    return log


def tell_stale(log: RunLog, *, accept_stale: bool) -> None:
    """Say how many stored runs are of other code or limits, and what becomes of them."""
    if log.n_stale:
        what = "count all the same" if accept_stale else "do not count; --accept-stale would count them"
        tell([f"{log.n_stale} stored runs of other code or time limits {what}."])


def deliver(path: Path | None, result: Mapping[str, Any], show: Callable[[], None]) -> None:
    """Show a result unless the screen gets its JSON, and write it with where it was made where there is a path."""
    from scalesr_bench.machine import provenance

    if path != STANDARD_OUTPUT:
        show()
    if path is not None:
        write_json(path, provenance() | dict(result))
