"""Under what condition a law is looked for: the noise of its rows and, where it was said, their number."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Condition(NamedTuple):
    """What runs that are counted together share besides suite and method."""

    noise_kind: str  # "" without noise
    noise: float
    given_rows: int | None  # None: each table has its usual number

    @property
    def noise_words(self) -> str:
        """Level and kind, as in "0.1 counts"; constant noise is the level alone."""
        return f"{self.noise:g}" if self.noise_kind in ("", "constant") else f"{self.noise:g} {self.noise_kind}"

    @property
    def words(self) -> str:
        rows = f", {self.given_rows} rows" if self.given_rows else ""
        return f"noise {self.noise_words}{rows}"

    def among(self, others: Iterable[Condition]) -> str:
        """What tells this condition from the others; "" where there are none."""
        given = list(others)
        parts = [f"noise {self.noise_words}"] if len({(other.noise_kind, other.noise) for other in given}) > 1 else []
        if len({other.given_rows for other in given}) > 1:
            parts.append(f"{self.given_rows} rows" if self.given_rows else "usual rows")
        return ", ".join(parts)
