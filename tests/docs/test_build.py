"""The pages that the build fills in, and the build itself."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
RESULTS = ROOT / "benchmarks" / "results"


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    pytest.importorskip("mkdocs", reason="The extra docs is not installed: pip install '.[docs]'")
    pytest.importorskip("matplotlib")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout + done.stderr == ""  # no warnings
    return folder


def test_every_result_file_is_on_the_page_with_its_figures(site):
    page = (site / "results" / "index.html").read_text(encoding="utf-8")
    for path in sorted(RESULTS.glob("*.json")):
        result = json.loads(path.read_text(encoding="utf-8"))
        assert f">{path.stem}<" in page
        assert result["commit"][:10] in page
        for line in result.get("summary", []):
            if "system" in line:  # laws of motion
                cells = [line["system"], line["runs"], line["laws_right"]]
            else:
                cells = [line["method"], line["n_runs"], line.get("n_right", line.get("n_recovered"))]
            assert all(f"<td>{cell}</td>" in page for cell in cells), path


def test_the_pages_show_the_run(site):
    control = (site / "how-it-works" / "control" / "index.html").read_text(encoding="utf-8")
    assert control.count("<svg") >= 2
    assert "var(--first)" in control
    index = (site / "how-it-works" / "index.html").read_text(encoding="utf-8")
    assert 'class="formula"' in index
    assert "{{" not in control + index


def test_a_figure_in_a_sentence_has_its_day_and_commit_beside_it(site):
    page = (site / "how-to" / "paper" / "index.html").read_text(encoding="utf-8")
    name = "laws-paper-literal-oracle.json"
    result = json.loads((RESULTS / name).read_text(encoding="utf-8"))
    assert f"<code>{name}</code> <small>{result['day']}, commit <code>{result['commit'][:10]}</code></small>" in page


def test_the_site_loads_nothing_from_elsewhere(site):
    page = (site / "index.html").read_text(encoding="utf-8")
    assert "fonts.googleapis" not in page
    assert 'src="http' not in page


def test_every_shape_of_result_becomes_a_table(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "build_hooks"))
    from results_tables import results_markdown

    result = {
        "commit": "0123456789abcdef", "day": "2026-01-02", "machine": {"cpu": "abacus", "cores": 3},
        "summary": [{"suite": "s", "method": "m", "n_runs": 7, "n_right": 5, "verdicts": {"exact": 5}}],
        "problems": [{"problem": "hidden"}],
        "table1": {"title": "T", "headings": ["a", "b"], "rows": [["x|y", "1–2"]], "notes": ["A note."]},
        "speed": {"one": {"ratio": 2.0}, "parts": [{"what": "w", "ratio": 0.5}]},
        "ratio": 14.25,
    }  # fmt: skip
    (tmp_path / "one.json").write_text(json.dumps(result), encoding="utf-8")
    page = results_markdown(tmp_path)
    for line in (
        "### one", "2026-01-02, commit `0123456789`, 3 cores of abacus.", "| suite | method | runs | right |",
        "| s | m | 7 | 5 |", "| x\\|y | 1–2 |", "A note.", "| one, ratio | 2 |", "| w | 0.5 |", "| ratio | 14.25 |",
    ):  # fmt: skip
        assert line in page.splitlines()
    assert "hidden" not in page


def paper_table(number, cell):
    table = {"title": f"Table {number}", "headings": ["method", "p"], "rows": [["scalesr", cell]], "notes": []}
    return {"commit": "0123456789abcdef", "day": "2026-01-02", "machine": {"cpu": "abacus"}, f"table{number}": table}


def test_the_first_results_come_from_files_and_are_left_out_without_them(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "build_hooks"))
    from headlines import headlines_markdown

    assert headlines_markdown(tmp_path) == ""
    (tmp_path / "paper-table1.json").write_text(json.dumps(paper_table(1, "97 %, paper 90 %")))
    page = headlines_markdown(tmp_path)
    assert "## The paper's Table 1" in page
    assert "| scalesr | 97 %, paper 90 % |" in page
    assert "commit `0123456789`" in page
    assert "Ablations" not in page
    (tmp_path / "paper-table3.json").write_text(json.dumps(paper_table(3, "88 %")))
    missed = {"method": "m", "problem": "I.1", "failed_at": "coefficient", "found": "a*b*c", "reason": "hidden"}
    srbench = {"summary": [{"method": "m", "n_runs": 2, "n_right": 1}], "failures": [missed]}
    (tmp_path / "laws-srbench.json").write_text(json.dumps(srbench))
    page = headlines_markdown(tmp_path)
    assert page.index("## Ablations") < page.index("| scalesr | 88 % |") < page.index("## SRBench")
    assert "| m | 2 | 1 |" in page
    assert "| m | I.1 |  |  | coefficient |" in page
    assert "`a*b*c`" in page
    assert "hidden" not in page
