"""The constants of groups: a table, and a picture of each, in the order of the groups."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.records.discovery import Discovery
from scalesr.records.groups import GroupConstants
from scalesr.report import pictures
from scalesr.report.html import number, paragraph, picture, section, table
from scalesr.report.palette import PAGE
from scalesr.report.svg import to_svg

MAX_LINES: Final = 200  # groups that the table lists
MAX_DRAWN: Final = 4  # constants with a picture


def groups_of(discovery: Discovery, key: str) -> str:
    """The constants that differ between groups; nothing for a law without groups."""
    groups = discovery.taken.groups
    if groups is None:
        return ""
    if not groups.letters:
        return section("Groups", paragraph(f"All constants are shared by the {len(groups.labels)} groups."))
    errors = groups.standard_errors
    heads = [groups.by, *(head for letter in groups.letters for head in (letter, "standard error"))]
    lines = [
        (str(label), *(cell for place in range(len(groups.letters)) for cell in _cells(groups, errors, line, place)))
        for line, label in enumerate(groups.labels[:MAX_LINES])
    ]
    what = f"Constants that differ by {groups.by}; the others hold for all {len(groups.labels)} groups."
    n_more = len(groups.labels) - len(lines)
    more = f" The first {MAX_LINES} are listed; the saved law has the other {n_more}." if n_more else ""
    drawn = "".join(
        picture(
            to_svg(
                pictures.figure_of([pictures.group_constant(groups, place)], PAGE),
                key=f"{key}-group{place}",
                label=letter,
            ),
            letter,
        )
        for place, letter in enumerate(groups.letters[:MAX_DRAWN])
    )
    return section("Groups", paragraph(what + more), f'<div class="pictures">{drawn}</div>', table(heads, lines))


def _cells(groups: GroupConstants, errors: NDArray[np.float64], line: int, place: int) -> tuple[str, str]:
    error = float(errors[line, place])
    told = number(error, 2) if np.isfinite(error) else "unknown"
    return number(float(groups.values[line, place]), 6), told
