"""Units as users write them, through pint, the one door to it: dimensions for the search, units for the constants."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, Final

from scalesr.errors import DataError, MissingExtra, SettingError
from scalesr.expr.dimensional import constant_dimensions, constant_scales
from scalesr.expr.expression import Expression, constant
from scalesr.expr.substitute import substitute
from scalesr.kernels.codes import CONSTANT, VARIABLE
from scalesr.records.dimensions import Dimensions
from scalesr.records.equation import Equation

NONE: Final = ("", "1", "-")  # of a column that is a number
_LONGEST: Final = 80  # characters of a unit
_MOST_POWER: Final = 24  # of a base unit
_LARGEST: Final = 1e75  # base units in a unit: products and squares of them are still numbers
_CURRENCY: Final = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY"}
_MONEY: Final = ("USD", "EUR", "GBP", "JPY", "CHF")
_BARE_POWER: Final = re.compile(r"([^\W\d_])([+-]?\d+)")  # m2, s-1


@dataclass(frozen=True, slots=True)
class ConstantUnit:
    """What a constant of a law is measured in, and its value in base units."""

    unit: str  # in the units of the columns; "" for a number
    base: str  # in base units
    factor: float  # base units of one `unit`


def named_units(given: Any) -> tuple[tuple[str, str], ...]:
    """Units by the names of columns, from a mapping or a text such as "m=kg,v=m/s,E=J"."""
    if given is None:
        return ()
    if isinstance(given, str):
        parts = [part.replace("\\,", ",") for part in re.split(r"(?<!\\),", given) if part.strip()]
        pairs = [part.rpartition("=") for part in parts]
        if odd := next((unit for name, _, unit in pairs if not name.strip()), None):
            raise SettingError(f"units={given!r}: {odd.strip()!r} names no column and its unit; write m=kg,v=m/s.")
        given = {name.strip(): unit.strip() for name, _, unit in pairs}
    if not isinstance(given, Mapping) or not all(isinstance(part, str) for pair in given.items() for part in pair):
        raise SettingError(f"units={given!r} is not a mapping of names to units; write {{'m': 'kg', 'v': 'm/s'}}.")
    return tuple(given.items())


def dimensions_of(units: Sequence[tuple[str, str]], names: Sequence[str], target: str) -> Dimensions | None:
    """The dimensions of columns and target; None where no units are given."""
    if not units:
        return None
    given = dict(units)
    if unknown := [name for name in given if name not in (*names, target)]:
        raise DataError(
            f"A unit is given for {unknown[0]!r}, which is not a column; these are {', '.join(names)}, {target}."
        )
    if missing := [name for name in (*names, target) if name not in given]:
        raise DataError(
            f"Units are given for {', '.join(given)} and not for {', '.join(missing)}; give one to every column and to "
            "the target, '1' to what is a plain number."
        )
    read = [_read(name, given[name]) for name in (*names, target)]
    bases = tuple(sorted({base for powers, _ in read for base in powers}))
    exponents = [tuple(powers.get(base, Fraction(0)) for base in bases) for powers, _ in read]
    scales = tuple(scale for _, scale in read)
    return Dimensions(bases, tuple(exponents[:-1]), exponents[-1], () if set(scales) == {1.0} else scales)


def constant_units(
    equation: Equation, units: Sequence[tuple[str, str]], target: str
) -> tuple[ConstantUnit, ...] | None:
    """The unit of each constant of a law; None where no units make it right.

    Names of the law without a unit are constants that differ between groups: they have units of their own.
    """
    if not units:
        return None
    given = dict(units)
    names = [name for name in equation.names if name in given]
    dimensions = dimensions_of([(name, given[name]) for name in (*names, target) if name in given], names, target)
    if dimensions is None:
        return None
    law, is_letter = _with_numbers_for_letters(equation.expression, len(names))
    found = constant_dimensions(law, dimensions.columns, dimensions.target)
    if found is None:
        return None
    own = [_unit(name, given[name]) for name in (*names, target)]
    carriers = [place for place, exponents in enumerate(found) if any(exponents)]
    sizes = dimensions.scales or (1.0,) * len(own)
    scales = constant_scales(law, carriers, sizes[:-1], sizes[-1])
    told = (_told(exponents, dimensions.bases, own, scale) for exponents, scale in zip(found, scales, strict=True))
    return tuple(one for one, letter in zip(told, is_letter, strict=True) if not letter)


def _with_numbers_for_letters(law: Expression, n_columns: int) -> tuple[Expression, list[bool]]:
    """A law with a number for each variable behind the columns, and which of its constants these are."""
    used = law.args[law.codes == VARIABLE].tolist()
    plain = substitute(law, {index: constant(1.0) for index in used if index >= n_columns})
    leaves = [
        code == VARIABLE
        for code, index in zip(law.codes.tolist(), law.args.tolist(), strict=True)
        if code == CONSTANT or (code == VARIABLE and index >= n_columns)
    ]
    return plain, leaves


def _told(
    exponents: tuple[Fraction, ...], bases: Sequence[str], own: Sequence[Any], scale: float
) -> ConstantUnit:  # fmt: skip
    """A dimension in the user's units: km in the place of m, where one of the columns has it."""
    if not any(exponents):
        return ConstantUnit("", "", scale)
    registry, base = _registry(), _base_unit(exponents, bases)
    unit = base
    for candidate in own:
        _, plain = registry.get_base_units(candidate)
        if (
            len(candidate._units) == 1
            and len(plain._units) == 1
            and (count := unit._units.get(next(iter(plain._units))))
        ):
            unit = unit / plain**count * candidate**count
    factor = _in_base_units(unit)
    told = f"{unit:~P}" if math.isclose(factor, scale, rel_tol=1e-6) else f"{scale:.6g} {base:~P}"
    return ConstantUnit(told, f"{base:~P}", scale)


