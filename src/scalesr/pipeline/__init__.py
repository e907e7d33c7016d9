"""The method: from a table to its law."""

from scalesr.pipeline.method import discover as discover
