"""What the browser shows, one file per view."""
