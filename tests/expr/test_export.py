from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from scalesr.errors import FormulaError, OperatorError
from scalesr.expr.export import cell_in_row, to_c, to_excel, to_python, to_torch
from scalesr.expr.expression import Expression, apply, variable
from scalesr.expr.operators import Operator
from scalesr.expr.text import parse
from tests.expr.oracle import custom_row, is_defined, registered, values
from tests.expr.strategies import built_in, expressions

COLUMNS = [np.array([0.3, -1.2, 2.5, 0.0]), np.array([1.7, 0.4, -0.8, 0.0])]
EXPORTS = [to_python, to_torch, to_c]
TROUBLE = [
    "my col",
    "my_col",
    "class",
    "sin",
    "x",
    "row",
    "np",
    "torch",
    "*/ int",
    "a\nb",
    "é",
    "质量",
    "",
    "2nd",
    "double",
    "__x",
    "ﬁ",
    "fi",
    "NAN",
    "law",
    "part1",
    "M_PI",
    "linux",
]
DEEP = parse("sin(" * 300 + "x0*x1" + ")" * 300)


def python_function(source: str, name: str = "law") -> Callable[..., Any]:
    space: dict[str, Any] = {}
    exec(compile(source, "law.py", "exec"), space)  # noqa: S102 - running what was exported is the test
    return space[name]


def numpy_values(expr: Expression, names: list[str] | None = None) -> np.ndarray:
    with np.errstate(all="ignore"):
        arguments = COLUMNS[: expr.n_columns if names is None else len(names)]
        return np.broadcast_to(python_function(to_python(expr, names))(*arguments), COLUMNS[0].shape)


@pytest.fixture(scope="module")
def compile_c(tmp_path_factory: pytest.TempPathFactory) -> Callable[[list[str]], ctypes.CDLL]:
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")

    def compiled(sources: list[str]) -> ctypes.CDLL:
        folder: Path = tmp_path_factory.mktemp("c")
        (folder / "law.c").write_text("\n".join(sources), encoding="ascii")
        flags = ["-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-div-by-zero", "-shared", "-fPIC"]
        subprocess.run(["gcc", *flags, "law.c", "-o", "law.so", "-lm"], cwd=folder, check=True, capture_output=True)
        return ctypes.CDLL(str(folder / "law.so"))

    return compiled


def c_values(library: ctypes.CDLL, name: str, columns: list[np.ndarray]) -> np.ndarray:
    function = getattr(library, name)
    function.restype, function.argtypes = ctypes.c_double, [ctypes.POINTER(ctypes.c_double)]
    rows = np.column_stack(columns)
    return np.array([function((ctypes.c_double * len(row))(*row)) for row in rows])


def row_formulas() -> list[Expression]:
    """Each operator of columns, of numbers, and of both."""
    made = []
    for row in built_in():
        for texts in (("x0", "x1"), ("2.5", "-0.5"), ("x0", "-1.5"), ("0", "0")):
            operands = [parse(text) for text in texts[: row.arity]]
            made.append(apply(row.name, *operands, power=-2 if row.name == "powi" else 0))
    return made


FORMULAS = [*row_formulas(), DEEP, parse("1.5"), parse("-1e-300*x0"), parse("-(-2)*x1 - -x0"), parse("x0^2 - 1/0*x1")]


@pytest.mark.parametrize("expr", FORMULAS, ids=lambda expr: str(expr)[:20])
def test_numpy_code_computes_the_formula(expr: Expression) -> None:
    np.testing.assert_allclose(numpy_values(expr), values(expr, COLUMNS), rtol=1e-13)


def test_c_code_computes_every_formula(compile_c: Callable[[list[str]], ctypes.CDLL]) -> None:
    library = compile_c([to_c(expr, function_name=f"law{place}") for place, expr in enumerate(FORMULAS)])
    for place, expr in enumerate(FORMULAS):
        found = c_values(library, f"law{place}", COLUMNS)
        np.testing.assert_allclose(found, values(expr, COLUMNS), rtol=1e-13, err_msg=str(expr)[:80])


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_torch_code_computes_every_formula(dtype: str) -> None:
    torch = pytest.importorskip("torch")
    tensors = [torch.tensor(column, dtype=getattr(torch, dtype)) for column in COLUMNS]
    rtol, smallest = (1e-12, 0.0) if dtype == "float64" else (1e-4, 1e-30)  # single precision ends there
    for expr in FORMULAS:
        found = python_function(to_torch(expr))(*tensors[: expr.n_columns])
        whole = np.broadcast_to(found.numpy(), (4,))
        np.testing.assert_allclose(whole, values(expr, COLUMNS), rtol=rtol, atol=smallest, err_msg=str(expr)[:80])
        assert not expr.n_columns or found.dtype == getattr(torch, dtype)


def test_torch_code_can_be_differentiated() -> None:
    torch = pytest.importorskip("torch")
    column = torch.tensor([0.5, 2.0], dtype=torch.float64, requires_grad=True)
    python_function(to_torch(parse("x0^3 + max(x0, 1)")))(column).sum().backward()
    assert column.grad.tolist() == pytest.approx([0.75, 13.0])


@settings(deadline=None, max_examples=150)
@given(expressions(max_nodes=12))
def test_numpy_code_of_any_formula_computes_it(expr: Expression) -> None:
    np.testing.assert_allclose(numpy_values(expr), values(expr, COLUMNS), rtol=1e-12)


