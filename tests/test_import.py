import subprocess
import sys

import pytest

HEAVY = ("torch", "sympy", "matplotlib", "sklearn", "pandas", "scipy", "numba", "typer", "rich")
REPEATS = 5


def run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def loaded_by(statement: str) -> set[str]:
    return set(run(f"{statement}; import sys; print(*(m for m in {HEAVY} if m in sys.modules))").split())


def import_seconds(module: str) -> float:
    code = f"import time; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"
    return min(float(run(code)) for _ in range(REPEATS))


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


def test_import_takes_less_time_than_importing_numpy():
    # numpy takes 0.1 to 0.4 s on machines of today, so this bar is sharper than half a second
    assert import_seconds("scalesr") < import_seconds("numpy")
