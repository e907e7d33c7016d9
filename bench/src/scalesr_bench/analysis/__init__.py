"""The paper's study of search spaces: how many formulas there are, and how many have to be looked at."""
