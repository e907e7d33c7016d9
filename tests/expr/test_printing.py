from __future__ import annotations

import pytest
from hypothesis import given, settings

from scalesr.errors import FormulaError
from scalesr.expr.expression import Expression, apply, constant, variable
from scalesr.expr.printing import number_text, to_latex, to_text
from scalesr.expr.text import parse
from scalesr.expr.typeset import latex_name
from tests.expr.effort import effort
from tests.expr.oracle import custom_row, registered
from tests.expr.strategies import built_in, expressions

X, Y = variable(0), variable(1)

NUMBERS = {
    2.0: "2",
    -2.0: "-2",
    -0.0: "-0",
    0.1: "0.1",
    1e-34: "1e-34",
    1e15: "1000000000000000",
    1e16: "1e16",
    -1.5e300: "-1.5e300",
    5e-324: "5e-324",
    0.30000000000000004: "0.30000000000000004",
    299792458.0: "299792458",
}


@pytest.mark.parametrize(("number", "text"), NUMBERS.items())
def test_numbers_have_exactly_the_digits_they_carry(number: float, text: str) -> None:
    assert number_text(number) == text
    assert to_text(constant(number)) == text
    assert float(text) == number


PRINTED = {
    "x0+x1*2": "x0 + x1*2",
    "x0-(x1-2)": "x0 - (x1 - 2)",
    "x0-(x1+2)": "x0 - (x1 + 2)",
    "(x0+x1)+2": "x0 + x1 + 2",
    "x0+(x1+2)": "x0 + (x1 + 2)",
    "x0*(x1*2)": "x0*(x1*2)",
    "x0/(x1*2)": "x0/(x1*2)",
    "x0^-1": "x0^(-1)",
    "x0^2.0": "x0^2.0",
    "x0^-2.5": "x0^(-2.5)",
    "x0^x1^2": "x0^(x1^2)",
    "(x0^x1)^2": "(x0^x1)^2",
    "x0+-2": "x0 + -2",
    "x0*-2": "x0*(-2)",
    "x0*-x1": "x0*(-x1)",
    "-2*x0": "-2*x0",
    "-(2)*x0": "-(2)*x0",
    "-(2*x0)": "-(2*x0)",
    "-(x0+x1)": "-(x0 + x1)",
    "--x0": "--x0",
    "(-2)^2": "(-2)^2",
    "(-x0)^2": "(-x0)^2",
    "sin((x0))^2": "sin(x0)^2",
    "min(x0,-2)": "min(x0, -2)",
    "2^-x0": "2^(-x0)",
    "C1*x0+C2": "C*x0 + C",
}


@pytest.mark.parametrize(("text", "printed"), PRINTED.items())
def test_text_has_the_brackets_it_needs_and_no_more(text: str, printed: str) -> None:
    assert to_text(parse(text)) == printed


def test_names_that_would_be_misread_are_backquoted() -> None:
    names = ["mass", "my col", "sin", "C", "pi", "C_1", "a`b", "θ", "lambda", "neg", ""]
    sums = parse(" + ".join(f"x{column}" for column in range(len(names))))
    expected = "mass + `my col` + `sin` + `C` + `pi` + `C_1` + `a``b` + θ + lambda + neg + ``"
    assert to_text(sums, names) == expected


@pytest.mark.parametrize("printer", [to_text, to_latex])
def test_too_few_names_are_refused(printer) -> None:
    with pytest.raises(FormulaError, match="column 1, and only 1 names"):
        printer(apply("+", X, Y), ["a"])


LATEX_OF_ROWS = {
    "+": "x_{0} + x_{1}",
    "-": "x_{0} - x_{1}",
    "*": "x_{0} x_{1}",
    "/": r"\frac{x_{0}}{x_{1}}",
    "^": "x_{0}^{x_{1}}",
    "min": r"\min\left(x_{0}, x_{1}\right)",
    "max": r"\max\left(x_{0}, x_{1}\right)",
    "neg": "-x_{0}",
    "powi": "x_{0}^{3}",
    "sqrt": r"\sqrt{x_{0}}",
    "sin": r"\sin\left(x_{0}\right)",
    "cos": r"\cos\left(x_{0}\right)",
    "tan": r"\tan\left(x_{0}\right)",
    "exp": r"\exp\left(x_{0}\right)",
    "log": r"\log\left(x_{0}\right)",
    "tanh": r"\tanh\left(x_{0}\right)",
    "asin": r"\arcsin\left(x_{0}\right)",
    "acos": r"\arccos\left(x_{0}\right)",
    "atan": r"\arctan\left(x_{0}\right)",
    "abs": r"\left|x_{0}\right|",
}


