"""ExternalConfig: other tools as searches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class ExternalConfig:
    """Counts and limits, grouped by the file that uses them."""

    # adapter.py
    moderate_target: float = 1e6  # a target larger than this, or smaller than one over it, is scaled for the regressor
    fit_share: float = 0.9  # of the time is the regressor's; the rest is for fitting its formulas again

    # pyoperon.py
    per_round: int = 10  # generations

    # pysindy.py
    sindy_ridge: float = 1e-12
    sindy_columns: int = 3000  # of the library; with more, products are left out
    sindy_terms: int = 30  # of a formula: what is longer is not a law

    # pysr.py
    pysr_iterations: int = 10_000_000  # iterations: the time ends the search

    # rils_rols.py
    rils_limit: int = 2**31 - 1  # of both limits: the other one ends the search
    rils_penalty: float = 0.001  # the package's own
    rils_nodes: int = 50  # nodes, the package's own
    rils_overrun: int = 1  # second: the limit counts whole ones and is looked at late


EXTERNAL: Final = ExternalConfig()
