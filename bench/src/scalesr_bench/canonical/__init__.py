"""The canonical form next to sympy: equal formulas found, false merges."""
