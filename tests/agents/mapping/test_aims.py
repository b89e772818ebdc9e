"""Target images: a place looks exactly like its own picture, and like no other, in every direction."""

import numpy as np
from learners import seen_split

from helpanna.agents.mapping.aims import Aims
from helpanna.agents.mapping.episode_map import EpisodeMap
from helpanna.assistance.assistants import Anna
from helpanna.episodes.episodes import Episodes
from helpanna.episodes.perception import Perception


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
