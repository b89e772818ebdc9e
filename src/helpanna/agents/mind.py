"""Networks at work: B agents that perceive, read what is new to them, and decide."""

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from helpanna.agents.habits import Habits
from helpanna.agents.mirror import Mirror
from helpanna.agents.networks.protocol import Networks, Outputs
from helpanna.agents.networks.states import can_part, join, select
from helpanna.agents.patience import Patience
from helpanna.agents.senses import Ints, Senses, Targets
from helpanna.agents.veil import Veil
from helpanna.episodes.observation import NO_PLACE, Observation
from helpanna.episodes.trajectory import NO_TARGET
from helpanna.tasks.vocabulary import MAX_WORDS
from helpanna.worlds.words_in_sight import NO_WORD

Bools = NDArray[np.bool_]


class Mind:
    """B agents side by side, from the first step of their episodes to the last.

    Attributes:
        networks: what they think with.
        senses: what they perceive with.
        habits: what they read and see of the help, and where they request it.
        veil: what they cannot see, in training.
        mirror: who of them sees left as right, in training.
    """

    def __init__(
        self,
        networks: Networks,
        senses: Senses,
        agents: int,
        steps: int,
        habits: Habits | None = None,
        veil: Veil | None = None,
        mirror: Mirror | None = None,
    ) -> None:
        self.networks, self.senses = networks, senses
        self.habits, self.veil, self.mirror = habits or Habits(), veil, mirror
        self._state: Any = networks.begin(agents, steps)
        self._last: Observation | None = None
        self._patience = Patience(self.habits.patience)
        self._targets = Targets()
        self._asked_at: list[NDArray[np.int32]] = []
        looks_for_words = getattr(networks.config, "words_in_sight", False)
        self._word_ids = np.full((agents, MAX_WORDS), NO_WORD, dtype=np.int64) if looks_for_words else None

    def think(self, observation: Observation) -> Outputs:
        """Reads what is new, looks around, and weighs what to do."""
        if self._last is not None:
            asked, action = what_was_done(self._last, observation)
            self._asked_at.append(np.where(asked, self._last.place, NO_PLACE))
            device = self.senses.device
            self.networks.took(
                self._state, torch.from_numpy(asked).to(device), torch.from_numpy(action).to(device)
            )
        self._last = observation
        self._patience.see(observation)
        new = np.flatnonzero(observation.text_changed)
        if len(new):
            rows = torch.from_numpy(new).to(self.senses.device)
            texts = what_is_read(observation, self.habits.language)[new].tolist()
            if self.mirror is not None:
                texts = self.mirror.texts(new, texts)
            self.networks.read(self._state, rows, *self.senses.tokens(texts))
            if self._word_ids is not None:
                ids = self.senses.perception.word_ids(texts)
                self._word_ids[new] = ids if self.veil is None else self.veil.words(new, ids)
        if not self.habits.picture:
            observation = replace(observation, target=np.full_like(observation.target, NO_TARGET))
        sight = self.senses.perceive(observation, self._word_ids, self.veil, self._targets)
        if self.mirror is not None:
            sight = self.mirror.sight(sight)
        return self.networks.step(self._state, sight)

    @property
    def can_part(self) -> bool:
        """Whether agents can leave it, and several minds become one: whether the networks' state can."""
        return can_part(self._state)

    def select(self, rows: Ints) -> "Mind":
        """A mind of these agents only, which goes on from here."""
        chosen = copy(self)
        chosen._state = select(self._state, torch.from_numpy(rows).to(self.senses.device))
        chosen._last = None if self._last is None else self._last.select(rows)
        chosen._asked_at = [place[rows] for place in self._asked_at]
        chosen._word_ids = None if self._word_ids is None else self._word_ids[rows]
        chosen._patience = self._patience.select(rows)
        chosen._targets = Targets()
        chosen.veil = None if self.veil is None else self.veil.select(rows)
        chosen.mirror = None if self.mirror is None else self.mirror.select(rows)
        return chosen

    @staticmethod
    def join(minds: "Sequence[Mind]") -> "Mind":
        """One mind of all agents of some minds, which have thought equally often; for acting."""
        joined = copy(minds[0])
        joined._state = join([mind._state for mind in minds])
        joined._last = Observation.join([mind._last for mind in minds if mind._last is not None])
        joined._asked_at = [
            np.concatenate(places) for places in zip(*(m._asked_at for m in minds), strict=True)
        ]
        if joined._word_ids is not None:
            joined._word_ids = np.concatenate([m._word_ids for m in minds if m._word_ids is not None])
        joined._patience = Patience.join([mind._patience for mind in minds])
        joined._targets = Targets()
        return joined

    def may_ask(self, observation: Observation) -> Bools:
        """[B] whether the agents may request help.

        Where it can be requested; if they are to ask only once at a place, not where they did; and on a route
        not before they have tried it.
        """
        may = observation.can_ask & ~self._patience.waits(observation)
        if not self.habits.ask_once or not self._asked_at:
            return may
        asked_here = (np.stack(self._asked_at) == observation.place).any(axis=0)
        return may & ~asked_here


def what_is_read(observation: Observation, language: bool) -> NDArray[np.object_]:
    """[B] the words agents read; without language nothing on routes, where help is the target image only."""
    return observation.words if language else np.where(observation.on_route, "", observation.words)


def what_was_done(before: Observation, after: Observation) -> tuple[Bools, Ints]:
    """[B] whether the agents requested help, and [B] their navigation actions (0 where they did).

    It is read off what they see next, not off what they decided: somebody else may have decided for them, an
    ask policy or the teacher. Who is given an instruction, and is on a route then or was on none before, has
    requested it; who is at another place has walked there; who stays and is told nothing new has requested
    help and got no answer; who did none of this has stopped.
    """
    stayed = (after.place == before.place) & after.active
    asked = np.where(after.text_changed, after.on_route | ~before.on_route, stayed)
    went = before.candidates.place == after.place[:, None]
    went[:, 0] = False
    return asked, np.where(asked, 0, np.argmax(went, axis=1))
