"""How fast episodes run: Algorithm 1 with requests and records, the teachers, and a whole evaluation.

Agents take random moves, request help in about a tenth of the steps where they can, and seldom stop. The
numbers behind their decisions are drawn beforehand; turning them into actions that exist, observing,
stepping, asking and recording are timed. What is counted are decisions: an agent whose episode is over makes
none.
"""

import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
from buildings import REAL_DATA, real_data
from harness import Figure, best_seconds, report
from numpy.typing import NDArray

from helpanna.assistance.assistants import Anna
from helpanna.environments.hanna import HannaVectorEnv
from helpanna.episodes.episodes import STOP, Episodes
from helpanna.episodes.trajectory import Trajectories
from helpanna.randomness import uniforms
from helpanna.tasks.build import BuildSettings, build_splits
from helpanna.tasks.dataset import load_split, save_dataset
from helpanna.tasks.room_to_room import build_routes, read_room_to_room
from helpanna.tasks.split import Split
from helpanna.tasks.vocabulary import Vocabulary
from helpanna.teachers.help_request import help_request_references
from helpanna.teachers.navigation import navigation_references
from helpanna.worlds.matterport.importer import import_matterport
from helpanna.worlds.storage import load_atlas, save_atlas

# The plain implementation and the sample split are those of the tests.
sys.path.append(str(Path(__file__).parents[1] / "tests"))

BATCH = 1024
BUDGET = 50
PLAIN_EPISODES = 32
EVALUATED = 5000
SPLIT = "val_seen"

ASKS = 0.1
STOPS = 0.005


def make_dataset(folder: Path) -> Path:
    """A dataset with a split of at least 5,000 tasks: in the real buildings, or in sample ones."""
    atlas_folder, dataset = folder / "atlas", folder / "dataset"
    settings = BuildSettings(unseen_count=1, sizes={"train": 1, SPLIT: EVALUATED, "val_unseen": 1})
    if real_data():
        import_matterport(REAL_DATA, atlas_folder, annotations=False)
        atlas = load_atlas(atlas_folder)
        descriptions = read_room_to_room([REAL_DATA / "R2R_train.json", REAL_DATA / "R2R_val_seen.json"])
        splits = build_splits([(atlas, build_routes(atlas, descriptions))], None, settings)
    else:
        from splits import sample_split

        split = sample_split(worlds=61, routes_per_world=60)
        atlas, splits = split.atlas, {SPLIT: split}
        save_atlas(atlas, atlas_folder)
    save_dataset(dataset, splits, [(atlas, atlas_folder)], 0, settings.paths, {})
    return dataset


class Decisions:
    """Random decisions by time step and episode."""

    def __init__(self, episodes: int) -> None:
        address = np.arange(BUDGET)[:, None], np.arange(episodes)
        self.ask = uniforms(0, "benchmark-ask", *address) < ASKS
        self.stop = uniforms(0, "benchmark-stop", *address) < STOPS
        self.move = uniforms(0, "benchmark-move", *address)
        self.entropy = uniforms(0, "benchmark-entropy", *address)

    def actions(self, step: int, count: NDArray[np.int64]) -> NDArray[np.int64]:
        """[B] navigation actions, where agents have this many each."""
        moves = 1 + (self.move[step] * (count - 1)).astype(np.int64)
        return np.where(self.stop[step] | (count == 1), STOP, moves)

    def plain(self, episode: int) -> Callable[[int, int], tuple[bool, int]]:
        """The same decisions for the plain implementation."""
        ask, stop, move = (table[:, episode].tolist() for table in (self.ask, self.stop, self.move))

        def policy(step: int, count: int) -> tuple[bool, int]:
            stays = stop[step] or count == 1
            return ask[step], STOP if stays else 1 + int(move[step] * (count - 1))

        return policy


def run_batch(split: Split, anna: Anna, decisions: Decisions, noted: bool = False) -> Trajectories:
    """All episodes of the batch, side by side."""
    episodes = Episodes(split, anna, np.arange(BATCH), BUDGET)
    for t in range(BUDGET):
        count = episodes.observe().candidates.mask.sum(axis=1)
        action = decisions.actions(t, count)
        notes = {"entropy": decisions.entropy[t], "guess": action} if noted else None
        episodes.step(decisions.ask[t], action, notes)
    return episodes.trajectories()


