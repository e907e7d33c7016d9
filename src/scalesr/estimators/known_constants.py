"""Constants of nature by their value and unit, with the values of CODATA that scipy has."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from scalesr.estimators.units import constant_units, same_dimension
from scalesr.records.equation import Equation

SIGMAS: Final = 3.0  # standard errors within which a value is a known one
SHARPEST: Final = 1e-9  # relative error that is always allowed: values have no more digits than that
VAGUEST: Final = 0.05  # relative standard error beyond which nothing is recognised

# Symbol and name in scipy.constants.physical_constants.
_NAMES: Final = {
    "G": "Newtonian constant of gravitation",
    "c": "speed of light in vacuum",
    "h": "Planck constant",
    "hbar": "reduced Planck constant",
    "e": "elementary charge",
    "k_B": "Boltzmann constant",
    "N_A": "Avogadro constant",
    "R": "molar gas constant",
    "F": "Faraday constant",
    "sigma": "Stefan-Boltzmann constant",
    "epsilon_0": "vacuum electric permittivity",
    "mu_0": "vacuum mag. permeability",
    "m_e": "electron mass",
    "m_p": "proton mass",
    "m_n": "neutron mass",
    "u": "atomic mass constant",
    "R_inf": "Rydberg constant",
    "a_0": "Bohr radius",
    "b": "Wien wavelength displacement law constant",
    "g_n": "standard acceleration of gravity",
}
# Simple numbers that stand before a constant of nature in many a law, by their text.
_FACTORS: Final = {
    "{}": 1.0, "{}/2": 0.5, "2*{}": 2.0, "4*pi*{}": 4 * math.pi, "{}/(4*pi)": 1 / (4 * math.pi), "2*pi*{}": 2 * math.pi,
    "{}/(2*pi)": 1 / (2 * math.pi), "3*{}/2": 1.5,
}  # fmt: skip
_INVERSE: Final = {"1/{}": 1.0, "1/(2*{})": 0.5, "1/(4*pi*{})": 1 / (4 * math.pi)}


@dataclass(frozen=True, slots=True)
class Known:
    """A constant of nature, or a simple multiple of one."""

    symbol: str
    value: float  # in base units
    name: str


@dataclass(frozen=True, slots=True)
class NamedConstant:
    """A constant of a law, with its unit and the name it has in physics, as far as these are known."""

    value: float
    error: float
    unit: str = ""
    name: str = ""


def told_constants(equation: Equation, units: Sequence[tuple[str, str]], target: str) -> list[NamedConstant]:
    """The constants of a law from left to right."""
    pairs = list(zip(equation.constants.tolist(), equation.standard_errors.tolist(), strict=True))
    measured = constant_units(equation, units, target)
    if measured is None:
        return [NamedConstant(value, error) for value, error in pairs]
    told = []
    for (value, error), one in zip(pairs, measured, strict=True):
        known = recognised(one.factor * value, one.factor * error, one.base) if one.unit else None
        told.append(NamedConstant(value, error, one.unit, "" if known is None else f"{known.symbol} ({known.name})"))
    return told


def recognised(value: float, error: float, base_unit: str) -> Known | None:
    """What a constant in base units is called; None where it is none of the known ones, or too uncertain to say."""
    if value == 0 or not math.isfinite(error) or error > VAGUEST * abs(value):
        return None
    allowed = max(SIGMAS * error, SHARPEST * abs(value))
    found = [one for one in _candidates(base_unit) if abs(one.value - abs(value)) <= allowed]
    return min(found, key=lambda one: (len(one.symbol), abs(one.value - abs(value))), default=None)


def _candidates(base_unit: str) -> list[Known]:
    """Known constants of a unit, with simple factors."""
    from scipy.constants import physical_constants

    found = []
    for symbol, name in _NAMES.items():
        value, unit, _ = physical_constants[name]
        if same_dimension(unit, base_unit):
            found += [Known(form.format(symbol), size * value, name) for form, size in _FACTORS.items()]
        if same_dimension(f"1/({unit})", base_unit):
            found += [Known(form.format(symbol), size / value, name) for form, size in _INVERSE.items()]
    return found
