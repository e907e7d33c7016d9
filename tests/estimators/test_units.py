"""Units at the estimator: read by pint, searched with, and told of the constants."""

import sys

import numpy as np
import pandas as pd
import pytest

from scalesr import ScaleSRRegressor, load
from scalesr.errors import DataError, MissingExtra, SettingError
from scalesr.estimators import units as door
from scalesr.estimators.known_constants import recognised
from scalesr.estimators.units import dimensions_of, named_units
from scalesr.estimators.values import values_of
from scalesr.expr.text import parse
from scalesr.records.equation import Equation

pytest.importorskip("pint")


def fitted(X, y, **settings) -> ScaleSRRegressor:
    return ScaleSRRegressor(**{"random_state": 0, "time_limit": None, "max_work": 4} | settings).fit(X, y)


def test_a_constant_of_nature_is_found_with_its_unit_and_named(tmp_path, rng):
    X = pd.DataFrame(rng.uniform(1, 9, (40, 3)), columns=["m1", "m2", "r"])
    F = (6.6743e-11 * X["m1"] * X["m2"] / X["r"] ** 2 * (1 + 1e-4 * rng.normal(size=40))).rename("F")
    model = fitted(X, F, units={"m1": "kg", "m2": "kg", "r": "m", "F": "N"})
    assert str(model.equation_.expression.skeleton()) == "C*x0*x1/x2^2"
    table = model.constants_
    assert table["unit"].tolist() == ["m³/kg/s²"]
    assert table["name"].tolist() == ["G (Newtonian constant of gravitation)"]
    model.save(tmp_path / "law.json")
    assert load(tmp_path / "law.json").constants_.equals(table)


def test_a_constant_may_carry_a_unit_that_no_column_has(rng):
    X = pd.DataFrame({"v0": rng.uniform(1, 20, 40), "t": rng.uniform(0.1, 3, 40)})
    h = (X["v0"] * X["t"] - 9.80665 / 2 * X["t"] ** 2 + 1e-3 * rng.normal(size=40)).rename("h")
    constants = fitted(X, h, units="v0=m/s,t=s,h=m").constants_
    assert constants["unit"].tolist()[-1] == "m/s²"
    assert constants["name"].tolist()[-1] == "g_n/2 (standard acceleration of gravity)"


def test_no_law_of_the_front_is_dimensionally_wrong(rng):
    X = pd.DataFrame({"x": rng.uniform(1, 3, 50), "t": rng.uniform(1, 3, 50)})
    y = (X["x"] + X["t"] + 0.01 * rng.normal(size=50)).rename("y")  # which the units forbid
    model = fitted(X, y, units="x=m,t=s,y=m")
    for equation in model.equations_["equation"]:
        assert door.constant_units(equation, named_units(model.units), "y") is not None
    assert any("dimensionally wrong" in step.summary for step in model.discovery_.trace)


def test_without_units_nothing_is_known_of_them(rng):
    X = pd.DataFrame({"x": rng.uniform(1, 3, 20)})
    model = fitted(X, 3 * X["x"])
    assert model.constants_["unit"].tolist() == [""]
    assert dimensions_of((), ["x"], "y") is None


def test_units_of_one_dimension_are_brought_together(rng):
    X = pd.DataFrame({"a": rng.uniform(100, 900, 60), "b": rng.uniform(1, 9, 60)})  # cm and m
    y = (np.sqrt((X["a"] / 100) ** 2 + X["b"] ** 2)).rename("d")
    model = fitted(X, y, units="a=cm,b=m,d=m", max_work=20)
    assert model.score(X, y) > 0.999999
    assert any("0.01*a/b" in step.summary or "100*b/a" in step.summary for step in model.discovery_.trace)


@pytest.mark.parametrize(
    ("text", "powers", "scale"),
    [
        ("kg*m^2/s^2", {"[mass]": 1, "[length]": 2, "[time]": -2}, 1.0),
        ("m s-2", {"[length]": 1, "[time]": -2}, 1.0),
        ("W/m2", {"[mass]": 1, "[time]": -3}, 1.0),
        ("km/h", {"[length]": 1, "[time]": -1}, 1 / 3.6),
        ("µm", {"[length]": 1}, 1e-6),
        ("%", {}, 0.01),
        ("-", {}, 1.0),
        ("$", {"[USD]": 1}, 1.0),
    ],
)
def test_units_are_read_as_people_write_them(text, powers, scale):
    known = dimensions_of((("x", text), ("y", "1")), ["x"], "y")
    assert dict(zip(known.bases, known.columns[0], strict=True)) == powers
    assert known.scale(0) == pytest.approx(scale)


