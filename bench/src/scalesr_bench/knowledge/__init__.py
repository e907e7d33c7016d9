"""What a user knows of a law before it is found: templates and constraints, measured beside a search without them."""
