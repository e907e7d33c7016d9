"""The results that people ask for first, as Markdown: the paper's tables, its ablations, SRBench with what failed.

A part whose file is not in benchmarks/results is left out, heading and all.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from results_tables import about, record_table, text_table

# Heading -> what stands under it, and the files of the paper's tables.
PAPER: Final = {
    "The paper's Table 1": ("How often each method finds the laws of the paper, beside the paper's figures.", "1"),
    "Running time": ("Median seconds of each method, beside the paper's.", "5"),
    "Ablations": ("Fewer and more points (M), groups (K) and rows (N), for our default and the paper's method.", "234"),
}
FAILURE: Final = ("method", "problem", "noise", "seed", "failed_at", "finding", "verdict", "seconds", "truth", "found")
SRBENCH: Final = "The laws of Feynman's lectures and the Strogatz systems without noise, at most 90 s on one core each."


def headlines_markdown(folder: Path) -> str:
    """All parts whose files are there."""
    parts = [_paper(folder, heading, *rest) for heading, rest in PAPER.items()]
    return "\n\n".join(filter(None, [*parts, _srbench(folder / "laws-srbench.json")]))


def _paper(folder: Path, heading: str, sentence: str, numbers: str) -> str:
    """The paper's tables of some numbers."""
    tables = []
    for number in numbers:
        path = folder / f"paper-table{number}.json"
        if path.exists():
            result = _read(path)
            tables += [about(result), text_table(result[f"table{number}"])]
    return "\n\n".join([f"## {heading}", sentence, *tables]) if tables else ""


def _srbench(path: Path) -> str:
    """Rates per suite, and every law that was missed with the stage at which it was."""
    if not path.exists():
        return ""
    result = _read(path)
    return "\n\n".join(
        ["## SRBench", SRBENCH, about(result), record_table(result["summary"]), _failures(result["failures"])]
    )


def _failures(failures: Sequence[Mapping[str, Any]]) -> str:
    if not failures:
        return "Nothing was missed."
    lines = [{name: failure.get(name) for name in FAILURE} | _formulas(failure) for failure in failures]
    return f"Missed, with the stage at which it went wrong (`failed at`):\n\n{record_table(lines)}"


def _formulas(failure: Mapping[str, Any]) -> dict[str, str]:
    """Truth and found as code: Markdown would read their stars as emphasis."""
    return {name: f"`{failure[name]}`" for name in ("truth", "found") if failure.get(name)}


def _read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found
