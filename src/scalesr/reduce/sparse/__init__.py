"""Sparse linear and rational laws: what linear fits find, with the target as it is or transformed."""

from scalesr.reduce.sparse.laws import sparse_laws

__all__ = ["sparse_laws"]
