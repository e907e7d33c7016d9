"""`--choose`: which law of the Pareto front is taken."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from scalesr.errors import SettingError

if TYPE_CHECKING:
    from scalesr.estimators.regressor import ScaleSRRegressor

LONGEST: Final = 18  # digits of a complexity; longer texts are not numbers to the interpreter

Choice = Annotated[
    str,
    typer.Option(
        "--choose",
        metavar="SIZE",
        help="Take the law of this complexity from the Pareto front, or by a rule: evidence, accuracy, score, best.",
    ),
]


def checked_choice(choose: str) -> dict[str, Any]:
    """What is asked for, as arguments of `select`; nothing where nothing is."""
    from scalesr.records.selection import RULES

    if not choose:
        return {}
    if choose in RULES:
        return {"rule": choose}
    if choose.isdecimal() and len(choose) <= LONGEST:
        return {"complexity": int(choose)}
    raise SettingError(f"--choose {choose!r:.60} is neither a complexity nor one of {', '.join(RULES)}.")


def take(model: ScaleSRRegressor, choose: str) -> ScaleSRRegressor:
    """The model with the law that is asked for."""
    return model.select(**checked_choice(choose)) if choose else model
