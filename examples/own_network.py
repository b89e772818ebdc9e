"""Networks of your own: a small GRU agent that learns, is saved, and is evaluated by its folder.

    python examples/own_network.py out/gru

On the command line, called in this folder: `helpanna train --network own_network:GRUNetworks ...`.
"""

import sys
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, cat, log_softmax, nn

import helpanna
from helpanna.agents.networks.protocol import Outputs
from helpanna.agents.senses import ORIENTATION_SIZE, Sight
from helpanna.worlds.annotations import write_annotation_features
from helpanna.worlds.geometry import VIEWS
from helpanna.worlds.sample import sample_atlas


@dataclass(frozen=True)
class GRUConfig:
    """The sizes of the data, and what else you like, with a default; it is stored with the agent."""

    features: int
    vocabulary: int
    hidden: int = 64


State = dict[str, Tensor]  # what B agents remember, a row each


class GRUNetworks(nn.Module):
    """One GRU decides both where to go and whether to request help."""

    Config = GRUConfig

    def __init__(self, config: GRUConfig) -> None:
        super().__init__()
        self.config, size = config, config.hidden
        self.words = nn.EmbeddingBag(config.vocabulary, size, mode="mean", padding_idx=0)
        self.look = nn.Linear(2 * config.features + VIEWS, size)
        self.action = nn.Linear(config.features + ORIENTATION_SIZE, size)
        self.cell = nn.GRUCell(3 * size, size)
        self.query = nn.Linear(2 * size, size)
        self.ask = nn.Linear(size, 2)
        self.reasons = nn.Linear(size, 3)

    def begin(self, agents: int, steps: int) -> State:
        """Nothing is known yet."""
        zero = self.ask.weight.new_zeros(agents, self.config.hidden)
        return {"h": zero, "text": zero, "last": zero}

    def read(self, state: State, rows: Tensor, tokens: Tensor, length: Tensor) -> None:
        """A text is the mean of its words."""
        state["text"] = state["text"].index_copy(0, rows, self.words(tokens))

    def step(self, state: State, sight: Sight) -> Outputs:
        """Looks around, remembers, and scores the actions."""
        seen = torch.relu(self.look(cat([sight.views.mean(1), sight.target.mean(1), sight.similarity], -1)))
        h = state["h"] = self.cell(cat([seen, state["text"], state["last"]], -1), state["h"])
        state["actions"] = torch.tanh(self.action(sight.actions))  # [B, A, H]
        query = self.query(cat([h, state["text"]], -1)).unsqueeze(-1)
        scores = torch.bmm(state["actions"], query).squeeze(-1).masked_fill(~sight.exists, -torch.inf)
        return Outputs(log_softmax(scores, -1), log_softmax(self.ask(h), -1), self.reasons(h))

    def took(self, state: State, asked: Tensor, action: Tensor) -> None:
        """Remembers the last action."""
        state["last"] = state["actions"][torch.arange(len(action)), action]


def main(out: Path) -> float:
    """Builds a small dataset below `out`, trains, evaluates the agent's folder; returns its success rate."""
    helpanna.save_atlas(sample_atlas(3), out / "atlas")
    write_annotation_features(out / "atlas")
    atlas = helpanna.load_atlas(out / "atlas")
    settings = helpanna.BuildSettings(unseen_count=1, sizes={"train": 300, "val_unseen": 50})
    splits = helpanna.build_splits([(atlas, helpanna.make_routes("random", atlas))], None, settings)
    helpanna.save_dataset(out / "dataset", splits, [(atlas, out / "atlas")], 0, settings.paths, {})

    lesson = helpanna.Lesson.of(splits["train"], {"val_unseen": splits["val_unseen"]})
    torch.manual_seed(0)
    networks = GRUNetworks(GRUConfig(lesson.features.size, len(lesson.vocabulary)))
    schedule = helpanna.TrainingSettings(iterations=60, batch_size=32, learning_rate=3e-3, hand_over=80)
    helpanna.Trainer(out / "run", lesson, networks, schedule).train()

    split = splits["val_unseen"]
    for name in ("random_walk", str(out / "run" / "best")):
        agent = helpanna.make_agent(name, split)
        runs = helpanna.run_episodes(split, agent, helpanna.make_assistant("anna", split), range(len(split)))
        success = helpanna.evaluate(split, runs)["success_rate"].value
        print(f"{name}: success rate {success:.0%} of {len(split)} tasks")
    return success


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out/gru"))
