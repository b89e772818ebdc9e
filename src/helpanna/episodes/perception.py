"""What an agent may know of a split beside its observations: what it sees."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helpanna.episodes.observation import Observation
from helpanna.errors import InputError
from helpanna.tasks.goals import NO_TYPE
from helpanna.tasks.kinds import REVERIE
from helpanna.tasks.references import NOTHING
from helpanna.tasks.split import Split
from helpanna.tasks.vocabulary import MAX_WORDS
from helpanna.tasks.words import words
from helpanna.worlds.panoramas import Picture
from helpanna.worlds.words_in_sight import NO_WORD, WordsInSight

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Perception:
    """The senses that a split offers its agents; the map, the goals and all distances stay hidden.

    Agents are handed this and observations, so they are honest by construction. Two perceptions of one split
    are equal: an agent may keep what it made of the first.
    """

    _split: Split = field(repr=False)

    @property
    def feature_spaces(self) -> Mapping[str, Mapping[str, Any]]:
        """The names of the view features there are, and what the numbers of each mean (`ViewFeatures`)."""
        return {name: features.space for name, features in self._split.atlas.views.features.items()}

    def views(self, panorama: Ints, features: str | None = None) -> NDArray[np.float16]:
        """[B, 36, D] the view features of panoramas, zeros where there is none (-1).

        Args:
            panorama: [B] handles: `Observation.panorama` or `Observation.target`.
            features: their name; without a name, the only ones there are.
        """
        array = self._split.atlas.views.get(features).array
        seen = array[np.maximum(panorama, 0)]
        missing = panorama < 0
        if missing.any():
            seen[missing] = 0
        return seen

    def word_ids(self, texts: Sequence[str]) -> Ints:
        """[texts, 50] for each text its words, as `words_in_sight` knows them; -1 for all others.

        Places are those of `Vocabulary.tokens`.
        """
        known = self._words()
        table = np.full((len(texts), MAX_WORDS), NO_WORD, dtype=np.int64)
        for row, text in enumerate(texts):
            ids = known.ids(words(text)[:MAX_WORDS])
            table[row, : len(ids)] = ids
        return table

    def thing_ids(self, ids: Ints) -> Ints:
        """Words of `word_ids` as names of annotated objects alone; -1 where no object is called so."""
        return self._words().thing_ids(ids)

    def words_in_sight(self, panorama: Ints, ids: Ints) -> Bools:
        """[B, 36, L] whether each view of B panoramas shows what each of the words [B, L] names.

        Args:
            panorama: [B] handles.
            ids: [B, L] words: rows of `word_ids` or `thing_ids`, perhaps cut off.
        """
        return self._words().match(panorama, ids)

    def words_in_view(self, panorama: Ints, view: Ints, ids: Ints) -> Bools:
        """[B, L] the same for one view [B] of each panorama."""
        return self._words().match_view(panorama, view, ids)

    def words_around(self, panorama: Ints, ids: Ints) -> Bools:
        """[B, L] the same for all views of a panorama together: whether any shows what a word names."""
        return self._words().match_anywhere(panorama, ids)

    def _words(self) -> WordsInSight:
        known = self._split.atlas.views.words
        if known is None:
            raise InputError("the atlas has no words in sight; add them with `helpanna worlds add words`.")
        return known

    def picture(self, panorama: int, view: int) -> Picture:
        """The picture [480, 640, 3] in RGB of one of the 36 views of a panorama, where there are pictures."""
        return self._split.atlas.views.render_view(panorama, view)

    def ways(self, observation: Observation) -> NDArray[np.float64]:
        """[B, A, 3] how far away each navigation action leads, as the agent sees it: metres east, north, up.

        Zero for stop and where there is no action.
        """
        position, here = self._split.atlas.position, observation.panorama
        there = self._split.atlas.action_location[here, observation.view]
        return position[np.where(observation.candidates.mask, there, here[:, None])] - position[here][:, None]

    def in_sight(self, observation: Observation) -> Bools:
        """[B] whether an object of the requested type is in sight from here: exact recognition."""
        if self.points:
            return self.sought(observation) != NOTHING
        goal_set = self._split.goal_set[observation.task]
        return self._in_sight[self._split.goal_sets.block[goal_set] + observation.panorama]

    @property
    def instructs(self) -> bool:
        """Whether what is asked describes the way, as an assistant's instruction on a route does."""
        return self._split.kind.instruction

    @property
    def points(self) -> bool:
        """Whether agents are to name an object: its handle is the note "object" of their last decision."""
        return self._split.kind is REVERIE

    def things(self, panorama: Ints) -> Ints:
        """[B, K] handles of the objects in sight, -1 after the last of each row."""
        start = self._sighting_start
        count = start[panorama + 1] - start[panorama]
        column = np.arange(int(count.max(initial=0)))
        there = column < count[:, None]
        row = np.where(there, start[panorama][:, None] + column, 0)
        if not len(self._split.atlas.sighting):
            return np.full(there.shape, NOTHING, dtype=np.int64)
        return np.where(there, self._split.atlas.sighting[row, 1], NOTHING).astype(np.int64)

    def thing_name(self, thing: int) -> str:
        """What an object is: the name of its type."""
        return self._split.atlas.type_names[self._split.atlas.object_type[thing]]

    def sought(self, observation: Observation) -> Ints:
        """[B] the handle of the object that is asked for, -1 where it is not in sight: exact recognition."""
        if self._split.references is None:
            return np.full(len(observation.task), NOTHING, dtype=np.int64)
        thing = self._split.references.thing[observation.task].astype(np.int64)
        seen = (self.things(observation.panorama) == thing[:, None]).any(axis=1)
        return np.where(seen & (thing != NOTHING), thing, NOTHING)

    def at_target(self, observation: Observation) -> Bools:
        """[B] whether the agent stands where the target image was taken: exact recognition."""
        return observation.panorama == observation.target

    def pair_index(self, panorama: Ints, target: Ints) -> Ints:
        """A number below `pair_count` for each pair of panoramas of one building, to remember results by."""
        return self._split.atlas.pair_index(panorama, target)

    @property
    def pair_count(self) -> int:
        """How many pairs of panoramas there are."""
        return len(self._split.atlas.distance)

    @cached_property
    def _sighting_start(self) -> Ints:
        """[N + 1] where the sightings of each location begin: they are sorted by location."""
        atlas = self._split.atlas
        return np.searchsorted(atlas.sighting[:, 0], np.arange(atlas.location_count + 1))

    @cached_property
    def _in_sight(self) -> Bools:
        """For (goal set g, location v), at `goal_sets.block[g] + v`: whether v sees what is sought.

        That is an object of g's type whose delegate location is one of g's goals.
        """
        atlas, goals = self._split.atlas, self._split.goal_sets
        in_sight = np.zeros(len(goals.distance), dtype=bool)
        typed = np.flatnonzero(goals.object_type != NO_TYPE)
        if not len(typed):
            return in_sight
        sizes = [len(goals.members[g]) for g in typed]
        owner = np.repeat(typed, sizes)
        members = np.concatenate([goals.members[g] for g in typed])
        key = goals.object_type[owner].astype(np.int64) * atlas.location_count + members
        order = np.argsort(key, kind="stable")
        key, owner = key[order], owner[order]
        location, item = atlas.sighting.T
        seen = atlas.object_type[item].astype(np.int64) * atlas.location_count + atlas.delegate[item]
        place = np.minimum(np.searchsorted(key, seen), len(key) - 1)
        sought = key[place] == seen
        in_sight[goals.block[owner[place[sought]]] + location[sought]] = True
        return in_sight
