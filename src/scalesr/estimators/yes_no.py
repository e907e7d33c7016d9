"""Targets of yes and no: whether the law is to be a probability."""

from __future__ import annotations

from scalesr.errors import DataError, SettingError
from scalesr.evidence.discrete import are_yes_and_no
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr.records.noise import BINARY, GivenNoise
from scalesr.records.oracle import Oracle


def is_yes_or_no(data: Dataset, settings: Settings) -> bool:
    """Whether the law is the probability of a 1: where that is asked for, or the target is 0 and 1 and nothing is said.

    What does not go with it is refused where it is asked for, and is looked at as numbers otherwise.
    """
    if is_asked_for(settings.given_noise):
        if reason := _against(data, settings):
            raise SettingError(f"loss='logistic' looks for a probability: {reason}")
        if not are_yes_and_no(data.y):
            raise DataError(f"loss='logistic' is for a target of 0 and 1 that has both; {data.target!r} is none.")
        return True
    return settings.given_noise is None and are_yes_and_no(data.y) and not _against(data, settings)


def is_asked_for(given: GivenNoise | None) -> bool:
    """Whether the user has said that the target is yes and no."""
    return given is not None and given.noise is not None and given.noise.kind == BINARY


def _against(data: Dataset, settings: Settings) -> str:
    """What does not go with a probability, as a sentence; nothing where all does."""
    if settings.preset == "paper":
        return "preset='paper' does not support it; leave out one of the two."
    if isinstance(settings.generator, Oracle):
        return "a function that is asked gives its values itself; leave out one of the two."
    if settings.template is not None or settings.constraints:
        return "templates and constraints cannot be combined with it yet; leave out one of the two."
    if data.dimensions is not None:
        return "units cannot be combined with it yet; leave out one of the two."
    return ""
