"""What a building is, and where buildings come from."""
