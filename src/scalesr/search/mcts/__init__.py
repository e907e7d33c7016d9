"""Monte-Carlo tree search over the productions of a grammar: SPL's algorithm, and our variant of it."""

from scalesr.search.mcts.search import MctsSearch

__all__ = ["MctsSearch"]
