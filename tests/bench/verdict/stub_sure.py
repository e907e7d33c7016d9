"""Methods for tests of the calibration: discoveries that give a probability."""

from __future__ import annotations

from dataclasses import dataclass

from scalesr.records.discovery import Discovery, Verdict
from tests.bench.stub_method import discovery


@dataclass(frozen=True)
class SureDiscovery(Discovery):
    """A discovery with a probability."""

    probability: float | None = None


def sure(data, settings, *, rng):
    """A line in the first column, of which it is 95 % sure and says "exact"."""
    found = discovery(f"C*{data.names[0]}", data, Verdict.EXACT)
    return SureDiscovery(
        found.law, found.verdict, found.reason, found.front, found.trace, found.seconds, probability=0.95
    )  # fmt: skip


def broken(data, settings, *, rng):
    if data.names[0] != "u":  # not while it is warmed up
        raise ValueError("no luck today")
    return sure(data, settings, rng=rng)
