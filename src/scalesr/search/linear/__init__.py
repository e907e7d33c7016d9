"""Sparse regression: sums of terms from a generic library or a given one, and ratios of sums."""

from scalesr.search.linear.ratios import RatioSearch
from scalesr.search.linear.search import LinearSearch
from scalesr.search.linear.terms import select_terms, select_whole

__all__ = ["LinearSearch", "RatioSearch", "select_terms", "select_whole"]
