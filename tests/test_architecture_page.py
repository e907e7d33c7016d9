"""ARCHITECTURE.md is true: what it names exists, and each hop of its walk leads to the next."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
PLACE = re.compile(r"`((?:src|bench|examples)/[\w./]+)`(?:: `([\w.]+)`)?")
MOST_HOPS = 4


def source_of(path: str, name: str) -> str | None:
    """The source of a top-level function, class or variable, or of a member such as Run.concluded."""
    text = (ROOT / path).read_text(encoding="utf-8")
    body, found = ast.parse(text).body, None
    for part in name.split("."):
        found = next((node for node in body if part in names_of(node)), None)
        if found is None:
            return None
        body = getattr(found, "body", [])
    return ast.get_source_segment(text, found)


def names_of(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.Assign):
        return {target.id for target in node.targets if isinstance(target, ast.Name)}
    if isinstance(node, ast.AnnAssign):
        return {node.target.id} if isinstance(node.target, ast.Name) else set()
    return {getattr(node, "name", "")}


@pytest.mark.parametrize(("path", "name"), sorted(set(PLACE.findall(PAGE))))
def test_every_place_that_is_named_exists(path, name):
    assert (ROOT / path).exists()
    assert not name or source_of(path, name) is not None


def test_the_walk_is_short_and_every_hop_leads_to_the_next():
    walk = re.findall(r"^\d\. (.*(?:\n   .*)*)", PAGE, re.MULTILINE)
    assert 0 < len(walk) <= MOST_HOPS
    for hop in walk:
        ((path, name),) = PLACE.findall(hop)
        source = source_of(path, name)
        said = [re.sub(r"\s+", " ", code) for code in re.findall(r"`([^`]+)`", PLACE.sub("", hop, count=1))]
        assert said, hop
        for code in said:
            assert code in re.sub(r"\s+", " ", source), (path, name, code)


def test_the_walk_begins_in_the_readme():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "(ARCHITECTURE.md)" in readme
    assert "src/scalesr/pipeline/method.py" in readme


@pytest.mark.parametrize("page", ["README.md", "ARCHITECTURE.md", "docs/how-it-works/index.md"])
def test_the_drawing_names_folders_of_the_tree_in_the_order_of_the_pages(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    (stages,) = re.findall(r"-> Discovery\n +(.*)\n", text)
    assert stages.split() == ["tables", "reduce", "generator", "control", "search", "chain", "pipeline"]
    folders = {path.name for path in (ROOT / "src" / "scalesr").iterdir() if path.is_dir()}
    assert folders >= set(stages.split())


def test_every_folder_is_on_the_page():
    folders = [path.name for path in (ROOT / "src" / "scalesr").iterdir() if (path / "__init__.py").exists()]
    missing = [name for name in folders if not re.search(rf"\b{name}\b", PAGE)]
    assert missing == []
