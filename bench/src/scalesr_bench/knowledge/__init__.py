"""What a user knows of a law before it is found, measured beside a search without it."""
