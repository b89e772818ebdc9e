"""Imitation learning: rollouts, losses, the trainer, checkpoints."""
