"""Trajectories -> one Dataset per state, and laws refitted, compared and judged on the trajectories themselves."""
