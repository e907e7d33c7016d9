"""Compiled code on disk: where it is kept, so that it is compiled once per machine.

The places, best first: the package's own folder, the user's, and a private temporary one that this process
removes; a folder that NUMBA_CACHE_DIR names takes the place of the first two. Code is read from wherever it
is and written to the first place that takes it; where none does, it serves this process alone. Each version
of the sources, of numba and of the processor has a folder of its own there, so processes that write at once
write the same files.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba
from numba import config
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile
from numba.misc.appdirs import AppDirs

_NAME = "kernels"


@cache
def stamp() -> str:
    """Fingerprint of all that compiled code depends on: this layer's sources, the compiler, the processor."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    features = llvm.get_host_cpu_features().flatten()
    compiler = (numba.__version__, llvm.llvm_version_info, sys.implementation.cache_tag, config.OPT)
    processor = (llvm.get_host_cpu_name(), features, config.CPU_NAME, config.CPU_FEATURES)
    digest.update(repr((compiler, processor)).encode())
    return digest.hexdigest()[:20]


def folders() -> Iterator[Path]:
    """Folders of this version's code that may last, best first."""
    if config.CACHE_DIR:
        yield Path(config.CACHE_DIR) / _NAME / stamp()
        return
    yield Path(__file__).parent / "__pycache__" / _NAME / stamp()
    users = user_folder()
    if users is not None:
        yield users / _NAME / stamp()


def user_folder() -> Path | None:
    """Where the user keeps what can be made again: SCALESR_CACHE, or the system's place; None without a home."""
    given = os.environ.get("SCALESR_CACHE")
    folder = Path(given) if given else Path(AppDirs(appname="scalesr", appauthor=False).user_cache_dir)
    return folder if given or folder.is_absolute() else None  # without a home there is nothing for ~ to stand for


@cache
def writable_folder() -> Path | None:
    """The first folder that can be written, made if need be; a temporary one if no other can."""
    for folder in folders():
        if _takes_files(folder):
            return folder
    return _temporary_folder()


def _takes_files(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


def _temporary_folder() -> Path | None:
    """A folder of this process alone, removed at its end; None where even that cannot be had."""
    try:
        base = tempfile.mkdtemp(prefix="scalesr-")
    except OSError:
        return None
    atexit.register(_remove, base, os.getpid())
    folder = Path(base) / _NAME / stamp()
    return folder if _takes_files(folder) else None


def base_of(folder: Path) -> Path:
    """The place in which a folder of compiled code lies: what NUMBA_CACHE_DIR would have to be."""
    return folder.parent.parent


def _remove(folder: str, owner: int) -> None:
    if os.getpid() == owner:  # not a fork of it
        shutil.rmtree(folder, ignore_errors=True)


class _Locator:
    """Tells numba where code is written; that it can be is found out by writing."""

    def __init__(self, function: Any) -> None:
        self._line = function.__code__.co_firstlineno

    def ensure_cache_path(self) -> None:
        """The folder was made when it was chosen."""

    def get_cache_path(self) -> str:
        return str(writable_folder() or next(folders()))

    def get_source_stamp(self) -> str:
        return stamp()

    def get_disambiguator(self) -> str:
        return str(self._line)

    @classmethod
    def from_function(cls, function: Any, _: Any) -> _Locator:
        return cls(function)


class _Files(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (_Locator,)


class LayerCache(FunctionCache):  # type: ignore[misc]
    """Numba's cache of one function, which is read from every place that has it."""

    _impl_class = _Files

    @property
    def is_on_disk(self) -> bool:
        """Whether some place seems to have the function; that it is whole shows when it is loaded."""
        return any(Path(file._index_path).exists() for file in self._everywhere())

    def _everywhere(self) -> list[IndexDataCacheFile]:
        places = dict.fromkeys((*folders(), writable_folder()))
        return [IndexDataCacheFile(str(place), self._impl.filename_base, stamp()) for place in places if place]

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled function from the first place that has it whole."""
        target_context.refresh()  # loaded code is linked with what numba has there
        for place in self._everywhere():
            with suppress(Exception):  # whatever a damaged file makes numba say, there is a remedy: compile
                stored = place.load(self._index_key(sig, target_context.codegen()))
                if stored is not None:
                    return self._impl.rebuild(target_context, stored)
        return None

    def _save_overload(self, sig: Any, data: Any) -> None:
        """Keep compiled code on disk; where that fails it still serves this process."""
        with suppress(OSError, RuntimeError):  # no room, or now and then no object code where two processes compile
            super()._save_overload(sig, data)
