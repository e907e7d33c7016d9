"""Dataset -> Generator: a function of all columns, learned from rows or given."""
