"""Makes the environments known to Gymnasium, so that `gymnasium.make("helpanna/Navigate-v0")` finds them."""

import gymnasium

NAVIGATE = "helpanna/Navigate-v0"
HANNA = "helpanna/HANNA-v0"

_NEIGHBOURS = "helpanna.environments.neighbours"
_CODE = {
    NAVIGATE: "helpanna.environments.navigate:Navigate",
    HANNA: "helpanna.environments.hanna:Hanna",
    "helpanna/R2R-v0": f"{_NEIGHBOURS}:R2R",
    "helpanna/REVERIE-v0": f"{_NEIGHBOURS}:Reverie",
    "helpanna/NDH-v0": f"{_NEIGHBOURS}:Ndh",
    "helpanna/VNLA-v0": f"{_NEIGHBOURS}:Vnla",
}


def register_environments() -> None:
    """Registers all environments by name; their code is imported when one is made."""
    for name, code in _CODE.items():
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point=f"{code}Env", vector_entry_point=f"{code}VectorEnv")
