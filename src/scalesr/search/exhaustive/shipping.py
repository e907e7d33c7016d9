"""Lists of skeletons that come with the package: those of the default operators, which take half a minute to make.

    python -m scalesr.search.exhaustive.shipping

makes them again, which is needed when the grammar or the canonical form has changed; until then lists are made by the
searches that ask for them.
"""

from __future__ import annotations

from pathlib import Path

from scalesr.expr.operators import Operators
from scalesr.search.exhaustive.lists import SHIPPED, SkeletonLists
from scalesr.search.exhaustive.search import LARGEST


def wanted(folder: Path = SHIPPED) -> dict[str, tuple[SkeletonLists, int]]:
    """File names of all lists that are to come with the package, with the lists and the size."""
    by_variables = {n: SkeletonLists(Operators("physics"), n, folder=folder) for n in LARGEST}
    return {
        lists.file_name(size): (lists, size)
        for n, lists in by_variables.items()
        for size in range(1, LARGEST[n] + 1)
    }  # fmt: skip


def ship(folder: Path = SHIPPED) -> None:
    """Make what is not there and remove what is out of date."""
    files = wanted(folder)
    for lists, size in files.values():
        lists.level(size)
    for path in folder.glob("*.list"):
        if path.name not in files:
            path.unlink()


if __name__ == "__main__":
    ship()