def _in_base_units(unit: Any) -> float:
    """The size of a unit; infinite where that is beyond the range of floating-point numbers."""
    try:
        return float(_registry().get_base_units(unit)[0])
    except OverflowError:
        return math.inf


def _base_unit(exponents: tuple[Fraction, ...], bases: Sequence[str]) -> Any:
    registry = _registry()
    unit = registry.parse_units("")
    for power, base in zip(exponents, bases, strict=True):
        if power:
            plain = registry.get_base_units(registry.parse_units(_BASE_UNITS.get(base, base.strip("[]"))))[1]
            unit = unit * plain ** (int(power) if power.denominator == 1 else float(power))
    return unit


_BASE_UNITS: Final = {
    "[length]": "m", "[mass]": "kg", "[time]": "s", "[temperature]": "K", "[current]": "A", "[substance]": "mol",
    "[luminosity]": "cd", "[printing_unit]": "pixel",
}  # fmt: skip


def _read(name: str, text: str) -> tuple[dict[str, Fraction], float]:
    """The powers of base dimensions of a unit, and its size in base units."""
    unit = _unit(name, text)
    powers = {base: Fraction(power).limit_denominator(1000) for base, power in unit.dimensionality.items()}
    if any(abs(power) > _MOST_POWER for power in powers.values()):
        raise _too_high(name, text)
    factor = _in_base_units(unit)
    if not 1 / _LARGEST <= factor <= _LARGEST:
        raise DataError(
            f"The unit of {name!r}, {text!r}, is {factor:g} base units, too large or small; choose another."
        )
    return powers, factor


def _too_high(name: str, text: str) -> DataError:
    return DataError(f"The unit of {name!r}, {text!r}, has a power beyond {_MOST_POWER}; write it in other words.")


def _unit(name: str, text: str) -> Any:
    """A unit that pint knows."""
    written = "" if text.strip() in NONE else _CURRENCY.get(text.strip(), text.strip())
    if len(written) > _LONGEST:
        raise DataError(f"The unit of {name!r} has {len(written)} characters; a unit has at most {_LONGEST}.")
    registry = _registry()
    for spelling in (written, _BARE_POWER.sub(r"\1^\2", written)):
        try:
            _work_out(spelling)
            unit = registry.parse_units(spelling)
        except Exception:  # pint raises errors of many kinds
            continue
        if not all(abs(power) <= _MOST_POWER for power in unit._units.values()):  # which nan is not either
            raise _too_high(name, text)
        if not all(registry._units[one].is_multiplicative for one in unit._units):
            raise DataError(
                f"Column {name!r} is in {text!r}, which does not count from zero, so that products of it mean nothing; "
                "give it in kelvin, or as a difference: delta_degC."
            )
        return unit
    raise DataError(f"The unit of {name!r}, {text!r}, is unknown; write it as kg, m/s^2, J/(mol*K), or 1 for a number.")


class _Double(float):
    """A number that pint is not to take for a whole one."""


def _work_out(spelling: str) -> None:
    """Work the numbers of a unit out in doubles, which overflow: as whole numbers 9**9**9**9 would take for ever."""
    from pint.util import ParserHelper

    for prepare in _registry().preprocessors:  # which write % as percent
        spelling = prepare(spelling)
    ParserHelper.from_string(spelling, non_int_type=_Double)


def measure_alike(name: str, unit: str, other: str) -> bool:
    """Whether two units of a column have the same dimension."""
    return bool(_unit(name, unit).dimensionality == _unit(name, other).dimensionality)


@cache
def same_dimension(unit: str, other: str) -> bool:
    """Whether two units measure the same thing in base units of size 1."""
    registry = _registry()
    one, two = (registry.parse_units(text.replace(" ", "*").replace("^", "**")) for text in (unit, other))
    return bool(one.dimensionality == two.dimensionality)


@cache
def _registry() -> Any:
    try:
        import pint
    except ImportError as error:
        raise MissingExtra("Units need pint: pip install 'scalesr[units]'.") from error
    registry = pint.UnitRegistry()
    for money in _MONEY:
        registry.define(f"{money} = [{money}]")
    return registry
