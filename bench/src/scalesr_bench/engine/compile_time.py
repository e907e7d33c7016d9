"""How long the first use takes, when everything is compiled, and a second process, when nothing is."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

EVERYTHING = """
import numpy as np
from scalesr.expr.evaluate import evaluate, gradient, jacobian
from scalesr.expr.fitting import fit
from scalesr.expr.text import parse

x = np.linspace(0.1, 1, 50)
law = fit(parse("C*exp(C*x) + C", ["x"]), x, np.exp(-x)).expression
evaluate(law, x), jacobian(law, x), gradient(law, x)
"""


@dataclass(frozen=True, slots=True)
class CompileTime:
    """Seconds from the start of a process to a first value, derivative and fit."""

    first: float  # with an empty cache
    second: float  # with the cache that the first has filled

    def as_json(self) -> dict[str, object]:
        """The record with keys that say what was measured."""
        return {
            "seconds_first_process": self.first,
            "seconds_second_process": self.second,
            "ratio_first_to_second": self.first / self.second,
        }


def measure_compile_time() -> CompileTime:
    """Start two fresh processes on one empty cache."""
    with tempfile.TemporaryDirectory() as folder:
        return CompileTime(*(_seconds(folder) for _ in range(2)))


def _seconds(folder: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", EVERYTHING], check=True, env=os.environ | {"NUMBA_CACHE_DIR": folder})
    return time.perf_counter() - start
