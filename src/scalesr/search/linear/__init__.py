"""Sparse regression over a generic library: the quick look before anything else."""

from scalesr.search.linear.search import LinearSearch

__all__ = ["LinearSearch"]
