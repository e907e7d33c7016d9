"""Laws of many variables, drawn at random: a constant, terms of one variable and terms of two.

Every term has a random coefficient. Terms of one variable belong to different variables, those of two
to different pairs, and no variable is left out. What a variable stands in a term as is drawn from the
kind: "inv" has x and 1/x, "sincos" x, sin(x) and cos(x), "sincosinv" all of them. Rows are log-uniform.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np

from scalesr_bench.problems.problem import Problem, Range, Sampling

KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    "inv": ("{}", "1/{}"),
    "sincos": ("{}", "sin({})", "cos({})"),
    "sincosinv": ("{}", "sin({})", "cos({})", "1/{}"),
}
BOX: Final[Range] = (0.1, 10.0)
DIGITS: Final = 4  # of a coefficient, after the point


class LawShape(NamedTuple):
    """Numbers of variables, of terms with one of them and of terms with two."""

    n_variables: int
    n_single: int
    n_cross: int


SHAPES: Final = (
    LawShape(2, 1, 1), LawShape(3, 2, 2), LawShape(4, 4, 6), LawShape(5, 5, 5), LawShape(5, 5, 8),
    LawShape(6, 6, 8), LawShape(6, 6, 10), LawShape(8, 8, 12), LawShape(10, 10, 16), LawShape(10, 10, 20),
)  # fmt: skip


def many_variables(seed: int = 0) -> tuple[Problem, ...]:
    """A law of every kind and shape; another seed gives others."""
    return tuple(_named_law(kind, shape, seed) for kind in KINDS for shape in SHAPES)


def random_law(kind: str, shape: LawShape, name: str, *, rng: np.random.Generator) -> Problem:
    """A law of one kind and shape."""
    names = tuple(f"x{j}" for j in range(1, shape.n_variables + 1))
    terms = [(names[j],) for j in _distinct(shape.n_variables, shape.n_single, rng)]
    pairs = _pairs(shape, {name for term in terms for name in term}, names, rng)
    signed = [_number(rng)] + [_term(kind, term, rng) for term in [*terms, *pairs]]
    formula = " + ".join(signed).replace("+ -", "- ")
    return Problem(name, "many-variables", names, formula, (BOX,) * len(names), Sampling(10_000, "log-uniform"))


def _named_law(kind: str, shape: LawShape, seed: int) -> Problem:
    name = f"{kind}-{shape.n_variables}v-{shape.n_single}+{shape.n_cross}"
    rng = np.random.default_rng([zlib.crc32(name.encode()), seed])
    return random_law(kind, shape, f"{name}-{seed}", rng=rng)


def _pairs(
    shape: LawShape, used: set[str], names: tuple[str, ...], rng: np.random.Generator
) -> list[tuple[str, ...]]:  # fmt: skip
    """Different pairs that bring in every variable not `used` yet: drawn until they do."""
    everything = list(combinations(names, 2))
    while True:
        pairs = [everything[place] for place in _distinct(len(everything), shape.n_cross, rng)]
        if used.union(*pairs) == set(names):
            return [tuple(rng.permutation(pair).tolist()) for pair in pairs]


def _distinct(n: int, count: int, rng: np.random.Generator) -> list[int]:
    return [int(place) for place in rng.choice(n, count, replace=False)]


def _term(kind: str, names: tuple[str, ...], rng: np.random.Generator) -> str:
    factors = [str(rng.choice(KINDS[kind])).format(name) for name in names]
    return "*".join([_number(rng), *factors]).replace("*1/", "/")


def _number(rng: np.random.Generator) -> str:
    """A coefficient between -1 and 1 that is not 0."""
    while not (value := round(float(rng.uniform(-1, 1)), DIGITS)):
        pass
    return f"{value:.{DIGITS}f}"
