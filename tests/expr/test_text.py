from __future__ import annotations

import math

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scalesr.errors import FormulaError
from scalesr.expr.expression import MAX_NODES, Expression, apply, constant, open_constant, variable
from scalesr.expr.printing import to_text
from scalesr.expr.text import names_in, parse
from tests.expr.effort import effort
from tests.expr.oracle import custom_row, registered
from tests.expr.strategies import expressions

X, Y, C = variable(0), variable(1), open_constant()
TWO = constant(2)


def power(base: Expression, exponent: int) -> Expression:
    return apply("powi", base, power=exponent)


READ = {
    "x0 + x1*2": apply("+", X, apply("*", Y, TWO)),
    "(x0 + x1)*2": apply("*", apply("+", X, Y), TWO),
    "x0 - x1 - 2": apply("-", apply("-", X, Y), TWO),
    "x0/x1/2": apply("/", apply("/", X, Y), TWO),
    "x0^x1^2.0": apply("^", X, apply("^", Y, TWO)),
    "x0**x1": apply("^", X, Y),
    "x0^2": power(X, 2),
    "x0**-1": power(X, -1),
    "x0^(-1)": power(X, -1),
    "x0^(+2)": power(X, 2),
    "x0^((2))": power(X, 2),
    "x0^2.0": apply("^", X, TWO),
    "x0^2.": apply("^", X, TWO),
    "x0^2e0": apply("^", X, TWO),
    "x0^-2.0": apply("^", X, constant(-2)),
    "x0^-(2)": apply("^", X, apply("neg", TWO)),
    "x0^2^3": apply("^", X, power(TWO, 3)),
    "x0^-2^2": apply("^", X, apply("neg", power(TWO, 2))),
    "2^-3": power(TWO, -3),
    "2^x0": apply("^", TWO, X),
    "-x0^2": apply("neg", power(X, 2)),
    "(-x0)^2": power(apply("neg", X), 2),
    "-2^2": apply("neg", power(TWO, 2)),
    "(-2)^2": power(constant(-2), 2),
    "-x0*x1": apply("*", apply("neg", X), Y),
    "-2": constant(-2),
    "-(2)": apply("neg", TWO),
    "--2": apply("neg", constant(-2)),
    "- 2": constant(-2),
    "+2": TWO,
    "x0 + -2": apply("+", X, constant(-2)),
    "x0 - -x1": apply("-", X, apply("neg", Y)),
    "x0 + +x1": apply("+", X, Y),
    "-pi": constant(-math.pi),
    "sin(x0)": apply("sin", X),
    "sin (x0)": apply("sin", X),
    "min(x0, max(x1, 2))": apply("min", X, apply("max", Y, TWO)),
    "-sin(x0)^2": apply("neg", power(apply("sin", X), 2)),
    "1.5": constant(1.5),
    ".5": constant(0.5),
    "2.": TWO,
    "1e-3": constant(1e-3),
    "1E+3": constant(1e3),
    "  x0\t+\n2 ": apply("+", X, TWO),
    "C*x0 + C": apply("+", apply("*", C, X), C),
    "C1*x0 + C_2": apply("+", apply("*", C, X), C),
    "-C": apply("neg", C),
    "x10": variable(10),
    "`x1`": Y,
}


@pytest.mark.parametrize(("text", "formula"), READ.items())
def test_texts_are_read_as_mathematicians_and_python_read_them(text: str, formula: Expression) -> None:
    assert parse(text) == formula


NAMED = {
    "mass*c^2": (["mass", "c"], "x0*x1^2"),
    "θ + Ω_0": (["θ", "Ω_0"], "x0 + x1"),
    "`my column`*2": (["my column"], "x0*2"),
    "`a``b` + ``": (["a`b", ""], "x0 + x1"),
    "C1 + C_2": (["C1"], "x0 + C"),
    "C + `C`": (["C"], "C + x0"),
    "pi + `pi`": (["pi"], "x0 + x0"),
    "pi + r": (["r"], "pi + x0"),
    "sin(`sin`)": (["sin"], "sin(x0)"),
    "lambda*neg + powi": (["lambda", "neg", "powi"], "x0*x1 + x2"),
    "x1 + x0": (["x1", "x0"], "x0 + x1"),
    "e\u0301": (["e\u0301"], "x0"),
}


