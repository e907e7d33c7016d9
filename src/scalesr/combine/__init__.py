"""Skeletons -> a law in all variables, one variable after another."""
