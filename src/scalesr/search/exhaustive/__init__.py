"""The complete search: every canonical skeleton, in order of size."""

from scalesr.search.exhaustive.search import ExhaustiveSearch as ExhaustiveSearch
