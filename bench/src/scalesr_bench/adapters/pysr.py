"""PySR behind our interface; it needs Julia, which we never fetch by ourselves."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from typing import Any, Final

from scalesr.errors import FormulaError, MissingExtra
from scalesr.expr.expression import Expression
from scalesr.expr.text import parse
from scalesr_bench.adapters.adapter import ExternalSearch, has_package
from scalesr_bench.adapters.config import EXTERNAL

BINARY: Final = ("+", "-", "*", "/", "^")
UNARY: Final = ("sin", "cos", "exp", "log", "sqrt", "tan", "tanh")


def pysr_search(
    *,
    binary: Sequence[str] = BINARY,
    unary: Sequence[str] = UNARY,
    max_size: int = 40,
    options: Mapping[str, Any] | None = None,
) -> ExternalSearch[Any]:
    """A search by PySR's regressor on one core; `options` are further arguments of its own."""
    if shutil.which("julia") is None or not has_package("pysr"):
        raise MissingExtra(
            "This search needs Julia on the path and pysr: install Julia from julialang.org, then pip install pysr"
        )

    def make(seed: int, seconds: float | None) -> Any:
        from pysr import PySRRegressor

        return PySRRegressor(
            **{
                "binary_operators": list(binary), "unary_operators": list(unary), "maxsize": max_size,
                "niterations": 100 if seconds is None else EXTERNAL.pysr_iterations, "timeout_in_seconds": seconds,
                "random_state": seed, "deterministic": True, "parallelism": "serial", "progress": False,
                "verbosity": 0, "early_stop_condition": 1e-18, "temp_equation_file": True, **(options or {}),
            }
        )  # fmt: skip

    return ExternalSearch(make, front, name="PySR")


def front(regressor: Any) -> list[Expression]:
    """The formulas of a fitted regressor's table that our operators can write."""
    formulas = []
    for text in regressor.equations_["equation"]:
        try:
            formulas.append(parse(text))
        except FormulaError:  # a function that we lack; the others may be of use
            continue
    return formulas
