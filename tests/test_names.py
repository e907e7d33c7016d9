"""One name, one thing: public classes of the tree, and named numbers of the method."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "scalesr"
METHOD = ("reduce", "control", "generator", "search", "chain", "polish", "evidence", "pipeline", "records")


def test_no_two_public_classes_have_the_same_name():
    places = defaultdict(list)
    for root in (ROOT / "src", ROOT / "bench" / "src"):
        for path in sorted(root.rglob("*.py")):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    places[node.name].append(path.relative_to(ROOT).as_posix())
    assert not {name: paths for name, paths in places.items() if len(paths) > 1}


def test_a_named_number_of_the_method_has_one_value():
    values = defaultdict(set)
    for path in sorted(path for folder in METHOD for path in (PACKAGE / folder).rglob("*.py")):
        for name, value in _named_numbers(path):
            values[name].add((value, path.relative_to(PACKAGE).as_posix()))
    assert len(values) > 100
    assert not {name: places for name, places in values.items() if len({value for value, _ in places}) > 1}


def _named_numbers(path: Path) -> Iterator[tuple[str, float]]:
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        for target in node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]:
            value = _number(getattr(node, "value", None))
            if isinstance(target, ast.Name) and target.id.isupper() and value is not None:
                yield target.id, value


def _number(node: ast.expr | None) -> float | None:
    """The number that is written there; None where anything but a number is."""
    try:
        value = ast.literal_eval(node) if node is not None else None
    except ValueError:
        return None
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None
