"""Noise: how far the target's rows may be off a law, as a record that is made once and handed on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import DataError

Floats = NDArray[np.float64]
NoiseKind = Literal["exact", "constant", "proportional", "mixed", "counts", "binary"]
NOISE_KINDS: tuple[NoiseKind, ...] = ("exact", "constant", "proportional", "mixed", "counts", "binary")
BINARY: Final = "binary"


@dataclass(frozen=True, slots=True)
class Noise:
    """Errors of the target: of one size, proportional to the value, both, as counts have them, or as yes and no have
    them, whose law is the probability of yes; and outliers.
    """

    kind: NoiseKind
    scale: float | None = None  # standard deviation; of the value 1 where it grows with the value; None: not known
    relative: float = 0.0  # "mixed": the part that is proportional, as a share of the value
    outliers: float = 0.0  # share of the rows that are off by much more
    digits: float = 0.0  # spacing of the target's values, 0 where they are not rounded
    source: Literal["given", "estimated"] = "estimated"

    def __post_init__(self) -> None:
        if self.kind not in NOISE_KINDS:
            raise DataError(f"A noise is one of {', '.join(NOISE_KINDS)}; not {self.kind!r}.")
        if self.scale is not None and not 0 <= self.scale < np.inf:
            raise DataError(f"The scale of a noise is a finite number, 0 or more, or None; not {self.scale}.")
        for what, value in (("share of the values", self.relative), ("spacing of the target's values", self.digits)):
            if not 0 <= value < np.inf:
                raise DataError(f"The {what} in a noise is a finite number, 0 or more; not {value}.")
        if not 0 <= self.outliers < 0.5:
            raise DataError(f"The share of outliers is 0 or more and below one half; not {self.outliers}.")

    def variances(self, values: Floats) -> Floats:
        """Variance of each row, given what a law says of it; in units of `scale` squared where that is not known."""
        scale = 1.0 if self.scale is None else self.scale
        size = np.abs(values)
        if self.kind == "proportional":
            return np.asarray((scale * size) ** 2)
        if self.kind == "counts":
            return np.asarray(scale**2 * size)
        if self.kind == BINARY:
            return np.asarray(values * (1 - values))
        if self.kind == "mixed":
            return np.asarray(scale**2 + (self.relative * size) ** 2)
        return np.full(len(values), scale**2)

    @property
    def text(self) -> str:
        """Kind and sizes, as `noise_called` reads them."""
        sizes = () if self.scale is None else (self.scale, self.relative) if self.kind == "mixed" else (self.scale,)
        return ":".join([self.kind, *(f"{size!r}" for size in sizes)])

    @property
    def sentence(self) -> str:
        """What is known of the errors, as a sentence."""
        tail = f"; about {self.outliers:.1%} of the rows are outliers" if self.outliers else ""
        return f"{self._about}{tail}."

    @property
    def _about(self) -> str:
        if self.kind == BINARY:
            return "The target is yes or no, and the law is the probability of yes"
        if self.source == "given":
            size = "" if self.scale is None else f", {self.scale:.3g}"
            return f"The errors are taken as given: {_WORDS.get(self.kind, 'none')}{size}"
        if self.kind == "exact":
            return f"The target is rounded to steps of {self.digits:g}" if self.digits else "No errors are seen"
        if self.scale is None:
            return f"The errors are {_WORDS[self.kind]}"
        if self.kind == "proportional":
            return f"The errors look proportional, {self.scale:.2g} of the value"
        if self.kind == "mixed":
            return f"The errors look like {self.scale:.3g} and {self.relative:.2g} of the value together"
        if self.kind == "counts":
            return (
                f"The errors grow with the root of the value, as those of counts do: {self.scale:.3g} at a value of 1"
            )
        return f"The errors look the same everywhere, {self.scale:.3g}"


@dataclass(frozen=True, slots=True)
class GivenNoise:
    """What the user knows of the errors."""

    noise: Noise | None = None  # None: it is estimated from the rows
    outliers: bool = True  # whether rows may be off by far more


def noise_called(text: str) -> Noise:
    """A noise by its kind and, with colons between, its sizes: "proportional", "constant:0.1", "mixed:0.1:0.02"."""
    kind, *sizes = text.split(":")
    if kind not in NOISE_KINDS or len(sizes) > (2 if kind == "mixed" else 1):
        raise DataError(
            f"The noise {text!r} is unknown; known are {', '.join(NOISE_KINDS)}, with a size: constant:0.1."
        )
    try:
        numbers = [float(size) for size in sizes]
    except ValueError:
        raise DataError(f"The noise {text!r} has a size that is not a number; write constant:0.1.") from None
    scale = numbers[0] if numbers else None
    relative = numbers[1] if len(numbers) == 2 else 0.0
    own = next(one for one in NOISE_KINDS if one == kind)
    return Noise(own, scale, relative=relative, source="given")


_WORDS = {
    "constant": "the same everywhere",
    "proportional": "proportional to the value",
    "mixed": "partly proportional to the value",
    "counts": "those of counts",
    "binary": "those of yes and no",
}
