"""Another library's learner: MaskablePPO of sb3-contrib on `helpanna/HANNA-v0`.

    pip install "helpanna[examples]"
    python examples/maskable_ppo.py --steps 4096

The environment has `action_masks()`, so that the learner never tries an action that does not exist. What it
observes is a dictionary; the extractor below makes it one vector.
"""

import argparse
import tempfile
from pathlib import Path

import gymnasium
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor, nn

import helpanna
from helpanna.tasks.sampling import PathRange


class Extractor(BaseFeaturesExtractor):
    """The words, the views in the direction of each action, and the target, side by side."""

    def __init__(self, space: gymnasium.spaces.Dict, size: int = 32) -> None:
        actions = space["slots"].shape[0]
        super().__init__(space, features_dim=(actions + 2) * size + 2)
        self.view = nn.Linear(space["panorama"].shape[1], size)
        self.word = nn.EmbeddingBag(int(space["tokens"].high.max()) + 1, size, padding_idx=0)

    def forward(self, seen: dict[str, Tensor]) -> Tensor:
        # Stable-Baselines3 hands over floats, and 0 and 1 as two numbers each.
        slots, panorama = seen["slots"].long(), seen["panorama"]
        ahead = panorama[torch.arange(len(slots))[:, None], slots.clamp(max=35)] * (slots < 36)[:, :, None]
        parts = (
            self.word(seen["tokens"].long()),
            self.view(ahead).flatten(1),
            self.view(seen["target"].mean(dim=1)),
            seen["on_route"].flatten(1)[:, 1:],
            seen["has_target"].flatten(1)[:, 1:],
        )
        return torch.tanh(torch.cat(parts, dim=1))


def toy_split(folder: Path):
    """Short tasks in one generated house."""
    helpanna.generate_atlas(folder, houses=1, kind="small", pictures=False)
    atlas = helpanna.load_atlas(folder)
    sizes = {"train": 200, "val_seen": 0, "test_seen": 0}
    settings = helpanna.BuildSettings(unseen_count=0, sizes=sizes, paths=PathRange(3, 6))
    return helpanna.build_splits([(atlas, helpanna.make_routes("random", atlas))], None, settings)["train"]


def main(steps: int = 4096, seed: int = 0) -> MaskablePPO:
    """Trains, then walks one episode; returns the learner."""
    with tempfile.TemporaryDirectory() as folder:
        split = toy_split(Path(folder) / "house")
    # Stable-Baselines3 would ask for pictures to render, which this house has not.
    settings = {"data": split, "budget": 20, "request_price": 0.5, "render_mode": None}
    envs = make_vec_env("helpanna/HANNA-v0", n_envs=8, seed=seed, env_kwargs=settings)
    learner = MaskablePPO(
        "MultiInputPolicy",
        envs,
        n_steps=64,
        batch_size=128,
        policy_kwargs={"features_extractor_class": Extractor},
        seed=seed,
        verbose=1,
    )
    learner.learn(steps)

    env = gymnasium.make("helpanna/HANNA-v0", **settings)
    observation, info = env.reset(seed=seed)
    print(f"One episode: {info['request']}")
    over = False
    while not over:
        mask = env.get_wrapper_attr("action_masks")()
        action, _ = learner.predict(observation, action_masks=mask, deterministic=True)
        observation, _, terminated, truncated, info = env.step(int(action))
        assert not info["invalid_action"]
        over = terminated or truncated
    print(f"It ended {info['distance']:.1f} m from the nearest goal after {info['requests']} requests.")
    return learner


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=4096, help="steps of all environments together")
    parser.add_argument("--seed", type=int, default=0)
    main(**vars(parser.parse_args()))
