"""What units are worth: laws of the Feynman lectures on few noisy rows, with the units of their columns and without."""
