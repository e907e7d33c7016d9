"""Laws of motion found from simulated trajectories of known systems."""
