"""Where words in sight come from.

From captions, where the atlas has some: each view has the words of the two captions of its elevation between
which its heading lies. From annotations: the names of objects in the views that show them; these are listed
once more apart, see `thing_word`. From the kinds of rooms: the room one is in shows in every view, others in
the view in which a way leads into them.

Nothing is fitted: an atlas lists the words that its own views show, but for those that few captions have.
"""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from helpanna.worlds.atlas import Atlas
from helpanna.worlds.captions import Captions, heading_shares
from helpanna.worlds.content_words import content_words
from helpanna.worlds.geometry import VIEWS, nearest_view
from helpanna.worlds.room_kinds import room_kinds
from helpanna.worlds.storage import load_atlas, write_words
from helpanna.worlds.words_in_sight import WordsInSight, thing_word
from helpanna.worlds.world import World

_SELDOM = 3
"""A word that fewer different captions have is left out."""

Bools = NDArray[np.bool_]
Progress = Callable[[int, int], None]


def write_words_in_sight(folder: Path, on_progress: Progress | None = None) -> int:
    """Adds words in sight to an atlas on disk; how many words there are."""
    found = find_words(load_atlas(folder), on_progress)
    write_words(folder, found.words, found.bits)
    return len(found.words)


def find_words(atlas: Atlas, on_progress: Progress | None = None) -> WordsInSight:
    """The words that the views of an atlas show."""
    words = words_of(atlas)
    index = {word: w for w, word in enumerate(words)}
    captions = atlas.views.captions
    said = None if captions is None else _caption_words(captions, index)
    bits = np.zeros((atlas.location_count, VIEWS, (len(words) + 7) // 8), dtype=np.uint8)
    for w in range(atlas.world_count):
        at = slice(*atlas.world_start[w : w + 2])
        shown = _named(atlas.world(w), index)
        if said is not None and captions is not None:
            shown |= _said(captions.index[at], said)
        bits[at] = np.packbits(shown, axis=-1, bitorder="little")
        if on_progress:
            on_progress(w + 1, atlas.world_count)
    return WordsInSight(bits, lambda: words)


def words_of(atlas: Atlas) -> tuple[str, ...]:
    """The words that views of this atlas can show, sorted."""
    captions = atlas.views.captions
    times = Counter(
        word for text in (captions.texts if captions else ()) for word in set(content_words(text))
    )
    kinds = {kind for w in range(atlas.world_count) for kind in room_kinds(atlas.world(w))}
    things = {word for name in atlas.type_names for word in content_words(name)}
    named = {word for kind in kinds for word in content_words(kind)} | things | set(map(thing_word, things))
    return tuple(sorted(named | {word for word, count in times.items() if count >= _SELDOM}))


def _caption_words(captions: Captions, index: dict[str, int]) -> csr_matrix:
    """[texts, W] which words each caption has."""
    pairs = [
        (t, index[word])
        for t, text in enumerate(captions.texts)
        for word in set(content_words(text))
        if word in index
    ]
    row, column = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return csr_matrix((np.ones(len(row), bool), (row, column)), shape=(len(captions.texts), len(index)))


def _said(which: NDArray[np.int32], said: csr_matrix) -> Bools:
    """[n, 36, W] the words of the captions [n, 3, 8] that are beside each view's heading."""
    of_captions = said[which.ravel()].toarray().reshape(*which.shape, -1)
    shown = np.zeros((len(which), 3, 12, of_captions.shape[-1]), dtype=bool)
    for heading, caption in np.argwhere(heading_shares() > 0):
        shown[:, :, heading] |= of_captions[:, :, caption]
    return shown.reshape(len(which), VIEWS, -1)


def _named(world: World, index: dict[str, int]) -> Bools:
    """[n, 36, W] the names of objects and kinds of rooms in each view."""
    shown = np.zeros((world.location_count, VIEWS, len(index)), dtype=bool)
    bits = world.sighting_views[:, None] >> np.arange(VIEWS, dtype=np.uint64) & np.uint64(1)
    for (location, thing), views in zip(world.sightings.tolist(), bits.astype(bool), strict=True):
        for word in content_words(world.object_types[thing]):
            shown[location, views, index[word]] = True
            shown[location, views, index[thing_word(word)]] = True
    kinds = room_kinds(world)
    kind_of = [kinds[room] if room >= 0 else "" for room in world.room_of.tolist()]
    for location, kind in enumerate(kind_of):
        for word in content_words(kind):
            shown[location, :, index[word]] = True
    here, there = np.concatenate([world.edges, world.edges[:, ::-1]]).T
    views_there = nearest_view(world.positions[there] - world.positions[here])
    for i, j, view in zip(here.tolist(), there.tolist(), views_there.tolist(), strict=True):
        for word in content_words(kind_of[j]):
            shown[i, view, index[word]] = True
    return shown
