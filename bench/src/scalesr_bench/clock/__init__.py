"""How limits, interrupts, kills and first uses are kept: `scalesr-bench clock`."""
