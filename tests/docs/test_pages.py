"""The documents do what they say."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.blocks import RUN, SHOWN, blocks_of, matches, run_page

ROOT = Path(__file__).parent.parent.parent
PAGES = sorted((ROOT / "docs").rglob("*.md"))
WITH_CODE = [page for page in PAGES if any(block.kind in RUN for block in blocks_of(page))]
ALONE = ["operators.md"]  # these define operators, which no other test should meet


def name(page: Path) -> str:
    return str(page.relative_to(ROOT / "docs"))


def test_every_block_is_of_a_kind_that_is_run_or_only_shown():
    kinds = {block.kind for page in PAGES for block in blocks_of(page)}
    assert kinds <= {*RUN, *SHOWN}
    for page in PAGES:
        assert page.read_text(encoding="utf-8").count("```") == 2 * len(blocks_of(page)), page


@pytest.mark.parametrize("page", [page for page in WITH_CODE if page.name not in ALONE], ids=name)
def test_the_page_works_as_written(page, tmp_path, monkeypatch):
    if page.name in ("reports.md", "tutorial.md"):
        pytest.importorskip("matplotlib")
    if page.name == "units.md":
        pytest.importorskip("pint")
    monkeypatch.chdir(tmp_path)
    assert run_page(page) > 0


@pytest.mark.parametrize("page", [page for page in WITH_CODE if page.name in ALONE], ids=name)
def test_the_page_works_as_written_by_itself(page, tmp_path):
    code = f"from pathlib import Path; from tests.docs.blocks import run_page; assert run_page(Path({str(page)!r})) > 0"
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, check=True)


@pytest.mark.parametrize(
    ("text", "promise", "is_kept"),
    [
        ("6.2813*x", "6.28...*x", True),
        ("6.2713*x", "6.28...*x", False),
        ("a\nb\nc", "a\n...\nc", True),
        ("a\nb\nc", "a...c", False),
        ("[1]", "[1]", True),
        ("a", "", False),
    ],
)
def test_a_promise_is_compared_word_for_word_but_for_its_dots(text, promise, is_kept):
    assert matches(text, promise) is is_kept


def test_every_stage_has_a_page_named_as_its_folder():
    stages = {"tables", "reduce", "generator", "control", "search", "chain", "polish", "evidence"}
    stages |= {"pipeline", "dynamics"}
    for stage in stages:
        page = ROOT / "docs" / "how-it-works" / f"{stage}.md"
        assert page.read_text(encoding="utf-8").startswith(f"# {stage}\n")
        assert (ROOT / "src" / "scalesr" / stage).is_dir()


def test_the_reference_has_every_public_name():
    import scalesr

    text = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    listed = {line.rpartition(".")[2] for line in re.findall(r"^::: (\S+)$", text, re.MULTILINE)}
    assert set(scalesr.__all__) - {"__version__"} <= listed


def test_the_screenshot_is_small():
    assert 10_000 < (ROOT / "docs" / "pictures" / "report.png").stat().st_size < 300_000
