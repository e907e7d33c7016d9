"""The page: a table goes in, the discovery is watched, a law with its evidence comes out."""
