"""Waves: oscillations that no smooth function of the columns follows, found by periodograms and made columns."""

from scalesr.reduce.waves.columns import with_waves

__all__ = ["with_waves"]
