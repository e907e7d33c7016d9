"""A policy that seeds populations of genetic programming and learns from what they become (NGGP)."""
