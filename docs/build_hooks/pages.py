"""What the build puts into pages: pictures of a real run, and tables of measured results.

A line `{{ run: law }}`, `{{ run: front }}`, `{{ run: search }}` or `{{ run: coefficients }}` becomes what the run in
docs/run/law.json shows of it; `{{ trace: STAGE }}` becomes what that stage said in the run; `{{ results }}` becomes a
table for each file of benchmarks/results, `{{ headlines }}` those that people ask for first, `{{ attacks }}` those of
its file attack.json, and `{{ scaling }}` the figure of its file scaling.json; `{{ transcript }}` becomes
docs/run/real-tables.txt.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from headlines import headlines_markdown
from results_tables import attacks_markdown, results_markdown
from run_pictures import run_html, scaling_html, trace_markdown

ROOT = Path(__file__).parent.parent.parent
MARKER = re.compile(r"^\{\{ (\w+)(?:: (\w+))? \}\}$", re.MULTILINE)


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Replace the markers of a page; mkdocs calls this for each one."""
    return MARKER.sub(lambda match: filled(match[1], match[2] or ""), markdown)


def filled(kind: str, what: str) -> str:
    """What a marker stands for."""
    if kind == "transcript":
        return f"```text\n{(ROOT / 'docs' / 'run' / 'real-tables.txt').read_text(encoding='utf-8')}```"
    if kind == "headlines":
        return headlines_markdown(ROOT / "benchmarks" / "results")
    if kind == "results":
        return results_markdown(ROOT / "benchmarks" / "results")
    if kind == "attacks":
        return attacks_markdown(ROOT / "benchmarks" / "results" / "attack.json")
    if kind == "scaling":
        return scaling_html(ROOT / "benchmarks" / "results" / "scaling.json")
    if kind == "trace":
        return trace_markdown(ROOT / "docs" / "run" / "law.json", what)
    if kind == "run":
        return run_html(ROOT / "docs" / "run" / "law.json", what)
    raise ValueError(
        f"Unknown marker {kind!r}; known are attacks, headlines, results, run, scaling, trace and transcript."
    )
