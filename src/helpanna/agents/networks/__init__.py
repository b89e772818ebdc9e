"""The networks of trained agents, and what they are built of."""
