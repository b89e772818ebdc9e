"""What an instruction names, and whether it is in sight of the walk: help for people who write."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from helpanna.narration.lexicon import HEADS, ROOMS, SYNONYMS, UNTOLD_HEADS
from helpanna.narration.nouns import head, names_of, room_names
from helpanna.narration.surroundings import Surroundings
from helpanna.worlds.content_words import content_words

Name = tuple[str, ...]
"""The stems of the words of a name: ("dining", "table")."""

_AMBIGUOUS = frozenset({
    "bar", "entrance", "entryway", "light", "platform", "rail", "room", "scale", "shade", "sign", "stairs",
    "switch",
})  # fmt: skip
"""Names that are other words as well: "the light room", "scale the stairs", any doorway is an entrance."""
_COMMON = (
    "aquarium", "attic", "balcony", "basement", "bookcase", "chandelier", "closet", "elevator", "garage",
    "garden", "library", "pantry", "patio", "piano", "pool", "porch", "sauna", "theater",
)  # fmt: skip
"""What people also find their way by."""


@dataclass(frozen=True)
class Landmarks:
    """What one could name in a building; make it once for many instructions.

    Attributes:
        around: the building.
    """

    around: Surroundings

    def not_in_sight(self, path: Sequence[int], text: str) -> list[str]:
        """The things and rooms that a text names and that nobody sees who walks this path, each once.

        Only names that the narrators' lexicon or the building knows are looked at. A thing is in sight if a
        location of the path sees one that may be called so, or if a caption there has the word. A room is if
        one walks in it or past it.

        Args:
            path: locations of the building.
            text: the instruction.
        """
        seen = self._seen(path)
        said = content_words(text)
        missing: dict[str, None] = {}
        at = 0
        while at < len(said):
            length = next((n for n in (3, 2, 1) if tuple(said[at : at + n]) in self._known), 0)
            name = tuple(said[at : at + length])
            if length and name not in seen and name[-1:] not in seen:
                missing[" ".join(name)] = None
            at += max(length, 1)
        return list(missing)

    @cached_property
    def _known(self) -> frozenset[Name]:
        """All names that stand for something one could see."""
        here = chain.from_iterable(map(names_of, set(self.around.world.object_types)))
        named = chain(SYNONYMS, *SYNONYMS.values(), HEADS, here)
        things = {name for name in named if head(name) not in UNTOLD_HEADS}
        rooms = chain(*ROOMS.values(), *map(room_names, set(self.around.kinds)))
        return frozenset(_stems(chain(things, rooms, _COMMON)) - _stems(_AMBIGUOUS) - {()})

    def _seen(self, path: Sequence[int]) -> set[Name]:
        """The names of what is in sight along the path."""
        around = self.around
        things = {around.world.object_types[thing] for place in path for thing in around.seen[place]}
        near = {place for step in path for place in (step, *around.neighbours[step])}
        kinds = {around.kinds[around.room[place]] for place in near if around.room[place] >= 0}
        names = chain(*map(names_of, things), things, *map(room_names, kinds))
        seen = set(_stems(names))
        if around.captions is not None:
            for place in path:
                said = content_words(" ".join(chain.from_iterable(around.captions[place])))
                seen |= {tuple(said[i : i + n]) for n in (1, 2, 3) for i in range(len(said) - n + 1)}
        return seen


def _stems(names: Iterable[str]) -> set[Name]:
    return {tuple(content_words(name)) for name in names}
