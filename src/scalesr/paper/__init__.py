"""The paper to the letter: its own short pipeline."""
