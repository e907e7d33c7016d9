"""One law for many groups of rows: constants that all groups share and constants that differ between them."""
