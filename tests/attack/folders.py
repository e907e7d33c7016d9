"""Hostile folders: Parquet that is read in passes, what is kept of a batch, and the runs of the page."""

from __future__ import annotations

import io
import json
import random
import shutil
from contextlib import nullcontext, redirect_stdout, suppress
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from scalesr.app.laws import loaded, shown
from scalesr.cli.output import say_lines
from scalesr.cluster.fit_many import Laws, fit_many
from scalesr.cluster.summary import write_summary
from scalesr.errors import DataError, FormulaError
from scalesr.runs import process
from scalesr.runs.exports import EXPORTS, export
from scalesr.runs.find import find_law
from scalesr.runs.judged import judged, propose
from scalesr.runs.plan import Plan
from scalesr.runs.process import Processes
from scalesr.runs.project import Project
from scalesr.runs.run import RunFolder
from scalesr.runs.state import Phase
from scalesr.runs.understood import understood
from scalesr.tables import read_table
from scalesr.tables.streams import goes_in_passes, open_stream
from tests.attack.laws import formula
from tests.attack.mutation import mutated_bytes, mutated_json
from tests.attack.tally import Tally

LINE = b"x,y\n" + b"".join(b"%d,%d\n" % (x, 3 * x + 2) for x in range(40))
WORDS = ("understood", "progress", "view", "judged", "summary")  # files of values of a run
DAMAGED = (AttributeError, LookupError, TypeError, ValueError, ArithmeticError)  # which a page tells as such


def attack_streams(draw: random.Random, n: int, tally: Tally, folder: Path) -> None:
    """Folders of Parquet of which some parts are broken, odd or something else, read to their end in batches."""
    for place in range(n):
        parts = folder / "parts"
        shutil.rmtree(parts, ignore_errors=True)
        parts.mkdir()
        for number in range(draw.choice((1, 2, 3))):
            content = draw.choice(_tables())
            hostile = content if draw.random() < 0.5 else mutated_bytes(draw, content)
            (parts / f"p{number}.parquet").write_bytes(hostile)
        match draw.randrange(8):
            case 0:
                (parts / "notes.csv").write_bytes(LINE)
            case 1:
                (parts / "loop.parquet").symlink_to(parts)
            case 2:
                (parts / "empty.parquet").touch()
        with tally.attempt(f"stream {place}"):
            _read_through(
                parts if draw.random() < 0.8 else parts / draw.choice(("p0.parquet", "*.parquet", "p?.parquet"))
            )


def _read_through(path: Path) -> None:
    goes_in_passes(path)
    stream = open_stream(path)
    if len(stream.names) > 1:
        stream = stream.select(keep=[stream.names[-1]])
    for batch in stream.batches(stream.names):
        assert batch.shape[0] == len(stream.names)


@cache
def _tables() -> tuple[bytes, ...]:
    """Parquet of different columns, types and packings."""
    import pyarrow as pa
    from pyarrow import parquet

    x = np.linspace(0, 1, 200)
    tables: tuple[dict[str, Any], ...] = (
        {"x": x, "y": 2 * x}, {"x": x, "y": x > 0.5}, {"x": x.astype(str), "y": x},
        {"x": np.arange(200), "y": x, "z": x},
        {"x": pa.array([None] * 200, pa.float64()), "y": x}, {"x": pa.array([1] * 200, pa.decimal128(5, 2)), "y": x},
        {"x\x1b[2J": x, "=y": x}, {"x": [[1.0]] * 200, "y": x}, {"x": pa.array([2**63] * 200, pa.uint64()), "y": x},
    )  # fmt: skip
    found = []
    for table in tables:
        for packing in ("none", "snappy", "gzip"):
            file = io.BytesIO()
            parquet.write_table(pa.table(table), file, compression=packing, row_group_size=64)
            found.append(file.getvalue())
    return tuple(found)