@pytest.mark.parametrize(
    ("units", "message"),
    [
        ({"x": "m", "y": "furlongs per dog", "z": "m"}, "The unit of 'y', 'furlongs per dog', is unknown; write it as"),
        ({"x": "m", "z": "m"}, "Units are given for x, z and not for y; give one to every column"),
        ({"x": "m", "y": "m", "z": "m", "w": "m"}, "given for 'w', which is not a column; these are x, y, z"),
        ({"x": "degC", "y": "m", "z": "m"}, "Column 'x' is in 'degC', which does not count from zero"),
        ({"x": "m^99", "y": "m", "z": "m"}, "'m\\^99', has a power beyond 24"),
        ({"x": "m" * 99, "y": "m", "z": "m"}, "has 99 characters"),
        ({"x": "m**1e999", "y": "m", "z": "m"}, "has a power beyond 24"),
        ({"x": "(min/s)**(10**9)", "y": "m", "z": "m"}, "has a power beyond 24"),
        ({"x": "9**9**9**9 m", "y": "m", "z": "m"}, "'9\\*\\*9\\*\\*9\\*\\*9 m', is unknown"),
        ({"x": "(Ym/ym)**24", "y": "m", "z": "m"}, "is inf base units, too large or small"),
    ],
)
def test_units_that_cannot_be_are_refused_with_their_columns(units, message):
    X = pd.DataFrame({"x": [1.0, 2.0, 3.0], "y": [2.0, 1.0, 5.0]})
    with pytest.raises(DataError, match=message):
        ScaleSRRegressor(units=units).fit(X, pd.Series([1.0, 2.0, 4.0], name="z"))


@pytest.mark.parametrize("units", [3, ["m"], {"x": 1}, "kg"])
def test_units_of_another_kind_are_refused(units):
    with pytest.raises(SettingError, match="units="):
        named_units(units)


def test_names_with_commas_and_signs_survive():
    assert named_units(r"a\,b=kg,x=y=m") == (("a,b", "kg"), ("x=y", "m"))


@pytest.mark.parametrize(
    ("value", "error", "unit", "symbol"),
    [
        (299792458.0, 0.0, "m/s", "c"),
        (1.38e-23, 1e-25, "kg*m**2/s**2/K", "k_B"),
        (8.9875e9, 1e6, "kg*m**3/A**2/s**4", "1/(4*pi*epsilon_0)"),
        (9.8, 0.01, "m/s**2", "g_n"),
        (9.8, 2.0, "m/s**2", None),
        (9.8, 0.01, "m/s", None),
        (7.0, 0.001, "m/s**2", None),
    ],
)
def test_constants_are_named_by_value_and_unit_alone(value, error, unit, symbol):
    found = recognised(value, error, unit)
    assert (None if found is None else found.symbol) == symbol


def test_without_pint_the_way_to_get_it_is_told(monkeypatch):
    door._registry.cache_clear()
    monkeypatch.setitem(sys.modules, "pint", None)
    with pytest.raises(MissingExtra, match=r"Units need pint: pip install 'scalesr\[units\]'"):
        dimensions_of((("x", "m"), ("y", "m")), ["x"], "y")
    door._registry.cache_clear()


def test_constants_of_a_law_with_groups_are_told_without_units():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"x": rng.uniform(1, 2, 60), "batch": ["abc"[k % 3] for k in range(60)]})
    y = pd.Series(X["x"] * np.array([2.0, 3.0, 5.0] * 20), name="y")
    units = {"x": "m", "y": "m*s"}
    model = ScaleSRRegressor(units=units, max_work=200, time_limit=None, random_state=0).fit(X, y, groups="batch")
    assert values_of(model.discovery_, "y", tuple(units.items()))["groups"]["constants"]
    assert len(model.constants_) == len(model.equation_.constants)


def test_constants_in_units_beyond_the_range_of_numbers_are_told_in_base_units():
    law = parse("2.5*x^2", ["x"])
    equation = Equation(law, ("x",), np.eye(1))
    (told,) = door.constant_units(equation, named_units("x=Ym^3,y=m^24"), "y")
    assert told.base == "m¹⁸"
