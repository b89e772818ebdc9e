"""Requests "find a ...", their goals, and the splits of a dataset."""
