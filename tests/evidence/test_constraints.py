"""Constraints: whether laws obey them, and what decides."""

import numpy as np
import pytest

from scalesr.errors import SettingError
from scalesr.estimators.constraints import read_constraints
from scalesr.evidence.constraints import By, Rules, constrained
from scalesr.expr.text import parse
from scalesr.records.dataset import Dataset

NAMES = ["x", "y", "T"]
table = np.random.default_rng(0).uniform(0.5, 3, (200, 3))
data = Dataset.from_table(table, table[:, 0], names=NAMES, target="z")


def rules(*texts: str) -> Rules:
    return Rules(read_constraints(texts, NAMES, "z"), data)


@pytest.mark.parametrize(
    ("constraint", "obeys", "breaks", "by"),
    [
        ("positive", "x*y + 1", "x - y", By.INTERVALS),
        ("negative", "-exp(x)", "x - y", By.INTERVALS),
        ("nonnegative", "(x - 1)^2", "x - 1", By.INTERVALS),
        ("f > 0", "x^2 - 2*x + 1.01", "x^2 - 2*x + 0.9", By.INTERVALS),
        ("z <= 10", "x*y", "x*y*T", By.INTERVALS),
        ("0 < f <= 1", "exp(-x)/(1 + y)", "exp(x - y)", By.INTERVALS),
        ("increasing in x", "x^3 + y", "sin(x)", By.INTERVALS),
        ("decreasing in x, y", "exp(-x*y)", "exp(-x) + y", By.INTERVALS),
        ("convex in x", "x^2*y", "sqrt(x)", By.INTERVALS),
        ("concave in x", "sqrt(x)*y", "x^2", By.INTERVALS),
        ("odd in x", "x^3*y + sin(x)", "x^3 + 1", By.FORM),
        ("even in x", "cos(x)*y + x^2", "sqrt(x)", By.FORM),
        ("symmetric in x, y", "x*y/(x + y)", "x*y^2", By.FORM),
        ("antisymmetric in x, y", "exp(x) - exp(y)", "x*y", By.FORM),
        ("f(x=0) = 0", "sin(x)*y", "cos(x)*y", By.SAMPLES),
        ("f(x=0) = 1", "sin(x)/x", "sin(2*x)/x", By.WAY),
        ("f(x=0, y=1) >= 2", "T + x + 2*y", "T + x + y", By.INTERVALS),
        ("finite as x -> inf", "x^2/(x^2 + 1)", "log(x)", By.WAY),
        ("finite as x -> 0", "x*y", "1/x", By.WAY),
        ("f -> 0 as x -> inf", "exp(-x)*y", "1 + 1/x", By.WAY),
        ("f -> 1 as x -> -inf", "1 + exp(x)", "exp(x)", By.WAY),
        ("contains x, T", "x*T", "x + y", By.FORM),
        ("without T", "x + y", "x + T", By.FORM),
        ("complexity <= 5", "x*y + sin(T)", "x*y + sin(T)^2", By.FORM),
        ("constants <= 1", "2*x", "2*x + 3", By.FORM),
        ("at most 1 of exp", "exp(x)", "exp(x) + exp(y)", By.FORM),
        ("no exp", "x", "exp(x)", By.FORM),
        ("no exp inside exp", "exp(x)*exp(y)", "exp(x*exp(y))", By.FORM),
        ("no sin inside cos", "sin(cos(x))", "cos(x + sin(y))", By.FORM),
        ("no ^ inside exp", "exp(x)^2", "exp(x^2)", By.FORM),
    ],
)
def test_a_constraint_tells_laws_that_obey_it_from_others_and_what_decided(constraint, obeys, breaks, by):
    known = rules(constraint)
    assert known.broken(parse(obeys, NAMES)) is None
    assert known.finding(parse(obeys, NAMES), known.constraints[-1]).by == by
    broken = known.broken(parse(breaks, NAMES))
    assert broken is not None
    assert broken.text == constraint


def test_what_intervals_do_not_prove_is_said_to_rest_on_samples():
    known = rules("f <= 1")
    (one,) = known.constraints
    found = known.finding(parse("sin(x)^2 + cos(x)^2", NAMES), one)
    assert found == (True, By.SAMPLES)


def test_constraints_without_an_equality_add_no_rows():
    assert constrained(rules("positive"), data) is None


@pytest.mark.parametrize(
    "text",
    ["rising in x", "increasing in w", "f(x=0)", "`q` > 1", "x > 0", "f = = 1", "at most 1.5 of exp", "\x00", ""],
)
def test_what_is_not_understood_is_answered_with_what_is_possible(text):
    with pytest.raises(SettingError, match=r"is not understood.*Possible are: positive; .*COLUMN is one of x, y, T"):
        read_constraints([text], NAMES, "z")


def test_too_long_a_text_and_an_exchange_of_one_column_are_refused():
    with pytest.raises(SettingError, match="too long"):
        read_constraints(["f > 0" * 100], NAMES, "z")
    with pytest.raises(SettingError, match="needs two columns"):
        read_constraints(["symmetric in x"], NAMES, "z")
    with pytest.raises(SettingError, match="has two relation signs"):
        read_constraints(["0 = f < 1"], NAMES, "z")


def test_columns_in_backquotes_and_a_column_called_f():
    (one,) = read_constraints(["increasing in `my col`"], ["my col", "f"], "y")
    assert one.column == 0
    with pytest.raises(SettingError, match="not understood"):
        read_constraints(["f > 0"], ["my col", "f"], "y")
    assert read_constraints(["y > -1e-3"], ["f"], "y")[0].number == -1e-3
