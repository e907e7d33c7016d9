"""Rules: which sequences may be written, and which are likely before anything is learned."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SequenceRules:
    """Limits of a sequence and the soft prior of its length.

    Always in force: no function directly inside its inverse, no trigonometric function inside
    another, no operator with constants alone, at least one variable.
    """

    min_length: int = 4
    max_length: int = 64
    max_constants: int = 10
    usual_length: float = 10.0
    length_deviation: float = 5.0

    def __post_init__(self) -> None:
        if not 1 <= self.min_length <= self.max_length:
            raise ValueError(f"Lengths go from 1 or more to no less: {self.min_length} to {self.max_length}.")
        if self.max_constants < 0 or not self.length_deviation > 0:
            raise ValueError(f"A limit of constants is 0 or more and a standard deviation above 0: {self}.")
