"""MathML is read back by a small reader of its own and evaluated; it has to give the formula's values."""

import math
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given

from scalesr import evaluate, parse
from scalesr.report.mathml import to_mathml
from scalesr.report.symbols import mathml_name
from tests.expr.strategies import expressions

FUNCTIONS = {
    "sin": math.sin, "cos": math.cos, "tan": math.tan, "log": math.log, "tanh": math.tanh, "min": min, "max": max,
}  # fmt: skip
TIMES = ("\u2062", "\u00b7")


def plain(mathml: str) -> str:
    """MathML as a formula that Python computes, in which every element is bracketed as it stands on the page."""
    (row,) = ET.fromstring(mathml)
    return read(row)


def read(element: ET.Element) -> str:
    kids = [read(kid) for kid in element if kid.tag != "mspace"]
    if element.tag == "mrow":
        return "".join(kids)
    if element.tag == "mfrac":
        return f"(({kids[0]})/({kids[1]}))"
    if element.tag == "msup":
        return f"(({kids[0]})**({kids[1]}))" if kids[0] != "e" else f"exp({kids[1]})"
    if element.tag == "msqrt":
        return f"sqrt({''.join(kids)})"
    if element.tag == "msub":
        return "".join(kids)
    text = element.text or ""
    return "*" if text in TIMES else text.replace("\u2212", "-").replace("\u2061", "")


@pytest.mark.parametrize(
    "formula",
    [
        "-x0*sin(x1)^2/(x0 - (-x1)) + 1e-05*x1^(-1.5)",
        "2*3^x0",
        "2.5e20*x0*(x1 - 3)*4",
        "(-2)^3*sqrt(x0 + x1)",
        "-(x0 + x1)",
        "x0 - (x1 - x0) - (-x1)",
        "(x0 + x1)^2^3",
        "exp(-x0)^2",
        "max(x0, -x1)/min(2, x1)",
        "x0/(x1/3)/2",
        "-2^2",
        "tanh(cos(x0))*(-1.5)",
    ],
)
def test_the_page_shows_what_the_formula_says(formula):
    expr = parse(formula)
    read_back = plain(to_mathml(expr))
    scope = FUNCTIONS | {"exp": math.exp, "sqrt": math.sqrt, "x0": 1.3, "x1": 0.7}
    value = eval(read_back, {"__builtins__": {}}, scope)  # noqa: S307 - our own text, made two lines above
    assert value == pytest.approx(evaluate(expr, np.array([[1.3, 0.7]]))[0], rel=1e-12)


@given(expressions())
def test_every_formula_is_well_formed(expr):
    assert ET.fromstring(to_mathml(expr)).tag.endswith("math")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("theta_1", "θ1"),
        ("Omega", "Ω"),
        ("lambda", "λ"),
        ("x12", "x12"),
        ("speed", "speed"),
        ("a b", "a b"),
        ("<b>&amp;", "<b>&amp;"),
        ("", " "),
        ("a\x00\n", r"a\x00\n"),
        ("_", "_"),
    ],
)
def test_names_are_shown_as_they_are_or_as_symbols(name, shown):
    assert "".join(ET.fromstring(f"<r>{mathml_name(name)}</r>").itertext()) == shown


def test_the_left_side_is_the_target():
    assert plain(to_mathml(parse("x0"), ["a"], left="beta")) == "β=a"
