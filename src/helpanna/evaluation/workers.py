"""Runs an agent on many tasks in several processes, where that pays.

The number of processes changes no result: no episode depends on another.
"""

import os
import time
from concurrent.futures import as_completed
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from helpanna.agents.agent import Agent
from helpanna.assistance.assistants import Assistant
from helpanna.engines import LOCAL, Engine
from helpanna.episodes.trajectory import Trajectories, join
from helpanna.evaluation.runner import BATCH_SIZE, OnProgress, Setup, batches, run_batch, run_episodes
from helpanna.tasks.split import Split

Ints = NDArray[np.int64]

_TRIAL = 64
"""Tasks run in this process first, to learn how long the others will take."""
_WORTH_SECONDS = 5.0
"""To start processes takes a few seconds each: they must save more than that."""


def run_on_cores(
    setup: Setup,
    loaded: tuple[Split, Agent, Assistant],
    tasks: ArrayLike,
    workers: int | None = None,
    batch_size: int = BATCH_SIZE,
    on_progress: OnProgress | None = None,
    engine: Engine = LOCAL,
) -> Trajectories:
    """As `run_episodes`, in as many processes as given, or as many as are worth starting.

    Args:
        setup: what to run.
        loaded: what `setup.load()` gave.
        tasks: the tasks of the split.
        workers: processes; if None, some tasks are run here first, and if the others would take long, as many
            processes as there are cores run them.
        batch_size: episodes run side by side.
        on_progress: told how many episodes have ended.
        engine: where the processes are; on a cluster all tasks are run.
    """
    tasks = np.array(tasks, dtype=np.int64, ndmin=1)
    split, agent, assistant = loaded
    cores = available_cores()
    if engine.name == "ray":
        count = workers or cores
        return run_in_workers(setup, tasks, count, _even(tasks, count, batch_size), on_progress, engine)
    if workers is not None and workers > 1:
        return run_in_workers(setup, tasks, workers, batch_size, on_progress)
    if workers == 1 or cores == 1 or len(tasks) <= _TRIAL:
        return run_episodes(split, agent, assistant, tasks, setup.budget, batch_size, on_progress)

    def after_trial(done: int, _: int) -> None:
        if on_progress is not None:
            on_progress(_TRIAL + done, len(tasks))

    began = time.monotonic()
    trial = run_episodes(split, agent, assistant, tasks[:_TRIAL], setup.budget, batch_size)
    after_trial(0, 0)
    rest = tasks[_TRIAL:]
    seconds = (time.monotonic() - began) / _TRIAL * len(rest)
    if seconds * (1 - 1 / cores) < _WORTH_SECONDS:
        return join(
            [trial, run_episodes(split, agent, assistant, rest, setup.budget, batch_size, after_trial)]
        )
    return join([trial, run_in_workers(setup, rest, cores, _even(rest, cores, batch_size), after_trial)])


def _even(tasks: Ints, workers: int, batch_size: int) -> int:
    """The size of batches of which each worker has one."""
    return min(batch_size, -(-len(tasks) // workers))


def available_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_in_workers(
    setup: Setup,
    tasks: ArrayLike,
    workers: int,
    batch_size: int = BATCH_SIZE,
    on_progress: OnProgress | None = None,
    engine: Engine = LOCAL,
) -> Trajectories:
    """As `run_episodes`, with the batches shared among several processes.

    The processes end at once when this one is interrupted or dies.
    """
    tasks = np.array(tasks, dtype=np.int64, ndmin=1)
    with engine.open(workers) as submit:
        futures = [submit(_run, setup, batch) for _, batch in batches(tasks, batch_size)]
        done = 0
        for future in as_completed(futures):
            done += len(future.result())
            if on_progress is not None:
                on_progress(done, len(tasks))
        return join([future.result() for future in futures])


_load = cache(Setup.load)
"""A worker runs many batches of one setup and loads it once."""


def _run(setup: Setup, tasks: Ints) -> Trajectories:
    return run_batch(*_load(setup), tasks, setup.budget)
