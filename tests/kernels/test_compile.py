"""Code is compiled once per machine, and serves its process alone where it cannot be kept."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from scalesr.kernels import disk
from scalesr.kernels.compile import Routine

ONE_PART = textwrap.dedent("""
    import os, sys
    from numba.core import event
    from scalesr.kernels import disk, engine
    with event.install_recorder("numba:compile") as compiled:
        engine.jacobian_by_constants.make_ready()
    print(len(compiled.buffer), engine.jacobian_by_constants.is_on_disk, disk.writable_folder())
""")


def one_part(cache: Path | str, **environment: str) -> subprocess.Popen[str]:
    """A process that makes one part ready and says how much it compiled and where it keeps it."""
    return subprocess.Popen(
        [sys.executable, "-c", ONE_PART], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=os.environ | {"NUMBA_CACHE_DIR": str(cache)} | environment,
    )  # fmt: skip


def answer(process: subprocess.Popen[str]) -> tuple[int, bool, str]:
    out, err = process.communicate()
    assert process.returncode == 0, err
    n_compiled, is_kept, folder = out.split()
    return int(n_compiled), is_kept == "True", folder


def test_a_second_process_compiles_nothing_and_a_damaged_file_is_compiled_anew(tmp_path: Path) -> None:
    n_first, is_kept, folder = answer(one_part(tmp_path))
    assert n_first > 0
    assert is_kept
    assert Path(folder).is_relative_to(tmp_path)
    assert answer(one_part(tmp_path)) == (0, True, folder)
    for file in tmp_path.rglob("*.nbc"):
        file.write_bytes(b"half of a fi")
    assert answer(one_part(tmp_path))[0] > 0
    assert answer(one_part(tmp_path))[0] == 0


def test_without_any_folder_code_serves_its_process_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "writable_folder", lambda: None)
    monkeypatch.setattr(disk, "folders", lambda: iter([Path("/dev/null/nowhere")]))
    routine = Routine(_count)
    routine.make_ready()
    assert not routine.is_on_disk
    assert routine.is_ready


def _count(n: int) -> None:
    for _ in range(n):
        pass
