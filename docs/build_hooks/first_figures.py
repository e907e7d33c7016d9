"""The figures of the first page, from the files of benchmarks/results.

`python docs/build_hooks/first_figures.py` writes them into README.md, whose tests compare them with the files; the
documentation puts them into its first page when it is built.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from results_tables import day_and_commit

ROOT: Final = Path(__file__).parent.parent.parent
RESULTS: Final = ROOT / "benchmarks" / "results"
BLOCK: Final = re.compile(r"(<!-- figures -->\n).*?(<!-- end of figures -->)", re.DOTALL)
OURS: Final = ("scalesr", "default")  # the default by its names in the files

# What was measured -> the file of whole laws that has it.
MEASURED: Final = {
    "62 laws of science that nothing was tuned on, no noise": "laws-science-unseen-noise-0",
    "the same with 10 % noise": "laws-science-unseen-noise-0.1",
    "SRBench, 114 laws of Feynman and Strogatz, no noise": "laws-srbench",
}
PAPER: Final = "paper-table1"
PUBLISHED: Final = re.compile(r"paper (\d+ %)")


def figures_markdown(folder: Path = RESULTS) -> str:
    """A table: what was measured, our share of right laws, that of others, and the file."""
    lines = ["| laws found, of | ScaleSR | others | file of `benchmarks/results` |", "|---|---|---|---|"]
    for what, name in MEASURED.items():
        path = folder / f"{name}.json"
        if path.exists():
            lines.append(_line(what, *_of_laws(_read(path)), path))
    path = folder / f"{PAPER}.json"
    if path.exists():
        lines.append(_line("the paper's ten laws, all seeds", *_of_the_paper(_read(path)["table1"]), path))
    return "\n".join(lines) + "\n"


def _line(what: str, ours: str, others: str, path: Path) -> str:
    return f"| {what} | **{ours}** | {others} | `{path.stem}`, {day_and_commit(_read(path))} |"


def _of_laws(result: Mapping[str, Any]) -> tuple[str, str]:
    """Right laws of ours and of each other method, over all suites of a file."""
    totals: dict[str, list[int]] = {}
    for line in result["summary"]:
        total = totals.setdefault(line["method"], [0, 0])
        total[0] += line["n_right"]
        total[1] += line["n_runs"]
    shares = {method: f"{right} of {runs}" for method, (right, runs) in totals.items()}
    ours = next((shares.pop(name) for name in OURS if name in shares), "")
    return ours, ", ".join(f"{method} {share}" for method, share in shares.items())


def _of_the_paper(table: Mapping[str, Any]) -> tuple[str, str]:
    """The averages of the paper's Table 1: ours, pyoperon's, and what the paper says of its own method."""
    place = table["headings"].index("average")
    average = {row[0]: row[place] for row in table["rows"]}
    ours = _share(next(average[name] for name in OURS if name in average))
    others = [f"{method} {_share(cell)}" for method, cell in average.items() if method == "pyoperon"]
    published = PUBLISHED.search(average.get("scalesr-paper", ""))
    return ours, ", ".join([*others, *([f"the paper's own method as published {published[1]}"] if published else [])])


def _share(cell: str) -> str:
    return cell.partition(" (")[0]


def comparison_markdown(folder: Path = RESULTS) -> str:
    """All methods of the paper's Table 1: the average measured here, what was published, and the median time."""
    result = _read(folder / f"{PAPER}.json")
    table = result["table1"]
    places = [table["headings"].index(name) for name in ("average", "median s")]
    lines = [f"`{PAPER}.json`", "", "| method | measured here | published | median s here |", "|---|---|---|---|"]
    for row in table["rows"]:
        average, seconds = (row[place] for place in places)
        published = PUBLISHED.search(average)
        here = average.partition(", paper")[0]
        lines.append(f"| {row[0]} | {here} | {published[1] if published else ''} | {seconds} |")
    return "\n".join(lines) + "\n"


def with_figures(text: str, folder: Path = RESULTS) -> str:
    """A page with the figures between its marks."""
    return BLOCK.sub(lambda found: f"{found[1]}{figures_markdown(folder)}{found[2]}", text)


def _read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def _written(names: Sequence[str] = ("README.md",)) -> None:
    for name in names:
        page = ROOT / name
        page.write_text(with_figures(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    _written()
