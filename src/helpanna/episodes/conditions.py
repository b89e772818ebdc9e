"""The conditions that the help-request teacher verifies: agents predict them, evaluation scores them."""

from typing import Literal

CONDITIONS = ("lost", "uncertain_wrong", "never_asked")

Lost = Literal["paper", "published"]
"""The reading of `lost`: the paper's sentence, or the published code's; see `teachers.help_request`."""

USUAL_LOST: Lost = "published"
"""Where nobody says otherwise; it asks less at the same success (docs/results/papers-agents.md)."""
