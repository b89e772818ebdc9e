"""Policies: the agent protocol, heuristics, ask policies."""
