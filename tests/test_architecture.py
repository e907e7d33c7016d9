import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LINT = "from importlinter.cli import lint_imports_command; lint_imports_command()"


def check_contracts(package_root: Path) -> subprocess.CompletedProcess[str]:
    options = ["--config", str(ROOT / "pyproject.toml"), "--no-cache", "--no-logo"]
    environment = os.environ | {"PYTHONPATH": str(package_root)}
    command = [sys.executable, "-c", LINT, *options]
    return subprocess.run(command, cwd=package_root, env=environment, capture_output=True, text=True, check=False)


def test_imports_go_down_only_and_heavy_libraries_have_one_door():
    done = check_contracts(ROOT / "src")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "KEPT" in done.stdout


@pytest.mark.parametrize(
    ("module", "line", "broken"),
    [
        ("kernels/codes.py", "import scalesr.expr.fold", "Imports go down only"),
        ("tables.py", "import scalesr.cli.app", "Imports go down only"),
        ("expr/operators.py", "import sympy", "sympy only in expr.sympy_bridge"),
        ("expr/fold.py", "import numba", "numba only in kernels"),
        ("bench/timing.py", "import rich", "typer and rich only in cli"),
        ("search/policy/search.py", "import torch", "torch and JAX only in the networks and expr.functions"),
        ("records/equation.py", "import pandas", "scikit-learn and pandas only in estimators"),
        ("pipeline/__init__.py", "import sklearn", "scikit-learn and pandas only in estimators"),
        ("bench/timing.py", "import matplotlib", "matplotlib only in report"),
        ("report/page.py", "import nicegui", "NiceGUI and its server only in app"),
        ("cluster/job.py", "import distributed", "Dask and Ray only behind the doors for them"),
        ("estimators/rows.py", "import scalesr.cluster.job", "Imports go down only"),
        ("helpers.py", "import math", "Imports go down only"),
    ],
)
def test_the_contracts_catch(tmp_path, module, line, broken):
    shutil.copytree(ROOT / "src" / "scalesr", tmp_path / "scalesr", ignore=shutil.ignore_patterns("__pycache__"))
    with (tmp_path / "scalesr" / module).open("a") as source:
        source.write(f"\n{line}\n")
    done = check_contracts(tmp_path)
    assert done.returncode == 1
    assert any(broken in text and "BROKEN" in text for text in done.stdout.splitlines()), done.stdout
