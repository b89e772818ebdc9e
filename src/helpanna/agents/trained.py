"""Which agent acts with which networks."""

from typing import Any

import torch

from helpanna.agents.habits import Habits
from helpanna.agents.learned import LearnedAgent
from helpanna.agents.mapping.agent import MapAgent
from helpanna.agents.mapping.network import MapNetwork
from helpanna.tasks.vocabulary import Vocabulary

TrainedAgent = LearnedAgent | MapAgent


def agent_with(
    networks: Any,
    vocabulary: Vocabulary,
    space: dict[str, Any],
    device: torch.device | None = None,
    habits: Habits | None = None,
) -> TrainedAgent:
    """The agent that acts with these networks; see `LearnedAgent`."""
    made = MapAgent if isinstance(networks, MapNetwork) else LearnedAgent
    return made(networks, vocabulary, space, device, habits)
