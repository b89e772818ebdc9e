"""The agent with a map at work: it walks to the place that its network prefers, one edge a time step.

At every step it chooses again among all places it knows, so it may change its mind on the way.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helpanna.agents.agent import Decision
from helpanna.agents.habits import Habits
from helpanna.agents.learned import NetworkAgent, features_in_space, one_thread
from helpanna.agents.mapping.choosing import Chooser, Preferences
from helpanna.agents.mapping.episode_map import EpisodeMap
from helpanna.agents.mapping.network import MapNetwork
from helpanna.agents.mapping.survey import Survey
from helpanna.agents.mapping.surveys import Surveyor
from helpanna.agents.mind import what_is_read, what_was_done
from helpanna.agents.patience import Patience
from helpanna.agents.pointing import Pointing
from helpanna.agents.thoughts import KnownPlaces, Thoughts
from helpanna.episodes.observation import Observation
from helpanna.episodes.perception import Perception
from helpanna.episodes.trajectory import NO_TARGET

Bools = NDArray[np.bool_]
Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


class MapAgent(NetworkAgent[MapNetwork]):
    """Goes where its network would rather be, and stops where it would rather be already."""

    def begin(self, perception: Perception, tasks: Ints) -> None:
        """A batch begins with empty maps."""
        self._chooser = Chooser(self.networks, self.vocabulary, self.device)
        self._pointing = Pointing(perception)
        features, words = features_in_space(perception, self.space), self.networks.config.words_in_sight
        self.walkers = Walkers(perception, features, len(tasks), self.habits, words)

    def act(self, observation: Observation) -> Decision:
        """Greedy decisions; rows of finished episodes mean nothing."""
        survey = self.walkers.look(observation)
        with one_thread():
            found = self._chooser.choose(survey, observation.active)
        action = self.walkers.action_towards(found.log_place.argmax(axis=1), observation)
        if self.hear is not None:
            self.hear(self._thoughts(found, observation))
        actions = None if self.habits.set_above is None else self._by_action(found, observation)
        ask = self.habits.wants_help(found.ask, actions) & self.walkers.may_ask(observation)
        return Decision(
            ask=ask, action=action, notes=notes_of(found, action) | self._pointing.notes(observation)
        )

    def _by_action(self, found: Preferences, observation: Observation) -> Floats:
        """[B, A] the probability of each action: of all places to which it leads."""
        known, agents = self.walkers.known, np.arange(len(found.ask))
        actions = np.zeros(observation.candidates.mask.shape, dtype=np.float32)
        for place, preference in enumerate(np.exp(found.log_place).T):
            there = np.where(place < known.count, place, known.here)
            actions[agents, self.walkers.action_towards(there, observation)] += preference
        return actions

    def _thoughts(self, found: Preferences, observation: Observation) -> Thoughts:
        """What the agents prefer, by place and by the action that leads there."""
        known = self.walkers.known
        places = np.arange(known.visited.shape[1])
        return Thoughts(
            actions=self._by_action(found, observation),
            ask=found.ask,
            reasons=found.reasons,
            attention=found.attention,
            known=KnownPlaces(
                exists=places < known.count[:, None],
                visited=known.visited,
                asked=known.asked.copy(),
                preference=np.exp(found.log_place),
            ),
        )


class Walkers:
    """B agents on their walks: what they know, and how they walk to a place they know."""

    def __init__(
        self, perception: Perception, features: str, agents: int, habits: Habits, words: bool
    ) -> None:
        self._surveyor = Surveyor(perception, features, agents, words)
        self._habits = habits
        self._patience = Patience(habits.patience)
        self._last: Observation | None = None

    def look(self, observation: Observation) -> Survey:
        """The agents look around and read what is new."""
        if self._last is not None:
            asked, _ = what_was_done(self._last, observation)
            self.known.note_requests(asked & self._last.active)
        self._last = observation
        self._patience.see(observation)
        text = what_is_read(observation, self._habits.language)
        if not self._habits.picture:
            observation = replace(observation, target=np.full_like(observation.target, NO_TARGET))
        self._ways = self._surveyor.observe(observation, text)
        return self._surveyor.survey(observation, text)

    @property
    def known(self) -> EpisodeMap:
        """Their maps."""
        return self._surveyor.map

    def action_towards(self, place: Ints, observation: Observation) -> Ints:
        """[B] the navigation action on the way to a known place; stop where the agent stands."""
        known = self.known
        return known.action_towards(np.where(observation.active, place, known.here), observation, self._ways)

    def may_ask(self, observation: Observation) -> Bools:
        """[B] whether the agents may request help, see `Mind.may_ask`."""
        may = observation.can_ask & ~self._patience.waits(observation)
        if not self._habits.ask_once:
            return may
        known = self.known
        return may & ~known.asked[np.arange(len(known)), known.here]


def notes_of(found: Preferences, action: Ints) -> dict[str, NDArray[Any]]:
    """What agents write down of themselves, see `Trajectories`."""
    return {"entropy": found.entropy, "guess": action, "reasons": found.reasons}
