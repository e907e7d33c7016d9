"""Job: one law to be found, with all that a worker needs, and Line: what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final, Protocol

from scalesr.errors import DataError

NO_LAW: Final = ("no law found", "not tried")  # verdicts without an acceptable law


@dataclass(frozen=True, slots=True, eq=False)
class JobInput:
    """Rows, target and what belongs to them, as a fit takes them."""

    X: Any
    y: Any
    sample_weight: Any = None
    y_error: Any = None
    units: Any = None
    notes: tuple[str, ...] = ()  # what became of the table, in sentences


class Origin(Protocol):
    """Where the rows of one law come from: a file, or arrays that travel with the job."""

    @property
    def source(self) -> str:
        """The table, for people."""
        ...

    def given(self) -> JobInput:
        """Read the rows; a DataError says why they cannot be read."""
        ...

    def mark(self) -> str:
        """A text that differs where the rows differ."""
        ...

    def asked(self) -> str:
        """A text that differs where another law is asked for, of the same rows or others."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """One law to be found."""

    name: str  # of the law and its file, different for each job
    origin: Origin
    settings: Mapping[str, Any]  # of ScaleSRRegressor
    cost: float = 0.0  # numbers in the table, about: short ones are done first


@dataclass(frozen=True, slots=True)
class BatchLine:
    """What came of one law: a line of the summary. Where `failure` says something there is no law."""

    name: str
    source: str
    target: str = ""
    law: str = ""
    verdict: str = ""
    probability: float | None = None
    complexity: int | None = None
    error: float | None = None  # root mean square, on the rows of the fit
    held_error: float | None = None  # on rows that were held back
    n_rows: int | None = None
    seconds: float | None = None
    failure: str = ""  # why there is no law, in a sentence

    @property
    def is_found(self) -> bool:
        """Whether there is a law that may be used."""
        return not self.failure and self.verdict not in NO_LAW

    @property
    def sentence(self) -> str:
        """The line, as a sentence."""
        if self.failure:
            return f"{self.name}: {self.failure}"
        likely = "" if self.probability is None else f", probability {self.probability:.0%}"
        return f"{self.name}: {self.target} = {self.law} ({self.verdict}{likely})"

    def values(self) -> dict[str, Any]:
        """The line as JSON has it."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Done:
    """A line, and what the model file of its law holds; empty where there is none."""

    line: BatchLine
    model: bytes = b""
    is_whole: bool = True  # False where an interrupt has ended the search; the next batch looks again


def line_of(values: Mapping[str, Any]) -> BatchLine:
    """A line from the values of a file."""
    if set(values) != {field.name for field in fields(BatchLine)}:
        raise DataError("This is not a line of a summary.")
    for field in fields(BatchLine):
        value = values[field.name]
        is_fine = isinstance(value, str) if field.default is not None else value is None or _is_number(value)
        if not is_fine:
            raise DataError(f"The line of a summary has {field.name!r} = {value!r:.60}.")
    return BatchLine(**values)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def failed(job: Job, why: str) -> Done:
    """What there is to say of a job that came to nothing."""
    return Done(BatchLine(job.name, job.origin.source, failure=why))
