"""Formulas in one variable -> laws in all variables, one variable after another."""
