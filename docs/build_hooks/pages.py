"""What the build puts into pages: pictures of a real run, and tables of measured results.

A line `{{ run: law }}`, `{{ run: front }}`, `{{ run: search }}` or `{{ run: coefficients }}` becomes what the run in
docs/run/law.json shows of it; `{{ trace: STAGE }}` becomes what that stage said in the run; `{{ results }}` becomes a
table for each file of benchmarks/results, `{{ figures }}` the few of the first page, `{{ comparison }}` all methods of
the paper's Table 1, `{{ headlines }}` those that people ask for first, `{{ attacks }}` those of
its file attack.json, and `{{ scaling }}` the figure of its file scaling.json; `{{ transcript }}` becomes
docs/run/real-tables.txt. Behind the name of a file of results, such as `laws-srbench.json`, stand its day and commit.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from first_figures import comparison_markdown, figures_markdown
from headlines import headlines_markdown
from results_tables import attacks_markdown, measured, results_markdown
from run_pictures import run_html, scaling_html, trace_markdown

ROOT = Path(__file__).parent.parent.parent
RESULTS = ROOT / "benchmarks" / "results"
RESULT = re.compile(r"`([a-z][a-z0-9.-]*)\.json`")
MARKER = re.compile(r"^\{\{ (\w+)(?:: (\w+))? \}\}$", re.MULTILINE)


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Replace the markers of a page; mkdocs calls this for each one."""
    return MARKER.sub(lambda match: filled(match[1], match[2] or ""), RESULT.sub(_with_age, markdown))


def _with_age(match: re.Match[str]) -> str:
    """The name of a file, with the day and the commit of the measurement where it is one of results."""
    path = RESULTS / f"{match[1]}.json"
    return f"{match[0]} <small>{measured(path)}</small>" if path.exists() else match[0]


def filled(kind: str, what: str) -> str:
    """What a marker stands for."""
    if kind == "transcript":
        return f"```text\n{(ROOT / 'docs' / 'run' / 'real-tables.txt').read_text(encoding='utf-8')}```"
    if kind == "figures":
        return figures_markdown()
    if kind == "comparison":
        return RESULT.sub(_with_age, comparison_markdown())
    if kind == "headlines":
        return headlines_markdown(RESULTS)
    if kind == "results":
        return results_markdown(RESULTS)
    if kind == "attacks":
        return attacks_markdown(RESULTS / "attack.json")
    if kind == "scaling":
        return scaling_html(RESULTS / "scaling.json")
    if kind == "trace":
        return trace_markdown(ROOT / "docs" / "run" / "law.json", what)
    if kind == "run":
        return run_html(ROOT / "docs" / "run" / "law.json", what)
    raise ValueError(
        f"Unknown marker {kind!r}; known are attacks, comparison, figures, headlines, results, run, scaling, trace "
        "and transcript."
    )
