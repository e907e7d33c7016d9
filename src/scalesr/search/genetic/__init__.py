"""Genetic programming on skeletons, their constants fitted: `search.GeneticSearch`."""
