"""Other regressors as searches: what the bench compares ours with."""

from scalesr_bench.adapters.adapter import ExternalSearch

__all__ = ["ExternalSearch"]
