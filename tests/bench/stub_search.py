"""Searches for tests of the benchmark: one knows a list of skeletons, one always fails."""

from __future__ import annotations

from scalesr.expr.text import parse
from scalesr.search.scoring import Scorer

KNOWN = (
    "C*x0",
    "C*x0 + C",
    "C*x0^2 + C*x0 + C",
    "C*sin(C*x0 + C)",
    "C*sin(x0) + C",
    "C*sqrt(x0)",
    "C/x0",
    "C*exp(C*x0)",
)


class ListSearch:
    def search(self, sweep, budget, *, rng, progress=None):  # noqa: ARG002  nothing here is random
        scorer = Scorer(sweep, budget, progress=progress)
        with scorer.running():
            scorer.score([parse(text) for text in KNOWN])
        return scorer.ranking()


class BrokenSearch:
    def search(self, sweep, budget, *, rng, progress=None):
        if sweep.n_rows > 100:  # not while it is warmed up
            raise ValueError("no luck today")
        return ListSearch().search(sweep, budget, rng=rng, progress=progress)
