"""`--restart`: a checkpoint is put aside while its work is done again."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scalesr.errors import DataError


@contextmanager
def begun_anew(checkpoint: Path | None) -> Iterator[None]:
    """A block in which a checkpoint is not there; it is lost when the block has made its own, and not before."""
    from scalesr.model_files.checkpoint import is_checkpoint

    if checkpoint is None or not checkpoint.exists():
        yield
        return
    if not is_checkpoint(checkpoint):
        raise DataError(f"{checkpoint} is not a checkpoint, so that --restart does not remove it; choose another file.")
    place = checkpoint.resolve()
    aside = _free_name(place)
    place.replace(aside)
    try:
        yield
    finally:
        if place.exists():
            aside.unlink(missing_ok=True)
        else:
            aside.replace(place)


def _free_name(place: Path) -> Path:
    """A name beside a file that no other file has."""
    names = (f"{place.name}.before{count or ''}" for count in itertools.count())
    return next(path for path in map(place.with_name, names) if not os.path.lexists(path))
