"""Generated houses: plan, furnish, connect, render."""
