"""Draws the picture of the first page from a run: python docs/build_hooks/first_picture.py

A table with errors goes in; the law with its error bars, the verdict and the probability come out. The run ends by
counted work, so that every machine draws the same picture.
"""

from __future__ import annotations

from html import escape
from pathlib import Path

import numpy as np
import pandas as pd

from scalesr import ScaleSRRegressor
from scalesr.atomic import write_atomically

PICTURE = Path(__file__).parent.parent / "pictures" / "first-law.svg"
N_ROWS, ERROR, WORK = 2000, 0.01, 30.0
SHOWN = 5  # rows
WIDTH, HEIGHT, LINE, COLUMN = 880, 250, 24, 66
TEXT = 'font-family="ui-monospace, Menlo, Consolas, monospace" font-size="15"'


def table() -> tuple[pd.DataFrame, pd.Series]:
    """Attracting bodies, a column that has nothing to do with them, and the force with errors of one per cent."""
    rng = np.random.default_rng(0)
    columns = pd.DataFrame(rng.uniform(1, 5, (N_ROWS, 4)), columns=["m1", "m2", "r", "day"])
    force = 6.674 * columns["m1"] * columns["m2"] / columns["r"] ** 2
    return columns, (force * (1 + ERROR * rng.normal(size=N_ROWS))).rename("force")


def found() -> ScaleSRRegressor:
    """The law of the table."""
    columns, force = table()
    return ScaleSRRegressor(random_state=0, time_limit=None, max_work=WORK).fit(columns, force)


def sentences(model: ScaleSRRegressor) -> list[str]:
    """What is said of the law: itself, its constants with their errors, verdict and probability."""
    law, discovery = model.equation_, model.discovery_
    pairs = zip(law.constants.tolist(), law.standard_errors.tolist(), strict=True)
    constants = [f"{value:.4g} ± {error:.1g}" for value, error in pairs if error > 0]
    return [
        f"force = {law.rounded()}", *(f"constant     {text}" for text in constants),
        f"verdict      {discovery.verdict}", f"probability  {discovery.probability:.2f}",
    ]  # fmt: skip


def drawn(model: ScaleSRRegressor) -> str:
    """The picture, in grey and blue that can be read on white and on black."""
    columns, force = table()
    heads = [*columns.columns, "force"]
    rows = np.column_stack([columns, force])[:SHOWN]
    lines = [
        _cells(heads, 40, "#0b7285"),
        *(_cells([f"{v:.3f}" for v in row], 40 + LINE * (k + 1)) for k, row in enumerate(rows)),
    ]
    lines.append(_cells(["..."] * len(heads), 40 + LINE * (SHOWN + 1)))
    lines.append(_text(f"{N_ROWS} rows, errors of 1 %", COLUMN * len(heads) / 2 + 24, HEIGHT - 22, "#868e96", "middle"))
    arrow = 'd="M390 112 h46 m-12 -9 l12 9 l-12 9" fill="none" stroke="#868e96" stroke-width="2.5"'
    lines.append(f"<path {arrow}/>")
    first, *rest = sentences(model)
    lines.append(_text(first, 470, 76, "#1c7ed6").replace('font-size="15"', 'font-size="22"'))
    lines += [_text(text, 470, 76 + 34 + LINE * k, "#868e96") for k, text in enumerate(rest)]
    body = "\n".join(lines)
    about = escape("A table of masses and distances, and the law of the force with its probability")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{about}">\n'
        f"{body}\n</svg>\n"
    )


def _cells(cells: list[str], y: float, colour: str = "#868e96") -> str:
    return "".join(_text(cell, 60 + COLUMN * k, y, colour, "end") for k, cell in enumerate(cells))


def _text(text: str, x: float, y: float, colour: str, anchor: str = "start") -> str:
    place = f'x="{x:g}" y="{y:g}" fill="{colour}" text-anchor="{anchor}"'
    return f'<text {place} {TEXT} xml:space="preserve">{escape(text)}</text>'


if __name__ == "__main__":
    write_atomically(PICTURE, drawn(found()).encode())
