"""Captions of views that nobody has captioned: what annotations know of them, said as of a photograph.

"a bedroom with a bed and a nightstand": the room, and the two things that fill most of what one looks at. So
generated houses, and buildings of your own, can be seen in the words in which real photographs are captioned,
by agents that have learned from those.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from helpanna.narration.nouns import is_plural, names_of, with_article
from helpanna.worlds.captions import CAPTION_HEADINGS
from helpanna.worlds.geometry import ELEVATIONS, direction
from helpanna.worlds.room_kinds import room_kinds
from helpanna.worlds.storage import load_atlas, write_captions
from helpanna.worlds.world import World

Panorama = tuple[tuple[str, ...], ...]
"""[3][8]: the captions of one location by elevation, from below, and heading."""

_LOOK = np.cos(np.radians(35))
"""What is further from the middle of a view is not spoken of."""
_THINGS = 2
_NEAR = 0.5
"""Metres: what is nearer looks no larger."""


def described_views(world: World) -> list[Panorama]:
    """What can be said of every location of a building."""
    kinds = room_kinds(world)
    rooms = [kinds[room] if room >= 0 else "" for room in world.room_of.tolist()]
    seen, ways = _seen(world), _ways(world)
    return [_described(world, at, rooms, seen[at], ways[at]) for at in range(world.location_count)]


def write_described(folder: Path) -> int:
    """Adds captions of all views to an atlas on disk; how many there are."""
    atlas = load_atlas(folder)
    write_captions(
        folder, [said for w in range(atlas.world_count) for said in described_views(atlas.world(w))]
    )
    return atlas.location_count * len(_MIDDLES)


def _seen(world: World) -> list[list[int]]:
    """The things that each location sees."""
    seen: list[list[int]] = [[] for _ in range(world.location_count)]
    for location, thing in world.sightings.tolist():
        seen[location].append(thing)
    return seen


def _ways(world: World) -> list[list[int]]:
    """The locations to which ways lead from each location."""
    ways: list[list[int]] = [[] for _ in range(world.location_count)]
    for one, other in world.edges.tolist():
        ways[one].append(other)
        ways[other].append(one)
    return ways


def _described(world: World, at: int, rooms: list[str], seen: list[int], ways: list[int]) -> Panorama:
    eye = world.positions[at]
    apart = world.object_positions[seen] - eye
    metres = np.maximum(np.linalg.norm(apart, axis=-1), _NEAR)
    middle = _towards(apart / metres[:, None])
    fills = np.where(middle > _LOOK, middle * (world.object_radii[seen] / metres), 0)
    leads = world.positions[ways] - eye
    ahead = _towards(leads / np.linalg.norm(leads, axis=-1, keepdims=True))
    captions = []
    for caption in range(len(_MIDDLES)):
        room = rooms[at]
        if len(ways) and ahead[caption].max() > _LOOK:
            room = rooms[ways[int(ahead[caption].argmax())]] or room
        order = np.argsort(-fills[caption], kind="stable")
        things = [world.object_types[seen[i]] for i in order.tolist() if fills[caption, i] > 0]
        captions.append(_said(room, things))
    return tuple(
        tuple(captions[e * CAPTION_HEADINGS : (e + 1) * CAPTION_HEADINGS]) for e in range(ELEVATIONS)
    )


def _middles() -> NDArray[np.float64]:
    """[24, 3] where one looks, by elevation, from below, and heading."""
    heading = np.tile(np.arange(CAPTION_HEADINGS) * np.radians(360 / CAPTION_HEADINGS), ELEVATIONS)
    elevation = np.repeat((np.arange(ELEVATIONS) - 1) * np.radians(30), CAPTION_HEADINGS)
    return direction(heading, elevation)


_MIDDLES = _middles()


def _towards(directions: NDArray[np.float64]) -> NDArray[np.float64]:
    """[24, n] cosines of the angles between where one looks and directions [n, 3]."""
    return _MIDDLES @ directions.reshape(-1, 3).T


def _said(room: str, things: list[str]) -> str:
    """The room and the first things that people would speak of."""
    names = dict.fromkeys(names[0] for thing in things if (names := names_of(thing)))
    told = [with_article(name, definite=False, plural=is_plural(name)) for name in list(names)[:_THINGS]]
    place = with_article(room or "room", definite=False, plural=is_plural(room))
    return f"{place} with {' and '.join(told)}" if told else place
