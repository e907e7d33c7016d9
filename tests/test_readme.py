"""The examples in the documents do what the documents say."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.blocks import WAVES, without_hurry

ROOT = Path(__file__).parent.parent


def python_blocks(name: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (ROOT / name).read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize(("place", "n_lines"), [(0, 3), (1, 3), (2, 4), (3, 3)])
def test_the_readme_examples_print_what_they_say(capsys, monkeypatch, tmp_path, place, n_lines):
    monkeypatch.setenv("SCALESR_CACHE", str(tmp_path))
    example = python_blocks("README.md")[place]
    with without_hurry(WAVES):
        exec(example, {})  # noqa: S102 - our own document
    printed = capsys.readouterr().out.strip().splitlines()
    promised = re.findall(r"^print\(.*\) +# (.*)$", example, re.MULTILINE)
    assert len(printed) == len(promised) == n_lines
    for line, comment in zip(printed, promised, strict=True):
        pattern = re.escape(comment).replace(r"\.\.\.", r"\d*")
        assert re.fullmatch(pattern, line), f"the README says {comment}, the code {line}"


def test_the_contributing_example_defines_an_operator_that_fits_and_prints():
    example = python_blocks("CONTRIBUTING.md")[0]
    use = """
from scalesr import fit, parse
x = [[-2.0], [-1.0], [1.0], [3.0]]
print(fit(parse("C*softsign(x)", names=["x"]), x, [-2.0, -1.5, 1.5, 2.25]).expression)
"""
    # in a process of its own, so that no other test meets the operator
    done = subprocess.run([sys.executable, "-c", example + use], capture_output=True, text=True, check=True)
    assert done.stdout == "3*softsign(x0)\n"


def test_the_contributing_search_works_by_its_name_once_its_package_is_installed(tmp_path):
    """The page from end to end: its module and its entry point, put where pip would put them, and a fit by the name."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (points,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    group, name, value = re.fullmatch(r'\[project\.entry-points\."(.*)"\]\n(\S+) = "(\S+)"\n', points).groups()
    (tmp_path / f"{value.partition(':')[0]}.py").write_text(python_blocks("CONTRIBUTING.md")[1])
    info = tmp_path / "my_package-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-package\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{group}]\n{name} = {value}\n")
    use = f"""
import numpy as np
from scalesr import ScaleSRRegressor
x = np.linspace(1, 3, 40)
model = ScaleSRRegressor(search={name!r}, plain_laws=False, random_state=0).fit(x[:, None], 2 * x**3 + 1)
print(model.equation_, "|", [step.summary for step in model.discovery_.trace if step.stage == "search"])
"""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    done = subprocess.run([sys.executable, "-c", use], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("2*x0^3 + 1 | ["), done.stdout + done.stderr
    assert "One variable is left" in done.stdout  # so that it was this search that was asked


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"])
def test_documents_name_files_and_targets_that_exist(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for link in re.findall(r"\]\((?!http)([^)]+)\)", text):
        assert (ROOT / link).exists(), link
    for path in re.findall(r"`(src/[\w./]+)`", text):
        assert (ROOT / path).exists(), path
    for target in re.findall(r"`make (\w+)", text):
        assert f"\n{target}:" in makefile, target
