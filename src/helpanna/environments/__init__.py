"""Gymnasium environments: one agent or many."""
