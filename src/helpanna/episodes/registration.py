"""Makes the environments known to Gymnasium, so that `gymnasium.make("helpanna/Navigate-v0")` finds them."""

import gymnasium

NAVIGATE = "helpanna/Navigate-v0"


def register_environments() -> None:
    """Registers all environments by name; their code is imported when one is made."""
    if NAVIGATE not in gymnasium.registry:
        gymnasium.register(
            NAVIGATE,
            entry_point="helpanna.episodes.navigate:NavigateEnv",
            vector_entry_point="helpanna.episodes.navigate:NavigateVectorEnv",
        )
