"""From trajectories to figures: metrics, intervals, tables."""
