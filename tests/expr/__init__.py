"""Tests of the expression layer."""
