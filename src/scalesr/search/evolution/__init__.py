"""Evolution of formulas in compiled code, their constants fitted and inherited: `search.EvolutionSearch`."""
