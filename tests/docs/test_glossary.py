"""The glossary is true of the code, and words that were given up stay away."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
ENTRY = re.compile(r"^\| ([^|]+) \|.*\| `(src/[\w./]+)`: `(\w+)` \|$", re.MULTILINE)

# Given up -> what is said instead; see the tables of the glossary.
LEFT = {
    r"usual miss": "trimmed RMSE",
    r"drawn in\b(?! bulk)": "winsorised",
    r"left out in turn": "leave-one-out",
    r"(left|errs) in order": "autocorrelated residuals",
    r"more than chance": "significant",
    r"\bfounded\b": "significant",
    r"spread of the (target|truth)|(target|truth)'s spread": "standard deviation",
    r"\bno news\b": "linearly dependent",
    r"\bshr(i|u)nk(s|ing)?\b(?!_)": "dimension reduction",
    r"\b[Tt]he front\b(?! as there)": "the Pareto front",
    r"plain laws?\b(?!\")": "sparse law",
    r"in another dress": "transformed",
    r"laws? that (was|were) met": "tried",
    r"alike everywhere": "the same everywhere",
    r"foretells?\b|foretold": "predict",
    r"so-manieth": "every n-th",
}
ABOUT_WORDS = "glossary.md"  # has them on purpose


def pages():
    found = [ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md")]
    return found + sorted(path for path in (ROOT / "docs").rglob("*.md") if path.name != ABOUT_WORDS)


def texts_of_code(path):
    """Every text in a source file, docstrings and messages alike."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.value


@cache
def everything_said():
    """Every page, and every text of the code, with the name of its file."""
    sources = sorted([*(ROOT / "src").rglob("*.py"), *(ROOT / "bench" / "src").rglob("*.py")])
    said = [(path.name, path.read_text(encoding="utf-8")) for path in pages()]
    return said + [(path.name, "\n".join(texts_of_code(path))) for path in sources]


def test_every_row_names_code():
    rows = [line for line in GLOSSARY.splitlines() if line.startswith("| ") and not line.startswith(("| word", "|---"))]
    assert len(rows) == len(ENTRY.findall(GLOSSARY)) > 30


@pytest.mark.parametrize(("word", "path", "name"), ENTRY.findall(GLOSSARY))
def test_the_code_has_the_word(word, path, name):
    place = ROOT / path
    assert place.exists()
    files = sorted(place.rglob("*.py")) if place.is_dir() else [place]
    assert any(re.search(rf"\b{name}\b", file.read_text(encoding="utf-8")) for file in files)


def test_no_word_is_explained_twice():
    words = [word for word, _, _ in ENTRY.findall(GLOSSARY)]
    assert len(words) == len(set(words))


@pytest.mark.parametrize("word", LEFT)
def test_a_word_that_was_given_up_is_in_no_page_and_no_text_of_the_code(word):
    found = [(name, match[0]) for name, text in everything_said() for match in re.finditer(word, text)]
    assert found == [], f"say {LEFT[word]!r} instead"
