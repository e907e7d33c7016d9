import subprocess
import sys
from collections import Counter

import pytest

HEAVY = ("torch", "sympy", "matplotlib", "sklearn", "pandas", "scipy", "numba", "typer", "rich")


def run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def loaded_by(statement: str) -> set[str]:
    return set(run(f"{statement}; import sys; print(*(m for m in {HEAVY} if m in sys.modules))").split())


def n_loaded_by(module: str) -> int:
    return int(run(f"import sys; before = len(sys.modules); import {module}; print(len(sys.modules) - before)"))


def test_import_loads_nothing_heavy():
    assert loaded_by("import scalesr") == set()


@pytest.mark.parametrize(
    "statement",
    [
        "from scalesr import Expression, Operators, Operator, define_operator, errors",
        "import scalesr; print(end=str(scalesr.parse('C*sin(x) + 1', names=['x'])) * 0)",
    ],
)
def test_formulas_as_text_need_no_compiler_and_no_algebra_system(statement):
    assert loaded_by(statement) == set()


def test_import_loads_fewer_modules_than_importing_numpy():
    assert n_loaded_by("scalesr") < n_loaded_by("numpy") / 2


REFERENCE = "sklearn.base, pandas"  # what the estimator cannot do without


FOR_FEW_FITS = {"torch", "sympy", "matplotlib", "typer", "rich"}


def test_the_estimator_loads_little_beside_what_it_stands_on():
    """A bar of seconds holds on one machine; what takes the seconds is what is loaded, and that is the same on all."""
    code = f"""
import sys
import {REFERENCE}
n_reference, known = len(sys.modules), set(sys.modules)
from scalesr import ScaleSRRegressor
more = {{name for name in sys.modules if name not in known}}
print(n_reference, *sorted(more))
"""
    n_reference, *more = run(code).split()
    assert not FOR_FEW_FITS & {*more}
    assert len(more) < 0.6 * int(n_reference)
    packages = Counter(name.partition(".")[0] for name in more)
    assert {name for name, n in packages.items() if n > 10} <= {"scalesr", "numba", "llvmlite", "yaml"}


def test_compiling_in_another_process_loads_the_kernels_alone():
    assert loaded_by("import scalesr.kernels.engine") <= {"numba", "scipy"}  # numba brings SciPy along
