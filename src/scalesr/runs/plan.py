"""Plan: what a run is asked for, in words that the command line knows as well."""

from __future__ import annotations

import math
import shlex
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final, Literal

from scalesr.errors import DataError, SettingError
from scalesr.tables import Wanted

TIME_LIMIT: Final = 60.0  # seconds, where nothing else is asked for
LONGEST: Final = 30 * 86400.0  # seconds that a run may be given

Kind = Literal["table", "motion"]


@dataclass(frozen=True, slots=True)
class Plan:
    """The law of a column of a table, or the laws of motion of its trajectories."""

    kind: Kind = "table"
    target: str = ""
    features: tuple[str, ...] = ()  # columns that the law may use; none: all other numbers
    weights: str = ""  # a column with the weight of each row
    groups: str = ""  # a column that tells groups of rows, with constants of their own
    units: str = ""  # as --units takes them; none given: those of the table, "none": without
    y_error: str = ""  # the target's standard error: a column or a number
    start: tuple[str, ...] = ()  # formulas to begin from
    template: str = ""  # a law with holes
    constraints: tuple[str, ...] = ()  # what the law obeys
    operators: tuple[str, ...] = ("physics",)
    time_limit: float = TIME_LIMIT  # seconds
    seed: int = 0
    time: str = ""  # motion: the column of times
    trajectory: str = ""  # motion: the column that tells the runs apart
    states: tuple[str, ...] = ()  # motion
    order: int = 1  # motion: 2 where rates were not measured

    def __post_init__(self) -> None:
        if self.kind not in ("table", "motion"):
            raise SettingError(f"A run is of a table or of motion, not {self.kind!r}.")
        if not (math.isfinite(self.time_limit) and 0.1 <= self.time_limit <= LONGEST):
            raise SettingError(f"The time for a run is 0.1 to {LONGEST:.0f} seconds, not {self.time_limit:g}.")
        if self.kind == "table" and not self.target:
            raise SettingError("Say which column the law is for.")
        if self.kind == "motion" and not (self.time and self.states):
            raise SettingError("Say which column holds the times and which columns are the states.")
        if self.order not in (1, 2):
            raise SettingError(f"The order of laws of motion is 1 or 2, not {self.order}.")
        if self.seed < 0:
            raise SettingError(f"A seed is 0 or more, not {self.seed}.")

    @property
    def wanted(self) -> Wanted:
        """The columns that a table's law is looked for in."""
        return Wanted(
            target=self.target, features=self.features, weights=self.weights or None, groups=self.groups,
            y_error=self.y_error,
        )  # fmt: skip

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of the estimator of a table's law, but for units, which the table may give."""
        given = {"start": list(self.start), "template": self.template, "constraints": list(self.constraints)}
        return {
            "operators": list(self.operators), "time_limit": self.time_limit, "random_state": self.seed,
            **{name: value for name, value in given.items() if value},
        }  # fmt: skip

    def values(self) -> dict[str, Any]:
        """The plan as JSON has it."""
        return asdict(self)

    def command(self, table: str) -> str:
        """The same on the command line."""
        words = ["scalesr", "fit" if self.kind == "table" else "dynamics", table]
        if self.kind == "table":
            words += ["--target", self.target, *_option("--features", self.features)]
            for name in ("weights", "groups", "units", "y_error", "template"):
                words += _told(name, getattr(self, name))
            words += [word for text in self.start for word in _told("start", text)]
            words += [word for text in self.constraints for word in _told("constraint", text)]
            words += [] if self.operators == ("physics",) else _option("--operators", self.operators)
        else:
            words += ["--time", self.time, *_option("--states", self.states), *_told("trajectory", self.trajectory)]
            words += ["--order", "2"] if self.order == 2 else []
        return shlex.join([*words, "--time-limit", f"{self.time_limit:g}", "--seed", str(self.seed)])


def plan_of(values: Mapping[str, Any]) -> Plan:
    """A plan from values that a file or a page holds, each of the kind that it has to be."""
    known = {field.name for field in fields(Plan)}
    if odd := sorted(set(values) - known):
        raise DataError(f"A plan has no setting {odd[0]!r}; known are {', '.join(sorted(known))}.")
    given: dict[str, Any] = {}
    for name, value in values.items():
        default = getattr(_ANY, name)
        if isinstance(default, tuple):
            if not isinstance(value, list | tuple) or not all(isinstance(one, str) for one in value):
                raise DataError(f"The setting {name!r} of a plan is a list of names, not {value!r:.60}.")
            given[name] = tuple(value)
        elif isinstance(default, float) and isinstance(value, int | float) and not isinstance(value, bool):
            given[name] = float(max(min(value, 2 * LONGEST), -1.0))  # a whole number may be beyond what a float holds
        elif type(value) is type(default):
            given[name] = value
        else:
            raise DataError(f"The setting {name!r} of a plan is a {type(default).__name__}, not {value!r:.60}.")
    return Plan(**given)


def _told(name: str, value: str) -> list[str]:
    """An option of the command line with its value, nothing where there is none."""
    return [f"--{name.replace('_', '-')}", value] if value else []


def _option(name: str, names: tuple[str, ...]) -> list[str]:
    """Names between commas; a comma within a name is written with a backslash before it."""
    return [name, ",".join(one.replace(",", "\\,") for one in names)] if names else []


def units_text(given: Mapping[str, str], told: Mapping[str, str]) -> str:
    """Units by the names of columns as a plan has them; `told` are those of the table, which need not be said.

    A column without a unit holds plain numbers.
    """
    kept = {name: unit.strip() for name, unit in given.items()}
    if all(kept[name] == told.get(name, "") for name in kept):
        return ""
    if not any(kept.values()):
        return "none"
    return ",".join(f"{name}={unit or '1'}".replace(",", "\\,") for name, unit in kept.items())


_ANY: Final = Plan(target="y")  # to know the kind of each setting
