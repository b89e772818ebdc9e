"""The same building and the same tasks, with every location called by another number."""

from dataclasses import replace

import numpy as np

from helpanna.tasks.goals import build_goal_sets
from helpanna.tasks.split import Split
from helpanna.worlds.atlas import build_atlas
from helpanna.worlds.views import ViewFeatures, Views
from helpanna.worlds.world import World, unordered_pairs


def relabelled(world: World, new) -> World:
    """The building in which location v is called `new[v]`."""
    new = np.asarray(new)
    old = np.argsort(new)
    sightings = np.stack([new[world.sightings[:, 0]], world.sightings[:, 1]], axis=1)
    order = np.lexsort(sightings.T[::-1])
    return replace(
        world,
        location_names=tuple(world.location_names[v] for v in old),
        positions=world.positions[old],
        eye_heights=world.eye_heights[old],
        floors=world.floors[old],
        edges=unordered_pairs(*new[world.edges].T),
        sight_lines=unordered_pairs(*new[world.sight_lines].T),
        room_of=world.room_of[old],
        delegates=new[world.delegates],
        sightings=sightings[order],
        sighting_views=world.sighting_views[order],
    )


def relabelled_split(split: Split, seed: int = 0) -> tuple[Split, np.ndarray]:
    """The split with all its buildings relabelled, and [N] what each location is called there."""
    rng, atlas = np.random.default_rng(seed), split.atlas
    parts = [rng.permutation(len(atlas.locations(w))) for w in range(atlas.world_count)]
    worlds = [relabelled(atlas.world(w), part) for w, part in enumerate(parts)]
    new = np.concatenate([part + atlas.locations(w).start for w, part in enumerate(parts)]).astype(np.int32)
    old = np.argsort(new)
    features = {
        name: ViewFeatures(name, seen.array[old], seen.space) for name, seen in atlas.views.features.items()
    }
    words = atlas.views.words and replace(atlas.views.words, bits=atlas.views.words.bits[old])
    views = Views(features, words=words)
    renamed = replace(build_atlas(worlds, atlas.source, atlas.licence), views=views)
    assert renamed.type_names == atlas.type_names
    path = split.routes.path
    goals = zip(split.goal_sets.world.tolist(), split.goal_sets.object_type.tolist(), strict=True)
    return replace(
        split,
        atlas=renamed,
        routes=replace(split.routes, path=np.where(path < 0, path, new[path])),
        goal_sets=build_goal_sets(renamed, goals),
        start=new[split.start],
    ), new
