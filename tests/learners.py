"""Learned agents that have learned nothing, and a split in which they see something."""

from dataclasses import fields, replace
from functools import cache

import numpy as np
import torch
from splits import sample_split

from helpanna.agents.habits import Habits
from helpanna.agents.networks.kinds import make_networks, network_class
from helpanna.agents.trained import agent_with
from helpanna.assistance.assistants import Anna
from helpanna.episodes.episodes import Episodes
from helpanna.randomness import choices, uniforms
from helpanna.tasks.vocabulary import Vocabulary
from helpanna.worlds.annotations import NAME, AnnotationSpace, annotation_features
from helpanna.worlds.atlas import build_atlas
from helpanna.worlds.content_words import content_words
from helpanna.worlds.geometry import VIEWS
from helpanna.worlds.views import ViewFeatures, Views
from helpanna.worlds.words_in_sight import WordsInSight, thing_word


def with_annotations(split):
    """The same split with annotation features."""
    atlas = split.atlas
    space = AnnotationSpace.choose(atlas)
    parts = [annotation_features(atlas.world(w), space) for w in range(atlas.world_count)]
    features = ViewFeatures(NAME, np.concatenate(parts).astype(np.float16), space.to_json())
    return replace(split, atlas=replace(atlas, views=Views({NAME: features})))


def seen_at_random(split, agent):
    """The same split, in which a trained agent sees random features of its space, and random words."""
    rng, shape = np.random.default_rng(0), (split.atlas.location_count, VIEWS)
    shown = (rng.random((*shape, agent.networks.config.features)) < 0.03).astype(np.float16)
    stems = {stem for text in split.texts for stem in content_words(text)}
    words = tuple(sorted(stems | set(map(thing_word, stems))))
    bits = np.packbits(rng.random((*shape, len(words))) < 0.1, axis=-1, bitorder="little")
    features = {"seen": ViewFeatures("seen", shown, agent.space)}
    views = Views(features, words=WordsInSight(bits, lambda: words))
    return replace(split, atlas=replace(split.atlas, views=views))


@cache
def seen_split():
    """The sample split with annotation features, and routes enough to be helped often."""
    return with_annotations(sample_split(routes_per_world=30))


def in_a_mirror(split):
    """The same tasks in buildings whose east is west, which show the same there."""
    atlas = split.atlas
    worlds = [atlas.world(w) for w in range(atlas.world_count)]
    turned = [replace(world, positions=world.positions * np.array([-1, 1, 1])) for world in worlds]
    across = np.arange(VIEWS) // 12 * 12 + -np.arange(VIEWS) % 12
    seen = {
        name: replace(features, array=features.array[:, across])
        for name, features in atlas.views.features.items()
    }
    views = replace(atlas.views, features=seen)
    other = replace(build_atlas(turned, atlas.source, atlas.licence), views=views)
    routes = replace(split.routes, view=across[split.routes.view])
    return replace(split, atlas=other, view=across[split.view], routes=routes)


def untrained(split, kind="hierarchical", hidden=32, seed=0, boldness=1.0, **options):
    """An agent with random weights, all of which are multiplied by `boldness`.

    Options are those of its habits and of its networks.
    """
    habits = Habits(**{f.name: options.pop(f.name) for f in fields(Habits) if f.name in options})
    features, vocabulary = split.atlas.views.get(), Vocabulary.of(split.texts)
    made = network_class(kind).Config
    config = made(features.size, len(vocabulary), hidden=hidden, heads=4, **options)
    networks = make_networks(kind, config, seed).eval()
    with torch.no_grad():
        for parameter in networks.parameters():
            parameter *= boldness
    return agent_with(networks, vocabulary, dict(features.space), habits=habits)


def wander(split, tasks, steps, seed=0, ask=0.3):
    """Yields what agents observe that walk, ask and stop at random."""
    episodes = Episodes(split, Anna(split), tasks)
    for _ in range(steps):
        seen = episodes.observe()
        yield seen
        at = (seen.task, seen.step)
        moves = seen.candidates.mask.sum(axis=1) - 1
        move = 1 + choices(seed, "test move", np.maximum(moves, 1), *at)
        stops = (moves == 0) | (seen.on_route & (uniforms(seed, "test stop", *at) < 0.3))
        episodes.step(uniforms(seed, "test ask", *at) < ask, np.where(stops, 0, move))
