"""The tables of the demonstration, which come with the package."""
