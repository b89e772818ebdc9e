"""Furniture and small things, made to measure: each maker turns a wish into a mesh of its own."""
