"""Whole discoveries side by side on tables with a known answer."""
