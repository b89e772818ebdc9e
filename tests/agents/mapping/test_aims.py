"""Target images: a place looks exactly like its own picture, and like no other, in every direction."""

from dataclasses import replace

import numpy as np
from learners import seen_split

from helpanna.agents.mapping.aims import Aims
from helpanna.agents.mapping.episode_map import EpisodeMap
from helpanna.assistance.assistants import Anna
from helpanna.episodes.episodes import Episodes
from helpanna.episodes.perception import Perception
from helpanna.worlds.geometry import VIEWS


def with_smooth_features(split, size=588):
    """Numbers that are all different, so that sums in another order differ."""
    atlas = split.atlas
    [name] = atlas.views.features
    numbers = np.random.default_rng(0).random((atlas.location_count, VIEWS, size), dtype=np.float32)
    kind = replace(atlas.views.features[name], array=numbers.astype(np.float16))
    views = replace(atlas.views, features={name: kind})
    return replace(split, atlas=replace(atlas, views=views))


def test_no_neighbour_changes_a_bit():
    split = with_smooth_features(seen_split())
    tasks = np.arange(40)
    episodes, perception = Episodes(split, Anna(split), tasks), Perception(split)
    known, agents = EpisodeMap(len(tasks)), np.arange(len(tasks))
    aims = Aims(perception, None, len(tasks), known.visited.shape[1])
    episodes.step(np.ones(len(tasks), dtype=bool), np.ones(len(tasks), dtype=np.int64))
    seen = episodes.observe()
    known.observe(seen, perception.ways(seen))
    aims.take(agents, seen)
    looks = perception.views(seen.panorama).astype(np.float32).max(axis=1)
    aims.compare(agents, known.here, looks, known)
    together = [table[agents, known.here] for table in (aims.likeness, aims.aligned)]
    assert all(len(np.unique(table)) > 5 for table in together)
    for one in agents:
        aims.compare(agents[[one]], known.here[[one]], looks[[one]], known)
    alone = [table[agents, known.here] for table in (aims.likeness, aims.aligned)]
    np.testing.assert_array_equal(alone, together)


def test_a_place_looks_like_its_own_picture():
    split = seen_split()
    tasks = np.arange(40)
    episodes, perception = Episodes(split, Anna(split), tasks), Perception(split)
    known, agents = EpisodeMap(len(tasks)), np.arange(len(tasks))
    aims = Aims(perception, None, len(tasks), known.visited.shape[1])
    asks = np.ones(len(tasks), dtype=bool)
    episodes.step(asks, np.ones(len(tasks), dtype=np.int64))  # who can be helped is shown a target
    seen = episodes.observe()
    known.observe(seen, perception.ways(seen))
    aims.take(agents, seen)
    looks = perception.views(seen.panorama).astype(np.float32).max(axis=1)
    aims.compare(agents, known.here, looks, known)
    aimed, there = seen.target >= 0, seen.target == seen.panorama
    like, aligned = (table[agents, known.here] for table in (aims.likeness, aims.aligned))
    assert aimed.any() and not aimed.all()
    assert not like[~aimed].any() and not aligned[~aimed].any()
    assert (aims.look[aimed] == perception.views(seen.target[aimed]).max(axis=1)).all()
    away = aimed & ~there
    assert (like[away] < 0.9999).all() and (aligned[away] < 0.9999).all()
    aims.target[:] = -1
    here = type(seen)(**{**vars(seen), "target": seen.panorama})
    aims.take(agents, here)
    aims.compare(agents, known.here, looks, known)
    whole = np.linalg.norm(perception.views(seen.panorama).astype(np.float32), axis=-1) > 0
    assert np.allclose(aims.likeness[agents, known.here], 1, atol=1e-3)
    assert np.allclose(aims.aligned[agents, known.here], whole.mean(axis=1), atol=1e-3)
