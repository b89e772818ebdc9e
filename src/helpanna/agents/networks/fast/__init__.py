"""What makes learning fast; nobody needs to read it to understand the networks.

Three things are used from here: `Linear`, whose weight gradients can be gathered into one product over all
steps; `new_memory`, for memories that are written in place; and `gather_gradients` with
`release_gradients` around an iteration. Their plain meaning: matrix products, `networks.plain.Memory`, and
nothing. With HELPANNA_PLAIN=1 that is what is computed.
"""

from torch import Tensor

from helpanna.agents.networks.fast.linear import Linear, gather_gradients, release_gradients
from helpanna.agents.networks.fast.recall import Recall
from helpanna.agents.networks.plain import Memory, plainly

__all__ = ["Linear", "gather_gradients", "new_memory", "release_gradients"]


def new_memory(keys: Tensor, values: Tensor, capacity: int, heads: int = 1) -> Memory:
    """A memory that begins with one entry [N, B, size], with room for `capacity` entries."""
    return (Memory if plainly() else Recall)(keys, values, capacity, heads)
