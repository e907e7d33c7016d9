"""Compiled kernels over flat arrays; nothing here knows the rest of the package."""
