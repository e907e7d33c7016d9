"""Other regressors behind the search interface."""

from scalesr.search.external.adapter import ExternalSearch

__all__ = ["ExternalSearch"]
