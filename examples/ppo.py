"""Reinforcement learning in one file: PPO learns to find things in a small house, and when to ask for help.

    python examples/ppo.py --steps 60000

It builds its own house and tasks, steps many agents at once, and prints how many other tasks in the house
succeed before and after training. It is to be read from top to bottom and changed. It needs
`pip install "helpanna[learn,houses]"`.
"""

import argparse
import tempfile
from pathlib import Path

import gymnasium
import numpy as np
import torch
from torch import Tensor, nn
from torch.distributions import Categorical

import helpanna
from helpanna.tasks.sampling import PathRange

AGENTS, HORIZON, BUDGET, JUDGED = 64, 32, 20, 400
EPOCHS, MINIBATCHES, RATE, CLIP = 4, 8, 2e-3, 0.2
GAMMA, LAMBDA, ENTROPY, VALUE, REWARD = 0.97, 0.95, 0.01, 0.5, 0.1


def toy_splits(folder: Path) -> dict:
    """One generated house: tasks to train on, and others in it to be judged by."""
    helpanna.generate_atlas(folder, houses=1, kind="small", pictures=False)
    atlas = helpanna.load_atlas(folder)
    sizes = {"train": 400, "val_seen": 200, "test_seen": 0}
    settings = helpanna.BuildSettings(unseen_count=0, sizes=sizes, paths=PathRange(3, 6))
    return helpanna.build_splits([(atlas, helpanna.make_routes("random", atlas))], None, settings)


def perceive(envs, observation: dict) -> dict[str, Tensor]:
    """What the policy reads: the view in the direction of each move, and the means of both panoramas."""
    moves = observation["slots"][:, 1:]
    ahead = observation["panorama"][np.arange(len(moves))[:, None], np.minimum(moves, 35)]
    seen = {
        "ahead": ahead * (moves < 36)[:, :, None],  # nothing where there is no move
        "here": observation["panorama"].mean(axis=1, dtype=np.float32),
        "target": observation["target"].mean(axis=1, dtype=np.float32),
        "modes": np.stack([observation["on_route"], observation["has_target"]], axis=1),
        "tokens": observation["tokens"],
        "mask": envs.unwrapped.action_masks(),
    }
    return {key: torch.from_numpy(array) for key, array in seen.items()}


