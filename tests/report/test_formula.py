"""A formula on a page is read back by a small reader of its own and evaluated; it has to give the same values."""

import math
import re
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given

from scalesr import evaluate, parse
from scalesr.report.formula import to_html
from scalesr.report.symbols import symbol
from tests.expr.strategies import expressions

FUNCTIONS = {
    "sin": math.sin, "cos": math.cos, "tan": math.tan, "log": math.log, "tanh": math.tanh, "min": min, "max": max,
}  # fmt: skip


def plain(html: str) -> str:
    """A formula on a page as one that Python computes, in which every element is bracketed as it stands there."""
    return inside(ET.fromstring(html))


def inside(element: ET.Element) -> str:
    """All that an element holds, one after another; a letter, a number or a bracket after a letter is a factor."""
    return (element.text or "") + "".join(read(kid) + (kid.tail or "") for kid in element)


def read(element: ET.Element) -> str:
    kind = element.get("class")
    if element.tag == "sup":
        return f"**({inside(element)})"
    if kind == "over":
        top, bottom = element
        return f"(({inside(top)})/({inside(bottom)}))"
    if kind == "root":
        return f"sqrt({inside(element[1])})"
    if kind == "fence":
        return f"({inside(element[1])})" if element[0].get("class") == "opens" else f"abs({inside(element[1])})"
    if kind == "tall":
        return f"({inside(element)})"
    if kind == "thin":
        return "*"
    return inside(element)


def computed(html: str) -> str:
    """Signs as Python writes them; e to a power is the exponential."""
    text = plain(html).replace("\u2212", "-").replace("\u00b7", "*")
    return re.sub(r"\|(.*?)\|", r"abs(\1)", re.sub(r"\be\*\*", "E**", text))


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
        "abs(x0/x1 - 3)*abs(x0 - x1)",
        "sqrt(x0/x1)^3*sqrt(sqrt(x0) + 1)",
        "(x0/x1 + 1)^2*exp(-x0/x1)",
        "2*pi/3*x0^2*(x1*pi) - x0/(4*pi)",
        "1/sqrt(2*pi)*exp(-x0^2/2)",
    ],
)
def test_the_page_shows_what_the_formula_says(formula):
    expr = parse(formula)
    read_back = computed(to_html(expr))
    scope = FUNCTIONS | {
        "E": math.e,
        "sqrt": math.sqrt,
        "abs": abs,
        "\N{GREEK SMALL LETTER PI}": math.pi,
        "x0": 1.3,
        "x1": 0.7,
    }
    value = eval(read_back, {"__builtins__": {}}, scope)  # noqa: S307 - our own text, made two lines above
    assert value == pytest.approx(evaluate(expr, np.array([[1.3, 0.7]]))[0], rel=1e-12)


@given(expressions())
def test_every_formula_is_well_formed(expr):
    assert ET.fromstring(to_html(expr)).get("role") == "math"


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
        ("log_Re", "log_Re"),
        ("sin1", "sin1"),
    ],
)
def test_names_are_shown_as_they_are_or_as_symbols(name, shown):
    assert "".join(ET.fromstring(f"<r>{symbol(name)}</r>").itertext()) == shown


def test_the_left_side_is_the_target():
    assert plain(to_html(parse("x0"), ["a"], left="beta")) == "β=a"


@pytest.mark.parametrize(("left", "shown"), [("dangle/dt", "dangledt="), ("d2x/dt2", "d2xdt2="), ("d/dt", "d/dt=")])
def test_a_rate_is_a_fraction(left, shown):
    html = to_html(parse("x0"), left=left)
    assert "".join(ET.fromstring(html).itertext()).startswith(shown)
    assert ("over" in html) is (left != "d/dt")
