"""Tables of text, written as Markdown, CSV and LaTeX."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from scalesr.atomic import write_atomically
from scalesr.errors import DataError
from scalesr.tables import csv_text
from scalesr_bench.rates import wilson

_LATEX: Final = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "–": "--", "±": r"$\pm$", "×": r"$\times$",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class TextTable:
    """Cells as they are read; the first column is text, the others are mostly numbers."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if any(len(row) != len(self.headings) for row in self.rows):
            raise ValueError(f"Every row of {self.title!r} needs {len(self.headings)} cells.")

    def markdown(self) -> str:
        """A table with its title above and its notes below."""
        lines = [self.headings, ("---", *("---:" for _ in self.headings[1:])), *self.rows]
        body = "\n".join("| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |" for line in lines)
        return "\n\n".join([f"**{self.title}**", body, *self.notes]) + "\n"

    def csv(self) -> str:
        """The cells alone."""
        return csv_text([self.headings, *self.rows])

    def latex(self) -> str:
        """A table environment that needs no package."""
        columns = "l" + "r" * (len(self.headings) - 1)
        lines = [" & ".join(map(_escaped, line)) + r" \\" for line in (self.headings, *self.rows)]
        body = "\n".join([lines[0], r"\hline", *lines[1:]])
        caption = _escaped(" ".join([self.title + ".", *self.notes]))
        return (
            f"\\begin{{table}}\n\\caption{{{caption}}}\n\\begin{{tabular}}{{{columns}}}\n\\hline\n{body}\n\\hline\n"
            "\\end{tabular}\n\\end{table}\n"
        )

    def write(self, folder: Path, name: str) -> list[Path]:
        """Write name.md, name.csv and name.tex."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            paths = [folder / f"{name}.{kind}" for kind in ("md", "csv", "tex")]
            for path, text in zip(paths, (self.markdown(), self.csv(), self.latex()), strict=True):
                write_atomically(path, text.encode())
        except OSError as error:
            raise DataError(f"{folder} cannot be written to: {error.strerror or error}. Choose another.") from error
        return paths


def rate(n_successes: int, n_trials: int) -> str:
    """A rate with its 95 % interval: "90 % (60–98)"."""
    if not n_trials:
        return "-"
    low, high = wilson(n_successes, n_trials)
    return f"{100 * n_successes / n_trials:.0f} % ({100 * low:.0f}–{100 * high:.0f})"


def joined(cells: Sequence[object]) -> tuple[str, ...]:
    """A row of cells from values."""
    return tuple(str(cell) for cell in cells)


def _escaped(text: str) -> str:
    return re.sub(r"[\\&%$#_{}~^–±×]", lambda found: _LATEX[found[0]], text)