@pytest.mark.parametrize(("text", "names", "printed"), [(text, *rest) for text, rest in NAMED.items()])
def test_given_names_are_variables(text: str, names: list[str], printed: str) -> None:
    assert str(parse(text, names)) == printed


# text, position, part of the advice
MALFORMED = [
    ("", 0, "empty"),
    ("  \n", 3, "empty"),
    ("x0 x1", 3, r"operator is missing.*write \*"),
    ("2x0", 1, "operator is missing"),
    ("2(x0)", 1, "operator is missing"),
    ("x0(x1)", 2, "operator is missing"),
    ("pi(x1)", 2, "operator is missing"),
    ("(x0)(x1)", 4, "operator is missing"),
    ("1_000", 1, "operator is missing"),
    ("1.2.3", 3, "operator is missing"),
    ("0x1F", 1, "operator is missing"),
    ("x0 if x1 else 2", 3, "operator is missing"),
    ("x0 +", 4, "formula ends where"),
    ("x0^", 3, "formula ends where"),
    ("-", 1, "formula ends where"),
    ("sin(", 4, "formula ends where"),
    ("*x0", 0, r"missing before '\*'"),
    ("x0 */ 2", 4, "missing before '/'"),
    ("x0 *** 2", 5, r"missing before '\*'"),
    ("x0 // 2", 4, "missing before '/'"),
    ("(x0 + )", 6, r"missing before '\)'"),
    ("min(x0,)", 7, r"missing before '\)'"),
    ("min(,x0)", 4, "missing before ','"),
    ("()", 1, "nothing in these brackets"),
    ("(x0", 0, "never closed"),
    ("2*sin(x0", 2, "never closed"),
    ("x0)", 2, "closes nothing"),
    ("sin()", 4, "sin takes 1 argument; none"),
    ("sin(x0, x1)", 6, "sin takes 1 argument; here is one more"),
    ("min(x0)", 6, "min takes 2 arguments; 1 is given"),
    ("min(x0, x1, 2)", 10, "min takes 2 arguments; here is one more"),
    ("sin", 0, r"needs its argument in brackets, sin\(\.\.\.\)"),
    ("sin x0", 0, "needs its argument in brackets"),
    ("1,5", 1, "decimals are written with a point"),
    ("(x0, x1)", 3, "comma only separates arguments"),
    ("sine(x0)", 0, "did you mean sin"),
    ("foo(x0)", 0, "Unknown function 'foo'; known are"),
    ("neg(x0)", 0, "Unknown function 'neg'"),
    ("powi(x0, 2)", 0, "Unknown function 'powi'"),
    ("np.sin(x0)", 0, "written bare"),
    ("x0.real", 0, "written bare"),
    ("y", 0, "x0, x1 and so on"),
    ("x", 0, "Unknown name 'x'"),
    ("x01", 0, "Unknown name"),
    ("x12345678901", 0, "Unknown name"),
    ("E", 0, "Unknown name"),
    ("nan", 0, "Unknown name"),
    ("`x 1`", 0, "Unknown name 'x 1'"),
    ("lambda x: x", 0, "Unknown name 'lambda'"),
    ("__import__('os')", 0, "Unknown function '__import__'"),
    ("x0.__class__", 0, "written bare"),
    ("y = x0", 0, "Unknown name 'y'"),
    ("x0 = 2", 3, "right-hand side only"),
    ("x0 == 2", 3, "right-hand side only"),
    ("x0 := 2", 3, "right-hand side only"),
    ("x0[1]", 2, "round brackets"),
    ("{x0}", 0, "round brackets"),
    ("'x0'", 0, "Quotes are not used"),
    ('"x0"', 0, "Quotes are not used"),
    ("`x0", 0, "never closed"),
    ("|x0|", 0, r"abs\(x\)"),
    ("x0 < 2", 3, "Comparisons"),
    ("x0 % 2", 3, "remainder"),
    ("x0!", 2, "Factorials"),
    (r"\sin(x0)", 0, "LaTeX is not read"),
    ("x0²", 2, r"x\^2"),
    ("x0⁻¹", 2, r"written with \^"),
    ("2×x0", 1, r"product is written with \*"),
    ("2·x0", 1, r"product is written with \*"),
    ("x0 − 2", 3, "plain hyphen"),
    ("√x0", 0, r"sqrt\(x\)"),
    ("x0 ÷ 2", 3, "written with /"),
    (".", 0, "point next to a digit"),
    ("x0 & 2", 3, "no meaning in a formula"),
    ("x0\0", 2, r"'\\x00' has no meaning"),
    ("😀", 0, "no meaning"),
    ("\ufeffx0", 0, "no meaning"),
    ("\ud800", 0, "no meaning"),
    ("1e999", 0, "too large"),
    ("-1e999", 1, "too large"),
    ("9" * 400, 0, "too large"),
    ("1e-999", 0, "too small"),
    ("x0^1001", 3, r"within ±1000; write 1001\.0"),
    ("x0^-1001", 4, r"within ±1000; write -1001\.0"),
    ("1" * 1001, 0, "too long"),
    ("C1*x0 + C1", 8, "fitted on its own"),
]


