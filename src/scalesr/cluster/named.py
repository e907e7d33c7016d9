"""Names of laws: each is the name of a file, and no two are the same."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Final

LONGEST: Final = 120  # characters
MOST_BYTES: Final = 200  # file systems have room for 255, with a number and the ending
_UNFIT: Final = re.compile(r"[^\w.,=+()@ -]+")


def file_names(wanted: Sequence[str]) -> list[str]:
    """Names that file systems take, as near as may be to those that are wanted; doubles get a number."""
    taken: set[str] = set()
    found = []
    for text in wanted:
        short = _UNFIT.sub("_", text).strip(" .")[:LONGEST].encode("utf-8")[:MOST_BYTES]
        plain = short.decode("utf-8", errors="ignore") or "law"
        name, count = plain, 1
        while name.casefold() in taken:  # some file systems do not tell a from A
            count += 1
            name = f"{plain}-{count}"
        taken.add(name.casefold())
        found.append(name)
    return found


def matching(names: Sequence[str], patterns: Sequence[str]) -> list[str]:
    """The names that patterns such as gene* stand for, in the order of the names; a name stands for itself."""
    return [name for name in names if any(name == one or fnmatchcase(name, one) for one in patterns)]
