"""Dataset -> smaller Dataset and how to undo it."""
