"""All problems by suite."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scalesr_bench.problems.classic import CONSTANT, JIN, LIVERMORE, NGUYEN, RATIONAL
from scalesr_bench.problems.feynman import FEYNMAN
from scalesr_bench.problems.paper import PAPER
from scalesr_bench.problems.problem import Problem
from scalesr_bench.problems.strogatz import STROGATZ

SUITES: Final[Mapping[str, tuple[Problem, ...]]] = {
    "paper": PAPER,
    "nguyen": NGUYEN,
    "jin": JIN,
    "livermore": LIVERMORE,
    "constant": CONSTANT,
    "rational": RATIONAL,
    "strogatz": STROGATZ,
    "feynman": FEYNMAN,
}