def episode_figures(split: Split) -> list[Figure]:
    """Steps a second of the batch and of the plain implementation, which must do the same."""
    from reference import PlainAssistant, PlainSplit, run

    anna, decisions = Anna(split), Decisions(BATCH)
    batch = run_batch(split, anna, decisions)
    rate = batch.length.sum() / best_seconds(lambda: run_batch(split, anna, decisions))

    plain = PlainSplit(split)
    plain_anna = PlainAssistant(plain)
    policies = [decisions.plain(episode) for episode in range(PLAIN_EPISODES)]

    def run_plain() -> list[list[int]]:
        return [run(plain, plain_anna, b, BUDGET, policy).location for b, policy in enumerate(policies)]

    for b, places in enumerate(run_plain()):
        assert batch.location[b, : len(places)].tolist() == places
    # The first run has made the plain one's distances and lists of actions: it is timed with them at hand.
    plain_rate = batch.length[:PLAIN_EPISODES].sum() / best_seconds(run_plain, repeats=3)
    unit = "agent steps/s"
    return [
        Figure(f"batch {BATCH:,}, requests in {share(batch)} of the steps", rate, unit, at_least=300_000),
        Figure("plain Python, one agent after the other", plain_rate, unit),
        Figure(f"batch {BATCH:,} against plain Python", rate / plain_rate, "times"),
    ]


def share(batch: Trajectories) -> str:
    return f"{100 * batch.asked.sum() / batch.length.sum():.1f} %"


def environment_figure(split: Split) -> Figure:
    """The same decisions, as far as they exist, in the Gymnasium environment, with texts, masks, rewards."""
    envs = HannaVectorEnv(BATCH, split, observation="indices", vocabulary=Vocabulary.of(split.texts))
    decisions = Decisions(BATCH)

    def walk() -> None:
        _, info = envs.reset(seed=0)
        for t in range(BUDGET):
            mask = info["action_mask"]
            action = decisions.actions(t, mask[:, :-1].sum(axis=1))
            asks = decisions.ask[t] & (mask[:, -1] == 1)
            *_, info = envs.step(np.where(asks, mask.shape[1] - 1, action))

    name = f"`helpanna/HANNA-v0`, {BATCH:,} agents, ids and tokens"
    return Figure(name, BATCH * BUDGET / best_seconds(walk), "agent steps/s", at_least=100_000)


def teacher_figure(split: Split) -> Figure:
    """Both teachers on episodes with notes."""
    batch = run_batch(split, Anna(split), Decisions(BATCH), noted=True)

    def teach() -> None:
        navigation_references(split, batch)
        help_request_references(split, batch)

    name = f"both teachers on {BATCH:,} episodes of {BUDGET} steps"
    return Figure(name, 1000 * best_seconds(teach), "ms", at_most=100)


def evaluation_figure(dataset: Path) -> Figure:
    """`helpanna evaluate` in a process of its own, from its start to its end."""
    command = [sys.executable, "-m", "helpanna.cli", "evaluate", "--data", dataset, "--split", SPLIT]
    command += ["--agent", "forward10", "--tasks", str(EVALUATED), "--out", dataset / "forward10.jsonl"]
    seconds = best_seconds(lambda: subprocess.run(command, check=True, capture_output=True), repeats=3)
    return Figure(f"`helpanna evaluate`, {EVALUATED:,} Forward10 tasks", seconds, "s", at_most=5)


def measure() -> list[Figure]:
    """All figures of this benchmark."""
    with tempfile.TemporaryDirectory(prefix="helpanna-benchmark-") as folder:
        dataset = make_dataset(Path(folder))
        split = load_split(dataset, SPLIT)
        return [
            *episode_figures(split),
            environment_figure(split),
            teacher_figure(split),
            evaluation_figure(dataset),
        ]


def note() -> str:
    """On what it is measured, for the head of the table."""
    if real_data():
        return f"on {EVALUATED:,} tasks in the buildings of Matterport3D, with the routes of Room-to-Room"
    return f"REAL DATA MISSING ({REAL_DATA}; set HELPANNA_REAL_DATA): on tasks in 61 sample buildings instead"


if __name__ == "__main__":
    report("Episodes", note(), measure)
