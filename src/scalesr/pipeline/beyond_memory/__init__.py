"""Rows beyond memory: a sample is searched, and all rows decide on constants, evidence and verdict by passes."""

from scalesr.pipeline.beyond_memory.method import discover_stream as discover_stream
