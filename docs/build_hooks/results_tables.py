"""The files of benchmarks/results as Markdown; every figure comes from a file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

ABOUT: Final = (
    "commit", "commit_from", "day", "machine", "versions", "uncommitted_changes", "settings", "notes", "quick", "seed",
)  # fmt: skip
LONG: Final = ("problems", "failures", "runs", "missed")  # one entry per problem: in the file, not on the page
SOMETIMES: Final = ("median_asked", "noise_kind", "given_rows")  # shown where a line has any: an oracle, noise, rows
SHOWN: Final = {
    "suite": "suite", "problem": "problem", "law": "law", "method": "method", "noise": "noise",
    "noise_kind": "noise kind", "given_rows": "rows", "n_runs": "runs", "n_right": "right",
    "n_recovered": "recovered", "low": "at least", "high": "at most",
    "n_lost_by_search": "lost by search", "n_lost_by_data": "lost by data",
    "n_wrong_exact": "wrongly exact", "n_verdict_right": "verdict right", "n_in_top": "among the first",
    "kind": "tables", "n_laws": "laws", "n_found": "laws found", "n_claims": "given p", "n_sure": "p >= 0.9",
    "n_sure_right": "of these right", "calibration_error": "calibration error", "n_within_noise": "within noise",
    "n_within_noise_beaten": "of these beaten", "n_tables": "tables", "median_r2": "median R2",
    "median_nodes": "median nodes", "n_above_linear": "above linear", "n_below_linear": "below linear",
    "median_seconds": "median s", "slowest_seconds": "slowest s", "median_asked": "median rows asked",
}  # fmt: skip


def results_markdown(folder: Path) -> str:
    """A part of the page for each file: whole laws first, then the parts, in the order of their names."""
    paths = sorted(folder.glob("*.json"), key=lambda path: (not path.stem.startswith("laws"), path.stem))
    return "\n\n".join(_file(path) for path in paths)


def _file(path: Path) -> str:
    result: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    parts = [f"### {path.stem}", about(result), *result.get("notes", [])]
    for name, value in result.items():
        if name not in ABOUT and name not in LONG:
            parts.append(_part(name, value))
    scalars = {name: value for name, value in result.items() if name not in ABOUT and _is_scalar(value)}
    parts.append(_pairs(scalars))
    return "\n\n".join(part for part in parts if part)


def attacks_markdown(path: Path) -> str:
    """What became of hostile inputs."""
    result: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return f"{about(result)}\n\n{record_table(result['attacks'])}"


def measured(path: Path) -> str:
    """Day and commit of a file, for a figure in a sentence."""
    result: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return day_and_commit(result)


def day_and_commit(result: Mapping[str, Any]) -> str:
    """How old a result is."""
    return f"{result.get('day', 'no day')}, commit `{str(result.get('commit', ''))[:10]}`"


def about(result: Mapping[str, Any]) -> str:
    """Day, commit, machine and settings of a file."""
    machine = result.get("machine", {})
    changed = ", with changes that were not committed" if result.get("uncommitted_changes") else ""
    changed += ", told and not read" if result.get("commit_from") == "told" else ""
    settings = {name: value for name, value in result.get("settings", {}).items() if value not in (None, "", [], False)}
    told = ", ".join(f"{name} {_cell(value)}" for name, value in settings.items())
    return (
        f"{day_and_commit(result)}{changed}, {machine.get('cores', '?')} cores of {machine.get('cpu', '?')}. {told}"
    ).strip()


def _part(name: str, value: Any) -> str:
    """A list of records as a table, a record as pairs; single values are told together."""
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        return record_table(value) if name == "summary" else f"*{_words(name)}*\n\n{record_table(value)}"
    if isinstance(value, dict) and {"headings", "rows"} <= value.keys():
        return text_table(value)
    if isinstance(value, dict):
        shown = [(inner, content) for inner, content in value.items() if inner not in LONG]
        lists = [_part(f"{name}: {inner}", content) for inner, content in shown if isinstance(content, list)]
        return "\n\n".join([f"*{_words(name)}*", _pairs(dict(_flat(value))), *filter(None, lists)])
    return ""


def record_table(lines: Sequence[Mapping[str, Any]]) -> str:
    """Records of the same fields as a table."""
    columns = [name for name in SHOWN if name in lines[0]] if "n_runs" in lines[0] else _scalars(lines[0])
    columns = [name for name in columns if name not in SOMETIMES or any(line.get(name) for line in lines)]
    heads = [SHOWN.get(name, _words(name)) for name in columns]
    rows = [[_cell(line.get(name)) for name in columns] for line in lines]
    return "\n".join(_line(row) for row in [heads, ["---"] * len(heads), *rows])


def text_table(table: Mapping[str, Any]) -> str:
    """A table whose cells are texts already."""
    lines = [table["headings"], ["---"] * len(table["headings"]), *table["rows"]]
    body = "\n".join(_line(map(_cell, line)) for line in lines)
    return "\n\n".join([f"*{table.get('title', '')}*", body, *table.get("notes", [])])


def _pairs(values: Mapping[str, Any]) -> str:
    if not values:
        return ""
    rows = [[_words(name), _cell(value)] for name, value in values.items()]
    return "\n".join(_line(row) for row in [["what", "value"], ["---", "---"], *rows])


def _flat(values: Mapping[str, Any], before: str = "") -> Iterable[tuple[str, Any]]:
    for name, value in values.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{name}, ")
        elif _is_scalar(value):
            yield before + name, value


def _scalars(line: Mapping[str, Any]) -> list[str]:
    return [name for name, value in line.items() if _is_scalar(value)]


def _is_scalar(value: Any) -> bool:
    return value is None or isinstance(value, str | bool | int | float)


def _words(name: str) -> str:
    return name.replace("_", " ")


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(_cell, value))
    if isinstance(value, float):
        return f"{value:,.4g}" if abs(value) < 1e6 else f"{value:.3g}"
    return "" if value is None else str(value).replace("|", "\\|").replace("\n", " ")
