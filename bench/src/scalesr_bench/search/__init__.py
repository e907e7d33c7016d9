"""Searches side by side on one-variable sweeps with a known answer."""
