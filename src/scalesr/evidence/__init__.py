"""Evidence: what a law is worth on the rows, the only place where laws are compared."""
