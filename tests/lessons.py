"""Small lessons, and trainers that get through an iteration of them in a fraction of a second."""

from dataclasses import fields, replace
from functools import cache

import numpy as np
import torch
from learners import seen_split
from splits import sample_split

from helpanna.agents.mind import Mind
from helpanna.agents.networks.kinds import make_networks
from helpanna.agents.networks.protocol import NetworkConfig, Outputs
from helpanna.agents.senses import Senses
from helpanna.assistance.assistants import Anna
from helpanna.assistance.names import make_assistant
from helpanna.episodes.episodes import Episodes
from helpanna.episodes.perception import Perception
from helpanna.learning.lessons import Lesson
from helpanna.learning.rollout import Batch, Rollout, roll_out
from helpanna.learning.settings import TrainingSettings
from helpanna.learning.trainer import Trainer
from helpanna.tasks.dataset import save_dataset
from helpanna.tasks.sampling import PathRange
from helpanna.worlds.annotations import write_annotation_features
from helpanna.worlds.storage import load_atlas, save_atlas

BUDGET = 6


def some_tasks(split, count):
    """The same split with its first tasks only."""
    return replace(split, goal_set=split.goal_set[:count], start=split.start[:count], view=split.view[:count])


@cache
def lesson(tasks=None, validation=0):
    """The sample split, or its first tasks; validated on as many of its first tasks."""
    split = seen_split()
    to_validate = {"val_seen": replace(some_tasks(split, validation), name="val_seen")} if validation else {}
    return Lesson.of(some_tasks(split, tasks), to_validate)


def save_small_dataset(folder, features=True):
    """Twelve tasks of two sample buildings, to train and to validate on; the atlas is beside the dataset."""
    place = folder.with_name(f"atlas of {folder.name}")
    split = some_tasks(sample_split(2, routes_per_world=30), 12)
    save_atlas(split.atlas, place)
    if features:
        write_annotation_features(place)
    split = replace(split, atlas=load_atlas(place))
    splits = {"train": split, "val_seen": replace(split, name="val_seen")}
    save_dataset(folder, splits, [(split.atlas, place)], 0, PathRange(), settings={})


def small_network(lesson, **options):
    """The shape of networks that are small and drop nothing."""
    usual = {"hidden": 16, "heads": 4, "action_embedding": 16, "ask_embedding": 8, "dropout": 0.0}
    return NetworkConfig(lesson.features.size, len(lesson.vocabulary), **(usual | options))


def small_trainer(run, lesson, network=None, kind="hierarchical", **settings):
    """A trainer for six iterations of six episodes of six steps, or what the settings say instead."""
    usual = {"iterations": 6, "batch_size": 6, "budget": BUDGET, "save_every": 2, "evaluate_every": 3}
    chosen = TrainingSettings(**(usual | settings))
    networks = make_networks(kind, network or small_network(lesson), chosen.seed)
    return Trainer(run, lesson, networks, chosen)


class Rehearsal:
    """Untrained networks and all that a rollout needs, without a trainer."""

    def __init__(self, lesson, seed=0, boldness=1.0, habits=None, kind="hierarchical", **network):
        self.split, self.habits = lesson.train, habits
        self.networks = make_networks(kind, small_network(lesson, **network), seed).train()
        with torch.no_grad():
            for parameter in self.networks.parameters():
                parameter *= boldness
        self.senses = Senses(Perception(self.split), lesson.features.name, lesson.vocabulary)

    def roll_out(self, tasks, iteration=0, place=None, **settings):
        """The rollout of these tasks; `place` is where they are in the whole batch."""
        place = np.arange(len(tasks)) if place is None else place
        settings = TrainingSettings(**({"budget": BUDGET} | settings))
        batch = Batch(iteration, np.asarray(tasks), np.asarray(place))
        assistant = make_assistant(settings.assistant, self.split, random_ties=True)
        return roll_out(self.networks, self.senses, self.split, assistant, batch, settings, self.habits)

    def replay(self, rollout):
        """What the networks, as they are now, make of episodes that have happened."""
        done = rollout.trajectories
        episodes = Episodes(self.split, Anna(self.split, random_ties=True), done.task, done.steps)
        mind = Mind(self.networks, self.senses, len(done), done.steps)
        thoughts = []
        for t in range(len(rollout.log_nav)):
            thoughts.append(mind.think(episodes.observe()))
            episodes.step(done.asked[:, t], np.maximum(done.action[:, t], 0))
        assert np.array_equal(episodes.trajectories().location, done.location)
        tables = {
            f.name: torch.stack([getattr(o, f.name) for o in thoughts])
            for f in fields(Outputs)
            if getattr(thoughts[0], f.name) is not None
        }
        return Rollout(done, **({"reasons": None} | tables))
