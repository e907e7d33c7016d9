import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGES = {"scalesr": ROOT / "src", "scalesr_bench": ROOT / "bench" / "src"}
LINT = "from importlinter.cli import lint_imports_command; lint_imports_command()"


def check_contracts(folder: Path, *roots: Path) -> subprocess.CompletedProcess[str]:
    options = ["--config", str(ROOT / "pyproject.toml"), "--no-cache", "--no-logo"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, roots))}
    command = [sys.executable, "-c", LINT, *options]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


FORBIDDEN = [
    ("scalesr/kernels/codes.py", "import scalesr.expr.fold", "Imports go down only"),
    ("scalesr/tables.py", "import scalesr.cli.app", "Imports go down only"),
    ("scalesr/expr/operators.py", "import sympy", "sympy only in expr.sympy_bridge"),
    ("scalesr/expr/fold.py", "import numba", "numba only in kernels"),
    ("scalesr_bench/timing.py", "import rich", "typer and rich only in cli"),
    ("scalesr/search/policy/search.py", "import torch", "torch and JAX only in the networks and expr.functions"),
    ("scalesr/records/equation.py", "import pandas", "scikit-learn and pandas only in estimators"),
    ("scalesr/pipeline/__init__.py", "import sklearn", "scikit-learn and pandas only in estimators"),
    ("scalesr_bench/timing.py", "import matplotlib", "matplotlib only in report"),
    ("scalesr_bench/timing.py", "import scalesr.polish.prune", "The bench measures from outside"),
    ("scalesr_bench/laws/runs.py", "import scalesr_bench.cli.app", "Imports of the bench go down only"),
    ("scalesr/cli/demo.py", "import scalesr_bench.judge", "The product does without the bench"),
    ("scalesr/report/page.py", "import nicegui", "NiceGUI and its server only in app"),
    ("scalesr/cluster/job.py", "import distributed", "Dask and Ray only behind the doors for them"),
    ("scalesr/estimators/counting_rows.py", "import scalesr.cluster.job", "Imports go down only"),
]


def test_the_contracts_catch_every_import_that_is_not_allowed(tmp_path):
    """All at once, as each is named in what is said of its contract."""
    for name, root in PACKAGES.items():
        shutil.copytree(root / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for module, line, _ in FORBIDDEN:
        with (tmp_path / module).open("a") as source:
            source.write(f"\n{line}\n")
    (tmp_path / "scalesr" / "helpers.py").write_text('"""A module at a place that no layer knows."""\n')
    done = check_contracts(tmp_path, tmp_path)
    assert done.returncode == 1
    broken = [text for text in done.stdout.splitlines() if "BROKEN" in text]
    for module, line, contract in FORBIDDEN:
        importer = module.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        assert f"{importer} -> {line.split()[-1]}" in done.stdout
        assert any(contract in text for text in broken), contract
    assert "- scalesr.helpers" in done.stdout
