"""Hostile texts of what a user knows or wants of a law: constraints, templates, units, starts, names, numbers."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np

from scalesr.cli.choose import checked_choice
from scalesr.errors import ScaleSRError
from scalesr.estimators.constraints import read_constraints
from scalesr.estimators.plugins import operators_of
from scalesr.estimators.templates import frame_of
from scalesr.estimators.units import constant_units, dimensions_of, named_units
from scalesr.expr.text import parse
from scalesr.records.equation import Equation
from tests.attack.mutation import ESCAPES, PAYLOADS, mutated_text
from tests.attack.tally import Tally

NAMES = ("x", "z")
LAW = "2.5*x^2 + exp(0.3*z)"

_GOOD: dict[str, tuple[str, ...]] = {
    "constraint": (
        "positive", "f >= 0", "0 < f < 10", "increasing in x", "convex in x, z", "even in x", "symmetric in x, z",
        "f(x=0, z=2) = 0", "finite as x -> inf", "f -> 1 as x -> -inf", "contains x", "without z", "complexity <= 12",
        "constants <= 3", "at most 2 of sin", "no exp", "no exp inside exp",
    ),
    "template": ("a*f(x) + g(z)", "f(x)*g(z)", "exp(f(x)) + f(z)", "f(g(x))", "a*x + b", "f(x, z)/(1 + f(x, z))"),
    "unit": ("kg", "m/s^2", "J/(mol*K)", "m2", "s-1", "kg*m**2/s**2", "µm", "%", "m**(1/3)", "(min/s)^2"),
    "units": ("x=kg,z=m/s,y=J", "x=1,z=1,y=1", "x=m,z=s,y=m^2"),
    "operators": ("physics", "paper", "+,*,exp,sqrt", "+,-,*,/,sin,cos"),
    "choice": ("evidence", "score", "12", "7"),
}  # fmt: skip
_WORDS = (
    "f", "x", "z", "y", "in", "->", "as", "inf", "-", "1e999", "1e308", "1e-320", ",", "(", ")", "=", "<=", "<", ">",
    "no", "inside", "exp", "sin", "^", "**", "/", "9" * 40, "`a b`", "٣", "²", "12.5", "m", "kg", "squared", "per", "9",
)  # fmt: skip


def attack_texts(draw: random.Random, n: int, tally: Tally, folder: Path) -> None:
    """Texts that are understood, or refused."""
    del folder
    with suppress(ScaleSRError):  # what is loaded once is loaded before anything is watched
        _units("x=kg,z=m/s,y=J")
    kinds = list(_READERS)
    for _ in range(n):
        kind = draw.choice(kinds)
        text = _text(draw, kind)
        with tally.attempt(f"{kind} {text[:200]!r}"):
            _READERS[kind](text)


def _text(draw: random.Random, kind: str) -> str:
    how = draw.random()
    if how < 0.5:
        return mutated_text(draw, draw.choice(_GOOD[kind]))
    if how < 0.7:
        return mutated_text(draw, mutated_text(draw, draw.choice(_GOOD[kind])))
    if how < 0.95:
        return draw.choice((" ", "", "*", "**")).join(draw.choice(_WORDS) for _ in range(draw.choice((1, 3, 6, 20))))
    if how < 0.96:
        return draw.choice(("f(", "(", "-", "a*f(x)+", "9**", "x=")) * draw.choice((10, 300, 5000)) + "x"
    return draw.choice((*ESCAPES, *PAYLOADS))


def _units(text: str) -> None:
    given = named_units(text)
    dimensions_of(given, NAMES, "y")
    constant_units(_law(), given, "y")


def _law() -> Equation:
    expression = parse(LAW, NAMES)
    return Equation(expression, NAMES, np.eye(len(expression.constants)))


_READERS: dict[str, Callable[[str], object]] = {
    "constraint": lambda text: read_constraints([text], NAMES, "y"),
    "template": lambda text: frame_of(text, NAMES),
    "unit": lambda text: _units(f"x={text},z=m,y=1"),
    "units": _units,
    "operators": lambda text: operators_of(text.split(",")),
    "choice": checked_choice,
}
