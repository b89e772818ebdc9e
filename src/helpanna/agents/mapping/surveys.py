"""Surveyors: who draws the maps of agents and says what they tell (`survey.py`).

A survey is made anew at every step from the map and from what the places show; nothing else is remembered.
So a decision can be learned from any step of any walk, without the steps before it.
"""

import numpy as np
from numpy.typing import NDArray

from helpanna.agents.mapping.aims import Aims, as_floats
from helpanna.agents.mapping.episode_map import NEVER, EpisodeMap, wrapped
from helpanna.agents.mapping.survey import FAR, Survey
from helpanna.episodes.observation import Observation
from helpanna.episodes.perception import Perception
from helpanna.episodes.trajectory import NO_TARGET
from helpanna.tasks.vocabulary import MAX_WORDS
from helpanna.worlds.words_in_sight import NO_WORD

Bools = NDArray[np.bool_]
Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

FACTS = 27
"""Numbers a place that say where it lies and what happened there; see `_facts`."""
FEWER_FACTS = 25
"""Those of agents that see no target images, but only how much places look like them."""

TO_THE_RIGHT = (2, 12, 15)
"""Those of them that a mirror turns round."""

_NEARLY = 0.9
"""Neighbours may look this much alike; only a place itself looks exactly like its picture."""


class Surveyor:
    """Draws the maps of B agents and surveys them.

    Attributes:
        map: what the agents have seen.

    Args:
        perception: what agents may know.
        features: the view features to look at.
        agents: B.
        words: whether they are told which words name something in sight.
    """

    def __init__(
        self, perception: Perception, features: str | None, agents: int, words: bool = False
    ) -> None:
        self.map = EpisodeMap(agents)
        self._perception, self._features = perception, features
        self._words: dict[str, Ints] = {}
        capacity = self.map.visited.shape[1]
        self._aims = Aims(perception, features, agents, capacity)
        self._looks = np.zeros((agents, capacity, self._aims.look.shape[1]), dtype=np.float32)
        if words:
            perception.word_ids([])  # says so now if the buildings do not tell the words in sight
        read = MAX_WORDS if words else 0
        self._match, self._things = np.zeros((2, agents, capacity, read), dtype=bool)
        self._aim_words = np.zeros((agents, read), dtype=bool)

    def observe(self, observation: Observation, text: NDArray[np.object_]) -> NDArray[np.float64]:
        """The agents look around; gives the ways there are, see `Perception.ways`.

        Args:
            observation: what they are given.
            text: [B] what they read: the words of their instructions.
        """
        ways = self._perception.ways(observation)
        self.map.observe(observation, ways)
        self._make_room()
        agents = np.flatnonzero(observation.active)
        retold = agents[observation.text_changed[agents]]
        aimed = agents[observation.target[agents] != self._aims.target[agents]]
        seen = self._look(agents, observation)
        self._aims.take(aimed, observation)
        self._compare(*_all_places(self.map, aimed))
        self._compare(*seen)
        self._read(*_all_places(self.map, retold), text)
        self._read(*seen, text)
        self._read_aims(np.union1d(retold, aimed), text)
        return ways

    def _look(self, agents: Ints, observation: Observation) -> tuple[Ints, Ints]:
        """What the places here and around look like; gives which they are."""
        views = as_floats(self._perception.views(observation.panorama[agents], self._features))
        candidates = observation.candidates
        here = self.map.here[agents]
        self._looks[agents, here] = views.max(axis=1)
        rows, action = np.nonzero(candidates.mask[agents, 1:])
        who, place = agents[rows], candidates.place[agents[rows], action + 1].astype(np.int64)
        ahead = ~self.map.visited[who, place]
        rows, action, who, place = rows[ahead], action[ahead], who[ahead], place[ahead]
        self._looks[who, place] = views[rows, candidates.view[who, action + 1]]
        return np.concatenate([agents, who]), np.concatenate([here, place])

    def _compare(self, agents: Ints, places: Ints) -> None:
        self._aims.compare(agents, places, self._looks[agents, places], self.map)

    def _read(self, agents: Ints, places: Ints, text: NDArray[np.object_]) -> None:
        """Which words of the instruction are in sight at places."""
        if not self._match.shape[2] or not len(agents):
            return
        ids = np.stack([self._word_ids(words) for words in text[agents]])
        been = self.map.visited[agents, places]
        visited, ahead = (agents[been], places[been]), (agents[~been], places[~been])
        seen, glimpse, view = (
            self.map.panorama[visited],
            self.map.glimpse[ahead],
            self.map.glimpse_view[ahead],
        )
        for table, wanted in ((self._match, ids), (self._things, self._perception.thing_ids(ids))):
            table[visited] = self._perception.words_around(seen, wanted[been])
            table[ahead] = self._perception.words_in_view(glimpse, view, wanted[~been])

    def _read_aims(self, agents: Ints, text: NDArray[np.object_]) -> None:
        """Which words of the instruction are in sight at the target."""
        if not self._match.shape[2] or not len(agents):
            return
        ids = np.stack([self._word_ids(words) for words in text[agents]])
        target = self._aims.target[agents]
        shown = self._perception.words_around(np.maximum(target, 0), ids)
        self._aim_words[agents] = shown & (target != NO_TARGET)[:, None]

    def _named(self, text: NDArray[np.object_]) -> Ints:
        if not self._match.shape[2]:
            return np.zeros((len(text), 2), dtype=np.int64)
        ids = np.stack([self._word_ids(words) for words in text])
        things = self._perception.thing_ids(ids)
        return np.stack([(wanted != NO_WORD).sum(axis=1) for wanted in (ids, things)], axis=1)

    def _word_ids(self, text: str) -> Ints:
        if text not in self._words:
            self._words[text] = self._perception.word_ids([text])[0]
        return self._words[text]

    def survey(self, observation: Observation, text: NDArray[np.object_]) -> Survey:
        """What the agents know now."""
        known = self.map
        width = int(known.count.max(initial=1))
        exists = np.arange(width) < known.count[:, None]
        metres = np.minimum(known.distance[:, :width, :width], np.float32(FAR))
        visited = known.visited[:, :width]
        return Survey(
            here=known.here.copy(),
            exists=exists,
            visited=visited,
            looks=self._looks[:, :width].copy(),
            match=self._match[:, :width].copy(),
            things=self._things[:, :width].copy(),
            named=self._named(text),
            aim=self._aims.look.copy(),
            aim_words=self._aim_words.copy(),
            facts=self._facts(observation, metres) * exists[:, :, None],
            metres=metres,
            text=text,
        )

    def _facts(self, observation: Observation, metres: Floats) -> Floats:
        # Whoever describes the way, an assistant or the task itself: an instruction is followed alike.
        follows = observation.on_route | self._perception.instructs
        return _facts(self.map, observation, metres, self._aims, follows)

    def _make_room(self) -> None:
        missing = self.map.visited.shape[1] - self._looks.shape[1]
        if missing:
            self._aims.make_room(missing)
            for name in ("_looks", "_match", "_things"):
                table = getattr(self, name)
                setattr(self, name, np.pad(table, [(0, 0), (0, missing), *[(0, 0)] * (table.ndim - 2)]))


