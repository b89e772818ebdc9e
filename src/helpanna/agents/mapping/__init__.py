"""The agent with a map: places it has seen in this episode, and a network that chooses among them."""