def attack_batches(draw: random.Random, n: int, tally: Tally, folder: Path) -> None:
    """Folders of batches with other lines, laws and summaries: known laws are taken, others are found again."""
    tables, laws = folder / "tables", folder / "laws"
    tables.mkdir()
    (tables / "a.csv").write_bytes(LINE)
    settings: dict[str, Any] = {"max_work": 1, "time_limit": None, "random_state": 0}
    first = fit_many(tables, "y", output=laws, n_jobs=1, **settings)
    whole = {path: path.read_bytes() for path in laws.rglob("*.json")}
    for place in range(n):
        for path, content in whole.items():
            path.write_bytes(content)
        path = draw.choice(sorted(whole))
        document = json.loads(whole[path])
        is_text = draw.random() < 0.7
        changed = json.dumps(mutated_json(draw, document)).encode() if is_text else mutated_bytes(draw, whole[path])
        path.write_bytes(changed)
        with tally.attempt(f"batch {place}, {path.name}"):
            _go_on(fit_many(tables, "y", output=laws, n_jobs=1, **settings), first, laws, tally)
        if (tables / "a.csv").read_bytes() != LINE:
            tally.lost.append(f"batch {place}: the table has changed")


def _go_on(found: Laws, first: Laws, folder: Path, tally: Tally) -> None:
    out = io.StringIO()
    with redirect_stdout(out):
        say_lines(line.sentence for line in found.lines)
    tally.check_text(out.getvalue(), "a line")
    write_summary(folder, found.lines)
    for name in found:
        if str(found[name].equation_) != str(first[name].equation_):
            raise DataError("The law is another one, as its file says.")


def attack_runs(draw: random.Random, n: int, tally: Tally, folder: Path) -> None:
    """Folders of the page's runs with other values or bytes: listed, continued, judged and exported."""
    project = Project.opened(folder / "runs")
    run = _finished(project)
    whole = {path: path.read_bytes() for path in run.path.iterdir() if path.suffix == ".json"}
    other = project.create("other", [LINE])
    other.set_state(Phase.WAITING)
    for place in range(n):
        for path, content in whole.items():
            path.write_bytes(content)
        path = draw.choice(sorted(whole))
        document = json.loads(whole[path])
        is_text = draw.random() < 0.8
        changed = json.dumps(mutated_json(draw, document)).encode() if is_text else mutated_bytes(draw, whole[path])
        path.write_bytes(changed)
        with tally.attempt(f"run {place}, {path.name}"):
            _look(project, other, tally)  # the other run is not hindered
            _use(run, draw)


def _finished(project: Project) -> RunFolder:
    run = project.create("=table\x1b[2J", [LINE])
    plan = Plan(target="y", time_limit=20.0)
    run.set_values("understood", understood(read_table(run.table, run.name)))
    run.set_plan(plan)
    find_law(run, plan, lambda _: nullcontext())
    run.set_values("judged", {"laws": [{"formula": "2*x"}]})
    return run


def _look(project: Project, other: RunFolder, tally: Tally) -> None:
    """What the server does with all runs, whatever one of them holds."""
    started: list[Any] = []
    with patch.object(process.subprocess, "Popen", lambda command, **_: started.append(command) or nullcontext()):
        processes = Processes(project, most=1000)
        processes.advance()
    if not any(str(other.path) in command for command in started):
        tally.lost.append("A run hinders another one.")
    other.set_state(Phase.WAITING)


def _use(run: RunFolder, draw: random.Random) -> None:
    assert run.state.seconds >= 0
    plan = run.plan
    if plan is not None:
        plan.command(run.name)
    for word in WORDS:
        run.values(word)
    judged(run)
    with suppress(FormulaError):
        propose(run, formula(draw))
    form = draw.choice([form for form in EXPORTS if form != "report"])
    export(run, form)
    try:
        found = shown(run)
        if found is not None:
            found.on_rows(found.discovery.equation)
            found.along(found.discovery.equation, 0, found.view["middle"])
    except DAMAGED as error:
        raise DataError("The files of this run are not as they were written.") from error
    loaded(run)
