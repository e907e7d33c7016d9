"""The units of the columns of the laws of the Feynman lectures, and those of the targets that follow from them.

A name has one unit in nearly all laws; where a law uses it for something else, the law says so.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import DataError
from scalesr_bench.problems.feynman import FEYNMAN
from scalesr_bench.problems.problem import Problem
from scalesr_bench.samplers import uniform_rows

Exponents = tuple[Fraction, ...]  # of the base units

BASE: Final = ("m", "kg", "s", "A", "K")

_LISTING: Final = """
    1          : theta theta1 theta2 sigma mu n delta gamma alpha chi g_ beta
    m          : x x1 x2 y y1 y2 y3 x3 z z1 z2 r r1 r2 d d1 d2 lambd
    kg         : m m1 m2 m_0
    s          : t
    K          : T T1 T2
    m/s        : v u w c
    m/s2       : a g
    1/s        : omega omega_0
    1/m        : k
    m2         : A
    m3         : V V1 V2
    N          : Nn F
    N/m        : k_spring
    kg m/s     : p
    m3/kg/s2   : G
    Pa         : pr Y
    J          : E_n U
    J/K        : kb
    J s        : h Jz
    W          : Pwr
    W/m2       : Int_0 I1 I2
    W/m/K      : kappa
    kg/m3      : rho
    s/kg       : mu_drift mob
    1/m3       : n_0 n_rho
    C          : q q1 q2
    F/m        : epsilon
    F          : C
    V          : Volt
    V/m        : Ef
    V s/m      : A_vec
    T          : B Bx By Bz H
    A          : I I_0
    A/m        : M
    A m2       : mom
    C m        : p_d
    C/m2       : sigma_den
    C/m3       : rho_c_0
"""

_OTHERS: Final = {"II.11.27": {"n": "1/m3", "alpha": "m3"}, "II.11.28": {"n": "1/m3", "alpha": "m3"}}

_SI: Final[dict[str, tuple[int, ...]]] = {  # exponents of the base units
    "m": (1, 0, 0, 0, 0), "kg": (0, 1, 0, 0, 0), "s": (0, 0, 1, 0, 0), "A": (0, 0, 0, 1, 0), "K": (0, 0, 0, 0, 1),
    "N": (1, 1, -2, 0, 0), "Pa": (-1, 1, -2, 0, 0), "J": (2, 1, -2, 0, 0), "W": (2, 1, -3, 0, 0),
    "C": (0, 0, 1, 1, 0), "V": (2, 1, -3, -1, 0), "F": (-2, -1, 4, 2, 0), "T": (0, 1, -2, -1, 0),
}  # fmt: skip
_BY_NAME: Final = {
    name: unit.strip()
    for line in _LISTING.strip().splitlines()
    for unit, _, names in [line.partition(":")]
    for name in names.split()
}
_N_ROWS: Final = 50  # on which a law shows how it scales
_SAME: Final = 1e-9  # relative difference between rows below which a law scales as one product


def units_of(problem: Problem) -> dict[str, str]:
    """The unit of each column of a law, and that of its target, in base units."""
    own = _OTHERS.get(problem.name, {})
    columns = {name: own.get(name) or _BY_NAME[name] for name in problem.names}
    return columns | {"target": written(target_exponents(problem, columns))}


def target_exponents(problem: Problem, columns: dict[str, str]) -> Exponents:
    """How a law scales with each base unit; an error where it does not, so that its units are wrong."""
    rng = np.random.default_rng(0)
    X = uniform_rows(problem.box, _N_ROWS, rng=rng)
    plain = problem.values(X)
    exponents = np.array([exponents_of(columns[name]) for name in problem.names], np.float64)
    found = []
    for place, base in enumerate(BASE):
        scaled = problem.values(X * 2.0 ** exponents[:, place])
        with np.errstate(invalid="ignore"):  # a law in wrong units may change its sign
            ratio = np.log2(scaled / plain)
        usable = ratio[np.isfinite(ratio)]
        if not len(usable) or np.ptp(usable) > _SAME:
            raise DataError(f"{problem.key} does not scale with {base} as a law does: one of its units is wrong.")
        found.append(Fraction(float(np.median(usable))).limit_denominator(12))
    return tuple(found)


def exponents_of(unit: str) -> Exponents:
    """The exponents of the base units in a unit such as "kg m/s2": what stands behind a slash is divided by."""
    total = np.zeros(len(BASE), np.int64)
    for place, part in enumerate(unit.split("/")):
        for word in part.split():
            letters = word.rstrip("0123456789")
            if letters:
                total += (1 if place == 0 else -1) * int(word[len(letters) :] or 1) * np.array(_SI[letters])
    return tuple(Fraction(int(one)) for one in total)


def written(exponents: Exponents) -> str:
    """Exponents as a unit that pint reads."""
    parts = [f"{base}^({power})" for base, power in zip(BASE, exponents, strict=True) if power]
    return "*".join(parts) or "1"


def table_of(problem: Problem, n_rows: int, seed: int) -> NDArray[np.float64]:
    """The columns of some rows."""
    return uniform_rows(problem.box, n_rows, rng=np.random.default_rng([seed, n_rows]))


PROBLEMS: Final = {problem.name: problem for problem in FEYNMAN}