@pytest.mark.parametrize("row", built_in(), ids=lambda row: row.name)
def test_every_operator_is_typeset(row) -> None:
    operands = [X, Y][: row.arity]
    assert to_latex(apply(row.name, *operands, power=3 if row.name == "powi" else 0)) == LATEX_OF_ROWS[row.name]


LATEX = {
    "2*a": "2 a",
    "a*2": r"a \cdot 2",
    "2*(3)": r"2 \cdot 3",
    "2*(3)*a": r"2 \cdot 3 a",
    "2*pi*a": r"2 \pi a",
    "a*(2*pi)": r"a \cdot 2 \pi",
    "1/24*a^4": r"\frac{1}{24} a^{4}",
    "-pi^2/6*a": r"-\frac{\pi^{2}}{6} a",
    "a^(1/3)": r"a^{\frac{1}{3}}",
    "1/sqrt(2*pi)*a": r"\frac{1}{\sqrt{2 \pi}} a",
    "2*(a + b)": r"2 \left(a + b\right)",
    "a*(a + b)": r"a \cdot \left(a + b\right)",
    "(a + b)*(a - b)": r"\left(a + b\right) \left(a - b\right)",
    "2*(a/b)": r"2 \cdot \frac{a}{b}",
    "a*(b/2)": r"a \frac{b}{2}",
    "2*3^a": r"2 \cdot 3^{a}",
    "a*(b*c)": "a b c",
    "a + -2": "a - 2",
    "a + -2*b": "a - 2 b",
    "a + (-b + c)": "a - b + c",
    "a - -2": r"a - \left(-2\right)",
    "a - (b + c)": r"a - \left(b + c\right)",
    "a - (-b + c)": r"a - \left(-b + c\right)",
    "-(a + b)": r"-\left(a + b\right)",
    "-(a*b)": "-a b",
    "--a": r"-\left(-a\right)",
    "a*-2": r"a \left(-2\right)".replace(r"a \left", r"a \cdot \left"),
    "-2*a": "-2 a",
    "-2/a": r"-\frac{2}{a}",
    "a/-2": r"-\frac{a}{2}",
    "b + a/-2": r"b - \frac{a}{2}",
    "-a/-2": r"\frac{a}{2}",
    "(-a + b)/2": r"\frac{-a + b}{2}",
    "(a/b)^2": r"\left(\frac{a}{b}\right)^{2}",
    "(a*b)^2": r"\left(a b\right)^{2}",
    "(a^2)^3": r"\left(a^{2}\right)^{3}",
    "(-2)^2": r"\left(-2\right)^{2}",
    "a^2.0": "a^{2}",
    "a^(b + 1)": "a^{b + 1}",
    "a^(-1)": "a^{-1}",
    "sin(a)^2": r"\sin^{2}\left(a\right)",
    "sin(a)^-1": r"\left(\sin\left(a\right)\right)^{-1}",
    "sin(a)^b": r"\left(\sin\left(a\right)\right)^{b}",
    "(-sin(a))^2": r"\left(-\sin\left(a\right)\right)^{2}",
    "min(a, b)^2": r"\left(\min\left(a, b\right)\right)^{2}",
    "sqrt(a)^3": r"\left(\sqrt{a}\right)^{3}",
    "abs(a)^3": r"\left|a\right|^{3}",
    "exp(-a^2/2)": r"\exp\left(-\frac{a^{2}}{2}\right)",
    "1.5e-34*a": r"1.5\cdot 10^{-34} a",
    "1e-34": "10^{-34}",
    "-1e30": "-10^{30}",
    "a*1e30": r"a \cdot 10^{30}",
    "1e30^2": r"\left(10^{30}\right)^{2}",
    "1.5e30^2": r"\left(1.5\cdot 10^{30}\right)^{2}",
    "C*a + C*b": "C_{1} a + C_{2} b",
    "2*a + C": "2 a + C_{1}",
}


