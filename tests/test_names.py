"""One name, one thing: no two public classes of the tree share a name."""

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parent.parent
STILL_SHARED = {  # each is to get a name of its own; a name that no longer is shared has to go from here
    "Rows", "Run",
}  # fmt: skip


def test_no_two_public_classes_have_the_same_name():
    places = defaultdict(list)
    for root in (ROOT / "src", ROOT / "bench" / "src"):
        for path in sorted(root.rglob("*.py")):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    places[node.name].append(path.relative_to(ROOT).as_posix())
    shared = {name: paths for name, paths in places.items() if len(paths) > 1}
    assert shared.keys() == STILL_SHARED, {name: shared.get(name) for name in shared.keys() ^ STILL_SHARED}