class Policy(nn.Module):
    """Scores each move by the view in its direction, given the words, what is seen here and the target."""

    def __init__(self, features: int, words: int, size: int = 64) -> None:
        super().__init__()
        self.view, self.word = nn.Linear(features, size), nn.EmbeddingBag(words, size, padding_idx=0)
        self.stop_and_ask = nn.Parameter(0.1 * torch.randn(2, size))
        self.state = nn.Sequential(nn.Linear(3 * size + 2, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh())
        self.score = nn.Sequential(nn.Linear(128 + size, 64), nn.Tanh(), nn.Linear(64, 1))
        self.value = nn.Linear(128, 1)

    def forward(self, seen: dict[str, Tensor]) -> tuple[Categorical, Tensor]:
        views = [torch.tanh(self.view(seen[key].float())) for key in ("here", "target", "ahead")]
        state = self.state(torch.cat([*views[:2], self.word(seen["tokens"]), seen["modes"].float()], dim=1))
        stop, ask = self.stop_and_ask.expand(len(state), 2, -1).split(1, dim=1)
        actions = torch.cat([stop, views[2], ask], dim=1)  # [B, A + 1, size]
        pairs = torch.cat([state[:, None].expand(-1, actions.shape[1], -1), actions], dim=2)
        logits = self.score(pairs).squeeze(2).masked_fill(~seen["mask"], -1e9)
        return Categorical(logits=logits), self.value(state).squeeze(1)


@torch.no_grad()
def success_rate(policy: Policy, split, vocabulary) -> float:
    """The share of tasks of a split that the policy fulfils, one for each of many agents."""
    envs = gymnasium.make_vec("helpanna/HANNA-v0", JUDGED, data=split, vocabulary=vocabulary, budget=BUDGET)
    torch.manual_seed(1)
    observation, _ = envs.reset(seed=1)
    running, success = np.ones(JUDGED, dtype=bool), np.zeros(JUDGED, dtype=bool)
    while running.any():
        action = policy(perceive(envs, observation))[0].sample()
        observation, _, terminated, truncated, info = envs.step(action.numpy())
        success |= running & info["success"]
        running &= ~(terminated | truncated)
    return float(success.mean())


def main(steps: int = 60_000, seed: int = 0) -> tuple[float, float]:
    """Trains; returns the success rates before and after."""
    with tempfile.TemporaryDirectory() as folder:
        splits = toy_splits(Path(folder) / "house")
    envs = gymnasium.make_vec("helpanna/HANNA-v0", AGENTS, data=splits["train"], budget=BUDGET)
    vocabulary = envs.unwrapped.vocabulary
    torch.manual_seed(seed)
    policy = Policy(envs.single_observation_space["panorama"].shape[1], len(vocabulary))
    adam = torch.optim.Adam(policy.parameters(), lr=RATE)
    before = success_rate(policy, splits["val_seen"], vocabulary)
    print(f"before training {before:.1%} of other tasks succeed")

    torch.manual_seed(seed)
    observation, _ = envs.reset(seed=seed)
    over = np.zeros(AGENTS, dtype=bool)
    updates = max(1, steps // (AGENTS * HORIZON))
    for update in range(updates):
        # 1. Walk.
        rows, rewards, values, ends, dones = [], [], [], [], []
        for _ in range(HORIZON):
            seen = perceive(envs, observation)
            with torch.no_grad():
                policies, value = policy(seen)
            action = policies.sample()
            # An agent whose episode is over begins the next one, whatever its action: nothing to learn there.
            rows.append((seen, action, policies.log_prob(action), torch.from_numpy(~over)))
            observation, reward, terminated, truncated, _ = envs.step(action.numpy())
            over = terminated | truncated
            rewards.append(REWARD * reward)
            values.append(value.numpy())
            ends.append(terminated)
            dones.append(over)
        with torch.no_grad():
            values.append(policy(perceive(envs, observation))[1].numpy())

        # 2. Generalised advantages; where time ran out, the last observation's value stands for the rest.
        advantages, ahead = np.zeros((HORIZON, AGENTS), dtype=np.float32), np.zeros(AGENTS)
        for t in reversed(range(HORIZON)):
            error = rewards[t] + GAMMA * values[t + 1] * ~ends[t] - values[t]
            advantages[t] = ahead = error + GAMMA * LAMBDA * ~dones[t] * ahead
        advantage = torch.from_numpy(advantages).flatten()
        returns = advantage + torch.from_numpy(np.concatenate(values[:-1]))

        # 3. Learn.
        seen = {key: torch.cat([row[0][key] for row in rows]) for key in rows[0][0]}
        action, old, counts = (torch.cat([row[i] for row in rows]) for i in (1, 2, 3))
        lessons = counts.nonzero().squeeze(1)
        for _ in range(EPOCHS):
            for part in lessons[torch.randperm(len(lessons))].chunk(MINIBATCHES):
                policies, value = policy({key: array[part] for key, array in seen.items()})
                gain = (advantage[part] - advantage[part].mean()) / (advantage[part].std() + 1e-8)
                ratio = (policies.log_prob(action[part]) - old[part]).exp()
                surrogate = torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
                loss = VALUE * (value - returns[part]).pow(2).mean() - surrogate
                loss -= ENTROPY * policies.entropy().mean()
                adam.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
                adam.step()
        if update % max(1, updates // 6) == 0:
            done = (update + 1) * AGENTS * HORIZON
            print(f"{done:7,} steps, reward a step {np.mean(rewards) / REWARD:.2f}")

    after = success_rate(policy, splits["val_seen"], vocabulary)
    print(f"after training {after:.1%} of other tasks succeed")
    return before, after


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=60_000, help="steps of all agents together")
    parser.add_argument("--seed", type=int, default=0)
    main(**vars(parser.parse_args()))
