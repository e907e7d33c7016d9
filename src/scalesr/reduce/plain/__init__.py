"""Plain laws: what a few linear fits on the rows can find, with the target as it is or transformed."""

from scalesr.reduce.plain.laws import plain_laws

__all__ = ["plain_laws"]
