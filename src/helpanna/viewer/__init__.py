"""Pages to look at."""