@settings(deadline=None, max_examples=3, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(expressions(max_nodes=12), expressions(max_nodes=25))
def test_c_code_of_any_formula_computes_it(
    compile_c: Callable[[list[str]], ctypes.CDLL], first: Expression, second: Expression
) -> None:
    library = compile_c([to_c(first, function_name="first"), to_c(second, function_name="second")])
    for name, expr in (("first", first), ("second", second)):
        found, wanted = c_values(library, name, COLUMNS), values(expr, COLUMNS)
        both = np.isfinite(wanted) & np.isfinite(found)
        np.testing.assert_allclose(found[both], wanted[both], rtol=1e-6)


def test_names_become_unique_identifiers_of_python() -> None:
    expr = parse(" + ".join(f"{place + 1}*x{place}" for place in range(len(TROUBLE))))
    columns = np.random.default_rng(0).uniform(size=(len(TROUBLE), 5))
    for export in (to_python, to_torch):
        arguments = re.search(r"def law\((.*)\):", export(expr, TROUBLE))[1].split(", ")
        assert len(set(arguments)) == len(TROUBLE)
        assert arguments[1] == "my_col"
        assert arguments[2] == "class_"
    found = python_function(to_python(expr, TROUBLE))(*columns)
    np.testing.assert_allclose(found, values(expr, list(columns)), rtol=1e-13)


def test_names_become_unique_identifiers_of_c(compile_c: Callable[[list[str]], ctypes.CDLL]) -> None:
    expr = parse(" + ".join(f"{place + 1}*sin(x{place})" for place in range(len(TROUBLE))))
    columns = list(np.random.default_rng(0).uniform(size=(len(TROUBLE), 5)))
    found = c_values(compile_c([to_c(expr, TROUBLE)]), "law", columns)
    np.testing.assert_allclose(found, values(expr, columns), rtol=1e-13)


def test_original_names_stand_in_the_comments() -> None:
    expr, names = parse("x0 + x1"), ["my col", "*/ int"]
    assert "# my_col is my col" in to_python(expr, names)
    assert "/* my col */" in to_c(expr, names)
    assert "/* * / int */" in to_c(expr, names)
    assert "# a\\nb is" not in to_python(expr, ["x", "a\nb"])
    assert "is a\\nb" in to_python(expr, ["x", "a\nb"])


def test_whole_numbers_in_a_table_do_not_overflow() -> None:
    law = python_function(to_python(parse("x0*x0")))
    assert law([100_000, 3]).tolist() == [1e10, 9.0]
    assert law(np.array([200], np.uint8)).tolist() == [40_000.0]


@pytest.mark.parametrize("export", EXPORTS)
def test_open_constants_are_refused_with_the_way_out(export: Callable[..., str]) -> None:
    with pytest.raises(FormulaError, match=r"2 open constants.*bind"):
        export(parse("C*x0 + C"))


@pytest.mark.parametrize("export", EXPORTS)
@pytest.mark.parametrize("name", ["", "2law", "my law", "law()", "for", "law\n", "__law"])
def test_function_names_that_are_none_are_refused(export: Callable[..., str], name: str) -> None:
    with pytest.raises(FormulaError, match="function's name"):
        export(parse("x0"), function_name=name)


@pytest.mark.parametrize(
    ("export", "name"), [(to_python, "np"), (to_torch, "torch"), (to_c, "sin"), (to_c, "double"), (to_c, "é")]
)
def test_function_names_that_are_taken_are_refused(export: Callable[..., str], name: str) -> None:
    with pytest.raises(FormulaError, match="function's name"):
        export(parse("x0"), function_name=name)


@pytest.mark.parametrize("export", EXPORTS)
def test_too_few_names_are_refused(export: Callable[..., str]) -> None:
    with pytest.raises(FormulaError, match="only 1 names"):
        export(parse("x0 + x1"), ["a"])


@pytest.mark.parametrize(("export", "language"), [(to_python, "numpy"), (to_torch, "torch"), (to_c, "C")])
def test_ones_own_operator_needs_a_template(export: Callable[..., str], language: str) -> None:
    with registered(custom_row()), pytest.raises(OperatorError, match=f"'square_it' has no {language} template"):
        export(apply("square_it", variable(0)))


def test_ones_own_operator_with_a_template_is_exported() -> None:
    row: Operator = custom_row(numpy="np.square({0})")
    with registered(row):
        law = python_function(to_python(apply("square_it", variable(0))))
    assert law([3.0]).tolist() == [9.0]


EXCEL = {
    "POWER": np.power, "LN": np.log, "MIN": np.minimum, "MAX": np.maximum, "SQRT": np.sqrt, "SIN": np.sin,
    "COS": np.cos, "TAN": np.tan, "EXP": np.exp, "TANH": np.tanh, "ASIN": np.arcsin, "ACOS": np.arccos,
    "ATAN": np.arctan, "ABS": np.abs,
}  # fmt: skip


@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=60)
@given(expressions().filter(lambda expr: is_defined(expr, COLUMNS)))
def test_a_cell_of_a_spreadsheet_computes_the_same(expr: Expression):
    text = to_excel(expr, ["A2", "B2"])
    source = f"def law(A2, B2):\n    return {text.removeprefix('=')}"
    space: dict[str, Any] = dict(EXCEL)
    exec(compile(source, "cell", "exec"), space)  # noqa: S102 - Excel's functions, by those of numpy
    found = np.broadcast_to(space["law"](*COLUMNS), COLUMNS[0].shape)
    np.testing.assert_allclose(found, values(expr, COLUMNS), rtol=1e-12)


def test_cells_are_named_as_spreadsheets_do():
    assert [cell_in_row(column) for column in (0, 25, 26, 27, 701, 702)] == ["A2", "Z2", "AA2", "AB2", "ZZ2", "AAA2"]
    with pytest.raises(FormulaError, match="not a cell"):
        to_excel(parse("x0"), ["A2+cmd"])
    with pytest.raises(FormulaError, match="too deep"):
        to_excel(DEEP, ["A2", "B2"])
