"""What probabilities are worth: laws that were given one, against how many of them are right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from scalesr_bench.rates import wilson

N_BINS: Final = 10  # of equal width


@dataclass(frozen=True, slots=True)
class Claim:
    """A law that was given a probability."""

    probability: float
    is_right: bool


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Claims of about the same probability."""

    low: float  # of the bin
    high: float
    n_claims: int
    mean_probability: float
    share_right: float
    least: float  # 95 % interval of that share (Wilson)
    most: float


def reliability(claims: Sequence[Claim]) -> list[ReliabilityBin]:
    """A bin for each tenth that has claims; a probability of 1 is in the last."""
    bins: dict[int, list[Claim]] = {}
    for claim in claims:
        bins.setdefault(min(int(claim.probability * N_BINS), N_BINS - 1), []).append(claim)
    return [_bin(place, bins[place]) for place in sorted(bins)]


def expected_calibration_error(claims: Sequence[Claim]) -> float | None:
    """The mean distance of probability and share of right laws over the bins, weighted by claims; None without any."""
    if not claims:
        return None
    bins = reliability(claims)
    return sum(one.n_claims * abs(one.mean_probability - one.share_right) for one in bins) / len(claims)


def _bin(place: int, claims: Sequence[Claim]) -> ReliabilityBin:
    n_right = sum(claim.is_right for claim in claims)
    mean = sum(claim.probability for claim in claims) / len(claims)
    return ReliabilityBin(
        place / N_BINS, (place + 1) / N_BINS, len(claims), mean, n_right / len(claims), *wilson(n_right, len(claims))
    )
