"""Annotation: a guide describes a route in words, a follower proves that the words lead there.

Routes are those of Lemma 1, random ones, or drawn on the map. As RxR was collected: whether other people
arrive is the quality of an instruction.
"""

import time
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from helpanna.assistance.route_systems import INSTRUCTIONS, start_view, system_paths
from helpanna.errors import InputError
from helpanna.narration.landmarks import Landmarks
from helpanna.narration.surroundings import surroundings_of
from helpanna.tasks.vocabulary import MAX_WORDS
from helpanna.tasks.words import words
from helpanna.viewer.assist import checked_name, checked_text
from helpanna.viewer.library import NotThereError
from helpanna.viewer.play import Games
from helpanna.viewer.store import GameRow, InstructionRow
from helpanna.worlds.atlas import Atlas
from helpanna.worlds.geometry import angles, view_elevation, view_heading

How = Literal["lemma", "random", "drawn"]
System = Literal["lemma", "random"]

LONGEST_PATH = 50
_FEW_WORDS = 5
_ALIKE = 0.9
"""Texts of which this share of the words is the same, in order, are duplicates."""
_COMPARED = 2000
"""With how many other instructions of the building a new one is compared: the latest."""
_TAKEN_SECONDS = 900.0
"""For this long, a route that was handed to a guide is counted as described."""

Path = Sequence[int]
"""Places of a building, counted from its first location."""


