"""Makes the environments known to Gymnasium, so that `gymnasium.make("helpanna/Navigate-v0")` finds them."""

import gymnasium

NAVIGATE = "helpanna/Navigate-v0"
HANNA = "helpanna/HANNA-v0"

_CODE = {NAVIGATE: "helpanna.environments.navigate:Navigate", HANNA: "helpanna.environments.hanna:Hanna"}


def register_environments() -> None:
    """Registers all environments by name; their code is imported when one is made."""
    for name, code in _CODE.items():
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point=f"{code}Env", vector_entry_point=f"{code}VectorEnv")
