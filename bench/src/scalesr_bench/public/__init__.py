"""Public tables without a known law: how well formulas predict rows that were held out."""
