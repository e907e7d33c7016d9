"""Generator -> sweeps: which variables are held, where, and which one moves."""
