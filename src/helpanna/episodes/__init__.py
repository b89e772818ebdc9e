"""Poses, episodes and environments: many agents stepped at once."""