@pytest.mark.parametrize(("text", "latex"), LATEX.items())
def test_latex_is_what_a_mathematician_would_write(text: str, latex: str) -> None:
    assert to_latex(parse(text, ["a", "b", "c"]), ["a", "b", "c"]) == latex


def test_words_do_not_run_into_what_is_beside_them() -> None:
    names = ["mass", "speed", "v"]
    assert to_latex(parse("x0*x1^2"), names) == r"\mathrm{mass} \cdot \mathrm{speed}^{2}"
    assert to_latex(parse("2*x2*x0"), names) == r"2 v \cdot \mathrm{mass}"
    assert to_latex(parse("x2*x2"), names) == "v v"


SYMBOLS = {
    "x": "x",
    "x12": "x_{12}",
    "E_0": "E_{0}",
    "theta": r"\theta",
    "theta_1": r"\theta_{1}",
    "theta1": r"\theta_{1}",
    "Omega_m": r"\Omega_{m}",
    "omega_max": r"\omega_{\mathrm{max}}",
    "x_alpha": r"x_{\alpha}",
    "v_x_0": "v_{x, 0}",
    "x1_2": "x_{1, 2}",
    "mass": r"\mathrm{mass}",
    "k_B": "k_{B}",
    "Alpha": r"\mathrm{Alpha}",
    "θ": r"\theta",
    "λ_0": r"\lambda_{0}",
    "Ω": r"\Omega",
    "µ": r"\mu",
    "é": r"\mathrm{é}",
    "质量": r"\mathrm{质量}",
    "my column": r"\mathrm{my\ column}",
    "_x": r"\mathrm{\_x}",
    "x_": r"\mathrm{x\_}",
    "a__b": r"\mathrm{a\_\_b}",
    "2nd": r"\mathrm{2nd}",
    "50%": r"\mathrm{50\%}",
    "a{b}": r"\mathrm{a\{b\}}",
    "a\\b": r"\mathrm{a\backslash{}b}",
    "a$b": r"\mathrm{a\$b}",
    "a\nb": r"\mathrm{a\ b}",
    "": r"\mathrm{\ }",
}


@pytest.mark.parametrize(("name", "latex"), SYMBOLS.items())
def test_names_are_typeset_as_symbols_and_escaped(name: str, latex: str) -> None:
    assert latex_name(name) == latex
    assert to_latex(X, [name]) == latex


@settings(deadline=None, max_examples=150)
@given(expressions(open_constants=True))
def test_latex_has_balanced_braces_and_no_doubled_sign(expr: Expression) -> None:
    latex = to_latex(expr)
    assert latex.count("{") == latex.count("}")
    assert latex.count(r"\left") == latex.count(r"\right")
    assert not any(doubled in latex for doubled in ("+ -", "- -", "--", r"\cdot -"))


@settings(deadline=None, max_examples=40)
@given(expressions(max_nodes=10, open_constants=True))
def test_latex_is_understood_by_a_typesetter(expr: Expression) -> None:
    mathtext = pytest.importorskip("matplotlib.mathtext")
    drawn = mathtext.MathTextParser("path").parse(f"${to_latex(expr, ['theta_1', 'my col'])}$")
    assert drawn.width > 0


def test_ones_own_operator_is_typeset_by_its_template() -> None:
    with registered(custom_row()):
        expr = apply("square_it", X)
        assert to_latex(expr) == r"\operatorname{square\_it}\left(x_{0}\right)"
        assert to_latex(apply("powi", expr, power=2)) == r"\operatorname{square\_it}^{2}\left(x_{0}\right)"


@pytest.mark.parametrize("printer", [to_text, to_latex])
@pytest.mark.parametrize("text", ["sin(" * 99_999 + "x0" + ")" * 99_999, "x0" + "*x1" * 49_999], ids=["deep", "wide"])
def test_printing_takes_time_in_proportion_to_size(printer, text: str) -> None:
    expr = parse(text)
    printed: list[str] = []
    assert effort(lambda: printed.append(printer(expr))) < 50  # for ten times as many nodes
    assert len(printed[0]) > 100_000
