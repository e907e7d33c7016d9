"""The first pages show what the files of results and a run say."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
HOOKS = ROOT / "docs" / "build_hooks"


@pytest.fixture(autouse=True)
def hooks(monkeypatch):
    monkeypatch.syspath_prepend(str(HOOKS))


def test_the_figures_of_the_readme_are_those_of_the_files():
    from first_figures import with_figures

    page = (ROOT / "README.md").read_text(encoding="utf-8")
    assert page.count("| laws found, of |") == 1
    assert with_figures(page) == page, "run python docs/build_hooks/first_figures.py"


def test_a_figure_follows_its_file(tmp_path):
    from first_figures import figures_markdown

    lines = [{"method": name, "n_runs": 10, "n_right": right} for name, right in (("scalesr", 7), ("pyoperon", 3))]
    result = {"commit": "0123456789abcdef", "day": "2026-01-02", "summary": [*lines, *lines]}
    (tmp_path / "laws-srbench.json").write_text(json.dumps(result))
    (line,) = figures_markdown(tmp_path).splitlines()[2:]
    assert line.endswith("| **14 of 20** | pyoperon 6 of 20 | `laws-srbench`, 2026-01-02, commit `0123456789` |")


def test_published_figures_are_told_from_those_measured_here():
    from first_figures import comparison_markdown

    rows = re.findall(r"^\| (\S+) \| (.*) \| (.*) \| .* \|$", comparison_markdown(), re.MULTILINE)
    of = {name: (here, published) for name, here, published in rows}
    assert of["scalesr-paper"][1] == "78 %"
    assert all("paper" not in here for here, _ in of.values())


def test_the_picture_shows_what_comes_out_of_its_table():
    from first_picture import drawn, found, sentences

    model, picture = found(), (ROOT / "docs" / "pictures" / "first-law.svg").read_text(encoding="utf-8")
    assert str(model.equation_.rounded()).endswith("*m1*m2/r^2")
    assert len(sentences(model)) == 4
    assert drawn(model) == picture, "run python docs/build_hooks/first_picture.py"
