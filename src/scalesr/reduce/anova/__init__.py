"""Functional analysis of variance: which pairs of columns interact, and of which functions their parts are made."""

from scalesr.reduce.anova.rounds import terms_in_rounds
from scalesr.reduce.anova.terms import pair_decomposition, terms_of_pairs

__all__ = ["pair_decomposition", "terms_in_rounds", "terms_of_pairs"]
