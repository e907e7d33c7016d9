"""Laws with holes: what they are read as, and what is refused."""

import pytest

from scalesr.errors import FormulaError
from scalesr.expr.frame import parse_frame
from scalesr.expr.text import parse

NAMES = ["x", "y", "z"]


def test_a_frame_has_its_holes_their_arguments_and_open_constants():
    frame = parse_frame("a*f(x) + g(y, z)", NAMES)
    assert str(frame.law) == "C*x3 + x4"
    assert frame.holes == ("f", "g")
    assert [frame.title(hole) for hole in range(2)] == ["f(x)", "g(y, z)"]


def test_a_hole_that_is_used_twice_is_one_function():
    frame = parse_frame("f(x) - f( y )*g(x/y) + f(x)", NAMES)
    assert frame.holes == ("f", "g")
    assert [use.hole for use in frame.uses] == [0, 0, 1]
    law = frame.filled([parse("2*x0^2"), parse("exp(x0)")])
    assert str(law) == "2*x0^2 - 2*x1^2*exp(x0/x1) + 2*x0^2"


def test_functions_that_are_known_and_numbers_are_no_holes():
    frame = parse_frame("2*sin(y) + pi*f(exp(x), z)*C", NAMES)
    assert frame.holes == ("f",)
    assert frame.title(0) == "f(exp(x), z)"
    assert frame.law.n_open == 1


def test_names_of_constants_may_begin_with_d():
    assert parse_frame("d1/d2*f(x)", NAMES).law.n_open == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("d/dt f", "asks for a derivative.*ScaleSRDynamics"),
        ("df/dt + f(x)", "asks for a derivative"),
        ("d/dx f(x)", "asks for a derivative"),
        ("f(g(x))", "stands within another"),
        ("f(k*x)", "depends on 'k', which is not a column; these are x, y, z"),
        ("sin(x) + 2", "has no hole such as f"),
        ("f(x) + f(x, y)", "has 1 argument at one place and 2 at another"),
        ("a*f(x) + a*g(y)", "The constant a is used twice"),
        ("f(x", "never closed"),
        ("f()", r"lacks an argument; write f\(x\)"),
        ("f(2)", "has to be a formula of columns"),
        ("f(C*x)", "has to be a formula of columns"),
        ("f(x)*y(z)", "An operator is missing after 'y'"),
        ("f(x) +", "ends where"),
        ("f(x)[0]", "Only round brackets"),
        ("__import__('os')", "Quotes are not used"),
        ("a(x)*b(x)*c(x)*d(x)*e(x)*f(x)*g(x)", "has 7 holes"),
        ("", "has no hole"),
    ],
)
def test_what_is_no_law_with_holes_is_refused_with_a_sentence(text, message):
    with pytest.raises(FormulaError, match=message):
        parse_frame(text, NAMES)