def _all_places(known: EpisodeMap, agents: Ints) -> tuple[Ints, Ints]:
    """All places that these agents know, agent by agent."""
    rows, places = np.nonzero(np.arange(known.visited.shape[1]) < known.count[agents, None])
    return agents[rows], places


def _facts(known: EpisodeMap, observation: Observation, metres: Floats, aims: Aims, follows: Bools) -> Floats:
    """[B, P, 27] where each place lies, seen from here and from where the instruction was given.

    `follows` [B] says whose instruction describes a way.
    """
    agents, width = np.arange(len(known)), metres.shape[1]
    position, visited = known.position[:, :width], known.visited[:, :width]
    here, start, step = known.here, known.task_start, observation.step
    is_here = np.arange(width) == here[:, None]
    away, ahead = _offset(position, here, known.heading)
    task_away, task_ahead = _offset(position, start, known.task_heading)
    task_visit = known.task_visit[:, :width]
    in_task = task_visit != NEVER
    turn = known.turn[:, :width] * ~visited
    likeness, aligned = aims.likeness[:, :width], aims.aligned[:, :width]
    everywhere = np.ones((len(known), width), dtype=np.float32)
    columns = (
        metres[agents, here] / 10,
        np.minimum(metres[agents, here], 3) / 3,
        np.sin(ahead) * ~is_here,
        np.cos(ahead) * ~is_here,
        away[..., 2] / 3,
        is_here,
        visited,
        (step - known.last_visit[:, :width]) / 20 * visited,
        in_task,
        (task_visit - known.task_step[:, None]) / 10 * in_task,
        np.minimum(known.task_visits[:, :width], 4) / 4,
        metres[agents, start] / 10,
        np.hypot(task_away[..., 0], task_away[..., 1]) / 10 * np.sin(task_ahead),
        np.hypot(task_away[..., 0], task_away[..., 1]) / 10 * np.cos(task_ahead),
        task_away[..., 2] / 3,
        np.sin(turn) * ~visited,
        np.cos(turn) * ~visited,
        (known.glimpse_from[:, :width] == here[:, None]) & ~visited,
        known.asked[:, :width],
        likeness,
        likeness * visited,
        np.maximum(likeness - _NEARLY, 0) / (1 - _NEARLY) * visited,
        (observation.target >= 0)[:, None] * everywhere,
        follows[:, None] * everywhere,
        np.minimum((step - known.task_step)[:, None] / 10, 3) * everywhere,
        aligned * visited,
        aligned * ~visited,
    )
    return np.stack([column.astype(np.float32) for column in columns], axis=-1)


def _offset(position: Floats, place: Ints, heading: Floats) -> tuple[Floats, Floats]:
    """[B, P, 3] metres from one place to all, and [B, P] how far to turn towards them."""
    away = position - position[np.arange(len(place)), place][:, None]
    return away, wrapped(np.arctan2(away[..., 0], away[..., 1]) - heading[:, None])