@pytest.mark.parametrize(("text", "position", "advice"), MALFORMED)
def test_malformed_texts_are_refused_with_place_and_advice(text: str, position: int, advice: str) -> None:
    with pytest.raises(FormulaError, match=advice) as caught:
        parse(text)
    assert caught.value.position == position
    assert caught.value.excerpt in text
    assert len(str(caught.value)) < 400


def test_excerpt_shows_what_stands_around_the_fault() -> None:
    with pytest.raises(FormulaError) as caught:
        parse("x0 + " * 50 + "x0 $ 2" + " + x0" * 50)
    assert "$" in caught.value.excerpt
    assert len(caught.value.excerpt) < 30


UNKNOWN = [
    ("presure*2", ["pressure", "volume"], "did you mean pressure?"),
    ("zzz", ["a", "b"], "known are a, b"),
    ("zzz", [f"col{i}" for i in range(30)], "and more"),
    ("x0", [], "no variables are given"),
    ("x0", ["a"], "Unknown name 'x0'"),
    ("exp*2", ["exp"], "variable of that name is written `exp`"),
    ("a b", ["a b"], "Unknown name 'a'"),
    ("a.b", ["a.b"], "backquotes"),
]


@pytest.mark.parametrize(("text", "names", "advice"), UNKNOWN)
def test_unknown_names_come_with_what_may_be_meant(text: str, names: list[str], advice: str) -> None:
    with pytest.raises(FormulaError) as caught:
        parse(text, names)
    assert advice in str(caught.value)


@pytest.mark.parametrize("text", [None, 3, b"x0", ["x0"], object()])
def test_what_is_no_text_is_refused(text: object) -> None:
    with pytest.raises(FormulaError, match="A formula is a text"):
        parse(text)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("names", "advice"), [("ab", "sequence"), (["a", "a"], "Two variables"), ([1], "is a text"), (3, "sequence")]
)
def test_names_are_distinct_texts(names: object, advice: str) -> None:
    with pytest.raises(FormulaError, match=advice):
        parse("a", names)  # type: ignore[arg-type]
    with pytest.raises(FormulaError, match=advice):
        to_text(X, names)  # type: ignore[arg-type]


N = MAX_NODES
ENDLESS = {
    "1 MB of sums": "x0+" * 333_334,
    "1 MB of powers": "x0^" * 333_334,
    "1 MB of minus": "-" * 1_000_000 + "x0",
    "1 MB of signs": "+-" * 500_000 + "x0",
    "1 MB of plus": "+" * 1_000_000,
    "1 MB of bracketed operands": "(x0)" * 250_000,
    "1 MB of one digit": "1" * 1_000_000,
    "1 MB of one letter": "a" * 1_000_000,
    "1 MB of one accent": "é" * 1_000_000,
    "1 MB of space": " " * 1_000_000,
    "1 MB of dots": "." * 1_000_000,
    "1 MB of exponents": "1e" * 500_000,
    "1 MB of backquotes": "`" * 1_000_001,
    "1 MB of NUL": "\0" * 1_000_000,
    "1 MB of operands": "x0 " * 333_334,
    "100k nested brackets": "(" * N + "x0" + ")" * N,
    "100k open brackets": "(" * N,
    "100k closed brackets": ")" * N,
    "100k open calls": "sin(" * N,
    "100k open pairs": "min(x0," * N,
    "too long": "x0 + " * 700_000,
}


@pytest.mark.parametrize("text", ENDLESS.values(), ids=ENDLESS)
def test_endless_texts_are_refused_at_once(text: str) -> None:
    def refused() -> None:
        with pytest.raises(FormulaError) as caught:
            parse(text)
        assert len(str(caught.value)) < 400

    assert effort(refused) < 50  # for up to a hundred times as many signs