class Annotation:
    """What guides and followers do.

    Attributes:
        games: of the page; the store with what was written is theirs.
    """

    def __init__(self, games: Games) -> None:
        self.games, self.store = games, games.store
        self._paths = lru_cache(maxsize=256)(self._make_paths)
        self._landmarks = lru_cache(maxsize=32)(self._make_landmarks)
        self._handed: dict[tuple[str, tuple[str, ...]], tuple[str, float]] = {}

    def buildings(self, source: int) -> dict[str, Any]:
        """The buildings of a source, how many routes Lemma 1 needs in each, and what was written of them."""
        atlas = self._atlas(source)
        written = [row for row in self.store.instructions() if row.scan in atlas.world_names]
        count = Counter(row.scan for row in written)
        return {
            "buildings": [[name, count[name]] for name in atlas.world_names],
            "instructions": [
                {
                    "id": row.id,
                    "building": row.scan,
                    "places": len(row.path),
                    "text": row.text,
                    "guide": row.guide,
                    "how": row.how,
                    "followed": row.followed,
                    "arrived": row.arrived,
                }
                for row in reversed(written)
            ],
        }

    def next_route(self, source: int, building: str, how: System, guide: str) -> dict[str, Any]:
        """A route for this guide: one that they have not described, and few others have."""
        atlas, guide = self._atlas(source), checked_name(guide)
        paths = self._paths(source, self._world(atlas, building), how)
        first = atlas.locations(atlas.world_id(building)).start
        described, mine = Counter[tuple[str, ...]](), set[tuple[str, ...]]()
        for row in self.store.instructions(building):
            described[row.path] += 1
            if row.guide == guide:
                mine.add(row.path)
        now = time.monotonic()
        self._handed = {key: one for key, one in self._handed.items() if one[1] > now}
        for (scan, path), (other, _) in self._handed.items():
            if scan == building and other != guide:
                described[path] += 1
        left = [path for path in paths if _names(atlas, path) not in mine]
        if not left:
            raise InputError("you have described all of these routes; choose another building or kind.")
        chosen = min(left, key=lambda path: described[_names(atlas, path)])  # all once, then all twice
        self._handed[building, _names(atlas, chosen)] = guide, now + _TAKEN_SECONDS
        wanted = sum(min(described[_names(atlas, path)], INSTRUCTIONS) for path in paths)
        return {
            "path": [place - first for place in chosen],
            "routes": len(paths),
            "described": wanted,
            "wanted": INSTRUCTIONS * len(paths),
        }

    def drawn(self, source: int, building: str, places: Path) -> dict[str, Any]:
        """The route through the places that somebody clicked, by the shortest ways between them."""
        atlas = self._atlas(source)
        ids = self._ids(atlas, building, places)
        path = ids[:1]
        for start, end in pairwise(ids):
            if not np.isfinite(atlas.distances(start, end)):
                raise InputError("no way leads there; choose another place.")
            path += atlas.path(start, end)[1:]
        if len(path) > LONGEST_PATH:
            raise InputError(f"a route has at most {LONGEST_PATH} places; draw a shorter one.")
        first = atlas.locations(atlas.world_id(building)).start
        return {"path": [place - first for place in path]}

    def walk(self, source: int, building: str, path: Path) -> dict[str, Any]:
        """A route, place by place, for the page to walk it.

        Returns:
            path: the places; first: the location id of the building's place 0.
            steps: of each place the direction in which one goes on: [heading, elevation, metres]; at the end
                the one in which one came.
            heading, elevation: where the camera looks at the start.
        """
        atlas = self._atlas(source)
        ids = self._route(atlas, building, path)
        offset = np.diff(atlas.position[ids], axis=0)
        heading, elevation = angles(offset)
        metres = np.linalg.norm(offset, axis=1)
        steps = [
            [round(float(h), 4), round(float(e), 4), round(float(m), 2)]
            for h, e, m in zip(heading, elevation, metres, strict=True)
        ]
        view = start_view(atlas, ids)
        return {
            "path": list(path),
            "first": atlas.locations(atlas.world_id(building)).start,
            "steps": [*steps, [steps[-1][0], 0.0, 0.0]],
            "metres": round(float(metres.sum()), 1),
            "heading": round(float(view_heading(view)), 4),
            "elevation": round(float(view_elevation(view)), 4),
            "pictures": atlas.views.has_panoramas,
        }

    def advice(self, source: int, building: str, path: Path, text: str) -> dict[str, Any]:
        """What a guide might want to change."""
        atlas = self._atlas(source)
        self._route(atlas, building, path)
        said = words(text)
        found = []
        if 0 < len(said) < _FEW_WORDS:
            found.append("These are few words: say where to turn, and where to stop.")
        if len(said) > MAX_WORDS:
            found.append(f"Agents read the first {MAX_WORDS} words only.")
        unseen = self._landmarks(source, self._world(atlas, building)).not_in_sight(path, text)
        if unseen:
            found.append(f"Perhaps not in sight along the route: {', '.join(unseen)}.")
        if said and self._duplicate(building, said):
            found.append("Somebody has written nearly the same in this building: say what is special here.")
        return {"words": len(said), "advice": found}

    def write(self, source: int, building: str, path: Path, how: How, guide: str, text: str) -> int:
        """Stores an instruction; its number. It is on disk when this returns."""
        atlas = self._atlas(source)
        ids = self._route(atlas, building, path)
        guide, text = checked_name(guide), checked_text(text)
        names = _names(atlas, ids)
        for row in self.store.instructions(building):
            if row.path == names and row.guide != guide and words(row.text) == words(text):
                raise InputError("somebody has written the same of this route; use words of your own.")
        view = start_view(atlas, ids)
        self._handed.pop((building, names), None)
        return self.store.add_instruction(InstructionRow(0, building, names, view, text, guide, how))

    def follow(self, source: int, follower: str) -> GameRow:
        """Begins to follow an instruction that somebody else wrote: one that few have followed."""
        atlas, follower = self._atlas(source), checked_name(follower)
        done = self.store.followed_by(follower)
        left = [
            row
            for row in self.store.instructions()
            if row.scan in atlas.world_names
            and row.guide.casefold() != follower.casefold()
            and row.id not in done
        ]
        if not left:
            raise InputError("there is nothing that somebody else has written and you have not followed yet.")
        return self.games.follow(source, min(left, key=lambda row: row.followed), follower)

    def _duplicate(self, building: str, said: list[str]) -> bool:
        match = SequenceMatcher(b=said, autojunk=False)
        for row in self.store.instructions(building)[-_COMPARED:]:
            match.set_seq1(words(row.text))
            # The first two are upper bounds that cost little.
            if min(match.real_quick_ratio(), match.quick_ratio()) >= _ALIKE <= match.ratio():
                return True
        return False

    def _atlas(self, source: int) -> Atlas:
        return self.games.library.source(source).split.atlas

    def _world(self, atlas: Atlas, building: str) -> int:
        if building not in atlas.world_names:
            raise NotThereError
        return atlas.world_id(building)

    def _ids(self, atlas: Atlas, building: str, places: Path) -> list[int]:
        ids = atlas.locations(self._world(atlas, building))
        if not 2 <= len(places) <= LONGEST_PATH or not all(0 <= place < len(ids) for place in places):
            raise InputError("a route goes through two places of the building or more.")
        return [ids[place] for place in places]

    def _route(self, atlas: Atlas, building: str, path: Path) -> list[int]:
        ids = self._ids(atlas, building, path)
        for here, there in pairwise(ids):
            if there not in atlas.action_location[here, 0, 1:]:
                raise InputError("one cannot walk this route.")
        return ids

    def _make_paths(self, source: int, world: int, how: System) -> list[list[int]]:
        return system_paths(how, self._atlas(source), world)

    def _make_landmarks(self, source: int, world: int) -> Landmarks:
        return Landmarks(surroundings_of(self._atlas(source), world))


def _names(atlas: Atlas, path: Sequence[int]) -> tuple[str, ...]:
    return tuple(atlas.location_names[place] for place in path)
