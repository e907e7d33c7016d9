"""The cache on disk: a second process starts fast, a change in any kernel is noticed."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from scalesr.kernels import compile as layer
from scalesr.kernels.evaluate import evaluate_programs

FIRST_RESULT = textwrap.dedent("""
    import time
    import numpy
    start = time.perf_counter()
    from scalesr.expr.fitting import fit
    from scalesr.expr.text import parse
    x = numpy.linspace(0, 1, 50)
    found = fit(parse("C*exp(C*x) + C", ["x"]), x, numpy.exp(-x))
    from scalesr.kernels.fit import fit_tasks
    hits = sum(fit_tasks.stats.cache_hits.values())
    print(found.rss < 1e-20, hits, time.perf_counter() - start)
""")


def test_a_second_process_compiles_nothing() -> None:
    for _ in range(2):  # the first one may have to fill the cache
        run = subprocess.run([sys.executable, "-c", FIRST_RESULT], capture_output=True, text=True, check=True)
        good, hits, _ = run.stdout.split()
        assert good == "True"
    assert hits == "1"


def test_a_change_in_any_kernel_file_makes_cached_code_stale(monkeypatch: object, tmp_path: Path) -> None:
    signature = evaluate_programs.signatures
    cache = evaluate_programs._cache

    class Codegen:
        @staticmethod
        def magic_tuple() -> tuple[str, ...]:
            return ("machine",)

    before = cache._index_key(signature, Codegen)
    layer.layer_stamp.cache_clear()
    (tmp_path / "changed.py").write_text("x = 1\n")
    try:
        monkeypatch.setattr(layer, "__file__", str(tmp_path / "compile.py"))  # type: ignore[attr-defined]
        assert cache._index_key(signature, Codegen) != before
    finally:
        layer.layer_stamp.cache_clear()


def test_compiled_code_that_cannot_be_kept_on_disk_still_works(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("no compiled object yet")

    doubled = layer.entry(_double)
    monkeypatch.setattr(doubled._cache._impl, "reduce", fail)
    assert doubled(21.0) == 42.0


def _double(x: float) -> float:
    return 2 * x
