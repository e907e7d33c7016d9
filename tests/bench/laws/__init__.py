"""Tests of the benchmark of whole discoveries."""
