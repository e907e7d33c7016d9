"""Units of a table: those given by `--units`, or those that the table itself gives."""

from __future__ import annotations

from scalesr.errors import DataError, MissingExtra
from scalesr.estimators.units import dimensions_of, measure_alike, named_units
from scalesr.tables import ChosenRows

NONE = "none"


def units_of(rows: ChosenRows, given: str) -> tuple[dict[str, str] | None, list[str]]:
    """Units of features and target, None where there are none, and lines to print about them.

    Units that are given have to be understood; those of a table are left out with a line where they are not.
    """
    if given == NONE or not (given or rows.units):
        return None, []
    told = {name: rows.units.get(name, "1") for name in (*rows.names, rows.target)} if rows.units else {}
    if given:
        asked = dict(named_units(given))
        _check_agreement(asked, rows.units)
        units = told | asked
        dimensions_of(tuple(units.items()), rows.names, rows.target)
        return units, []
    try:
        dimensions_of(tuple(told.items()), rows.names, rows.target)
    except (DataError, MissingExtra) as error:
        return None, [f"The units of the table are not used: {error}"]
    listed = ", ".join(f"{name} [{unit}]" for name, unit in told.items())
    return told, [f"Units: {listed}; --units none leaves them out."]


def _check_agreement(asked: dict[str, str], told: dict[str, str]) -> None:
    """Refuse units that measure something else than those of the table."""
    for name, unit in asked.items():
        if name in told and not measure_alike(name, unit, told[name]):
            raise DataError(
                f"--units says that {name!r} is in {unit!r} and the table says {told[name]!r}, which measures "
                "something else; correct one of them."
            )
