"""Hostile checkpoints, skeleton lists and tables in every format that is read."""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
import re
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from scalesr import pipeline
from scalesr.errors import DataError
from scalesr.expr.evaluate import evaluate_many
from scalesr.expr.operators import Operators
from scalesr.model_files.checkpoint import checksum_of, fit_of, read_checkpoint, search_of
from scalesr.model_files.values import Fault
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr.search.exhaustive import list_file
from scalesr.search.exhaustive.lists import Level, SkeletonLists
from scalesr.tables import Wanted, choose_rows, read_table
from tests.attack.mutation import ESCAPES, PAYLOADS, mutated_bytes, mutated_json
from tests.attack.tally import Tally

RNG = np.random.default_rng(0)
X = RNG.uniform(1, 3, (25, 1))
DATA = Dataset.from_table(X, 2 * X[:, 0] ** 1.3 + 0.1 * RNG.normal(size=25), names=["x"])


def attack_checkpoints(draw: random.Random, n: int, tally: Tally, folder: Path) -> None:
    """Checkpoints with other values or bytes, half of them with a checksum that is right again."""
    path = folder / "run.json"
    settings = Settings(checkpoint=path, search="gp", time_limit=2, plain_laws=False)
    pipeline.discover(DATA, settings, rng=np.random.default_rng(0))
    content = path.read_bytes()
    document = json.loads(content)
    for place in range(n):
        hostile = json.dumps(mutated_json(draw, document)) if draw.random() < 0.7 else None
        text = hostile or mutated_bytes(draw, content).decode("utf-8", errors="replace")
        path.write_text(_sealed(text) if draw.random() < 0.5 else text, encoding="utf-8", errors="replace")
        with tally.attempt(f"checkpoint {place}"):
            _resume(path)


def _sealed(text: str) -> str:
    return re.sub('"checksum": "[0-9a-f]*"', f'"checksum": "{checksum_of(text)}"', text, count=1)


def _resume(path: Path) -> None:
    """All that a run would read of a checkpoint."""
    found = read_checkpoint(path)
    try:
        for document in found.searches.values():
            search_of(document)
        for document in found.fits.values():
            fit_of(document)
    except Fault as fault:
        raise DataError(str(fault)) from fault


def attack_caches(draw: random.Random, n: int, tally: Tally, folder: Path) -> None:
    """Lists of skeletons with other bytes, two thirds of them with a right checksum; all are evaluated."""
    lists = SkeletonLists(Operators("physics"), 1, folder=folder)
    lists.level(4)
    path = sorted(folder.glob("*.list"))[3]
    content = path.read_bytes()
    start = len(list_file.MAGIC) + 32
    arrays = list_file.zlib.decompress(content[start:])
    expected = [str(lists.level(4)[i]) for i in range(len(lists.level(4)))]
    for place in range(n):
        kind = draw.randrange(3)
        if kind == 0:
            path.write_bytes(mutated_bytes(draw, content))
        else:
            body = list_file.zlib.compress(mutated_bytes(draw, arrays), 1)
            body = body if kind == 1 else mutated_bytes(draw, content[start:])
            path.write_bytes(list_file.MAGIC + list_file._digest(path, body) + body)
        with tally.attempt(f"list {place} of kind {kind}"):
            _evaluate(path, expected, is_sealed=kind > 0, tally=tally)


def _evaluate(path: Path, expected: list[str], *, is_sealed: bool, tally: Tally) -> None:
    level = Level.load(path)
    if level is None:
        raise DataError("It is made again.")
    forms = [level[i] for i in range(len(level))]
    if not is_sealed and list(map(str, forms)) != expected:
        tally.lost.append(f"{path}: a list that is not the one that was written")
    closed = [form.bind(np.ones(form.n_open)) for form in forms if form.n_columns <= 1]
    with np.errstate(all="ignore"):
        evaluate_many(closed, np.linspace(0.1, 2, 7)[:, np.newaxis])


def attack_tables(draw: random.Random, n: int, tally: Tally, folder: Path) -> None:
    """Tables of every format with other bytes, outside or inside of their containers."""
    del folder
    makers = list(_makers())
    for place in range(n):
        name, content = draw.choice(makers)()
        hostile = _inside(draw, content) if name in ("xlsx", "npz") and draw.random() < 0.7 else None
        if hostile is None and draw.random() < 0.95:
            hostile = mutated_bytes(draw, content)
        packed = gzip.compress(hostile or content, 1) if draw.random() < 0.1 else hostile or content
        with tally.attempt(f"table {place}, {name}"):
            _read(packed, tally, f"table {place}, {name}")


def _read(content: bytes, tally: Tally, what: str) -> None:
    table = read_table(io.BytesIO(content), "a\x1b[2Jtable")
    numeric = [column.name for column in table.columns if column.numbers is not None]
    if len(numeric) > 1:
        rows = choose_rows(table, Wanted(numeric[-1]))
        assert np.isfinite(rows.X).all()
    del tally, what


def _inside(draw: random.Random, content: bytes) -> bytes:
    """A zip file with one of its parts changed."""
    changed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(changed, "w", zipfile.ZIP_DEFLATED) as new:
        names = old.namelist()
        chosen = draw.choice(names)
        for name in names:
            part = old.read(name)
            new.writestr(name, mutated_bytes(draw, part) if name == chosen else part)
    return changed.getvalue()


def _makers() -> tuple[Callable[[], tuple[str, bytes]], ...]:
    return tuple(lambda kind=kind, make=make: (kind, make()) for kind, make in _FORMATS.items())  # type: ignore[misc]


@cache
def _csv() -> bytes:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["x", ESCAPES[0], PAYLOADS[2], "größe (µm)", "y"])
    for i in range(30):
        writer.writerow([i, 0.5 * i, f"{i},5", "" if i == 7 else -i, 1e3 * i])
    return text.getvalue().encode("utf-8", errors="replace")


@cache
def _spaces() -> bytes:
    return b"# x y z\n" + b"".join(b"%d %d.5 1e-%d\n" % (i, i, i) for i in range(30))


@cache
def _npy() -> bytes:
    file = io.BytesIO()
    np.save(file, np.random.default_rng(0).normal(size=(20, 3)))
    return file.getvalue()


@cache
def _structured() -> bytes:
    file = io.BytesIO()
    np.save(file, np.array([(i, 0.5 * i, b"a") for i in range(9)], dtype=[("n", "i4"), ("v", "f8"), ("s", "S3")]))
    return file.getvalue()


@cache
def _npz() -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, X=np.ones((12, 2)), y=np.arange(12))
    return file.getvalue()


@cache
def _xlsx() -> bytes:
    from openpyxl import Workbook

    book, file = Workbook(), io.BytesIO()
    for i in range(15):
        book.active.append(["x", "name", "y"] if i == 0 else [i, f"row {i}", 2.5 * i])
    book.save(file)
    return file.getvalue()


@cache
def _parquet() -> bytes:
    import pyarrow as pa
    from pyarrow import parquet

    file = io.BytesIO()
    parquet.write_table(
        pa.table({"x": [1.5, None, 3.0], "n": [1, 2, 3], "ok": [True, False, None], "s": list("abc")}), file
    )
    return file.getvalue()


_FORMATS: dict[str, Callable[[], bytes]] = {
    "csv": _csv,
    "txt": _spaces,
    "npy": _npy,
    "structured": _structured,
    "npz": _npz,
    "xlsx": _xlsx,
    "parquet": _parquet,
}