@settings(deadline=None, max_examples=300)
@given(st.text(max_size=40), st.none() | st.lists(st.text(max_size=4), max_size=3))
def test_any_text_is_read_or_refused_by_a_formula_error(text: str, names: list[str] | None) -> None:
    assert _is_refused_or_read_again_alike(text, names)


PIECES = st.sampled_from(
    [
        *"+-*/^(),.`'=e0129 \t",
        "**",
        "x0",
        "x1",
        "C",
        "C_1",
        "pi",
        "sin",
        "sin(",
        "min(",
        "2.5",
        "1e",
        "é",
        "²",
        "x9999999999",
    ]
)


@settings(deadline=None, max_examples=600)
@given(st.lists(PIECES, max_size=25).map("".join))
@example("-2^-x0^-2")
@example("x0^(-(2))^2")
def test_pieces_of_formulas_are_read_or_refused_by_a_formula_error(text: str) -> None:
    assert _is_refused_or_read_again_alike(text, None)


def _is_refused_or_read_again_alike(text: str, names: list[str] | None) -> bool:
    """Whether a text is refused by a formula error, or what is read of it is read again from how it is printed."""
    try:
        expr = parse(text, names)
    except FormulaError:
        return True
    return parse(to_text(expr, names), names) == expr


@settings(deadline=None, max_examples=500)
@given(expressions(max_nodes=20, open_constants=True))
@example(apply("neg", TWO))
@example(power(constant(-2.0), -2))
@example(power(constant(-0.0), 0))
@example(apply("^", X, constant(-0.0)))
@example(apply("^", X, apply("neg", TWO)))
@example(apply("^", apply("^", X, Y), power(TWO, 3)))
@example(apply("-", X, apply("-", Y, apply("neg", constant(-1e-34)))))
@example(apply("*", X, apply("*", Y, apply("/", TWO, apply("neg", X)))))
def test_reading_what_was_printed_gives_the_same_formula(expr: Expression) -> None:
    assert parse(to_text(expr)) == expr


NAMES = st.lists(
    st.text(max_size=6) | st.sampled_from(["sin", "C", "C_1", "C2", "pi", "my col", "`", "x0", "x1", "neg", "lambda"]),
    min_size=2,
    max_size=2,
    unique=True,
)


@settings(deadline=None, max_examples=200)
@given(expressions(max_nodes=8, open_constants=True), NAMES)
def test_reading_what_was_printed_with_names_gives_the_same_formula(expr: Expression, names: list[str]) -> None:
    text = to_text(expr, names)
    assert parse(text, names) == expr
    assert set(names_in(text)) == {names[column] for column in expr.variables}


def test_calls_of_ones_own_operator_are_read() -> None:
    with registered(custom_row("mix", arity=2)):
        expr = apply("mix", X, apply("neg", Y))
        assert parse("mix(x0, -x1)") == expr
        assert parse(str(expr)) == expr
    with pytest.raises(FormulaError, match="Unknown function 'mix'"):
        parse("mix(x0, x1)")


DEEP = {
    "quotients": "x0/(" * 49_999 + "x0" + ")" * 49_999,
    "signs": "-" * (N - 1) + "x0",
    "sums": "x0" + " - 0.1" * 49_999,
    "calls, the most nodes": "sin(" * (N - 2) + "x0" + ")" * (N - 2) + "^(-2)",
    "powers": "(" * 30_000 + "x0" + "^(-2))" * 30_000,
}


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP)
def test_deepest_and_widest_formulas_are_read_back(text: str) -> None:
    expr = parse(text)
    assert expr.n_nodes > 30_000
    assert parse(str(expr)) == expr


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("b*a + sin(b) + C*pi + C1", ("b", "a")),
        ("`my col` + x0", ("my col", "x0")),
        ("`sin` + sin(x)", ("sin", "x")),
        ("foo(x)", ("x",)),
        ("2 + pi", ()),
        ("", ()),
    ],
)
def test_names_in_are_the_variables_in_order_of_appearance(text: str, names: tuple[str, ...]) -> None:
    assert names_in(text) == names


def test_names_in_refuses_characters_that_mean_nothing() -> None:
    with pytest.raises(FormulaError, match="right-hand side"):
        names_in("y = x")
