"""The teachers of imitation learning: pure functions of trajectories."""
