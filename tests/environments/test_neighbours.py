"""The environments of the neighbouring problems: HANNA's contract with other tasks."""

import warnings
from functools import cache

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from helpanna.environments.hanna import HannaEnv
from helpanna.errors import InputError
from helpanna.tasks.errands import Errand, errand_split
from helpanna.tasks.kinds import KINDS
from helpanna.tasks.room_tasks import room_errands
from helpanna.tasks.sampling import PathRange
from helpanna.worlds.sample import sample_atlas

NAMES = {"r2r": "R2R", "r4r": "R2R", "reverie": "REVERIE", "ndh": "NDH", "vnla": "VNLA"}


@cache
def split_of(kind):
    """Tasks of this kind in sample buildings."""
    atlas = sample_atlas(3, 0)
    errands = room_errands(atlas, 0, PathRange())["train"][:60]
    if kind != "vnla":
        errands = [
            Errand(e.name, f"walk to number {i}", e.view, e.path, thing=-1, region=e.path[-1:])
            for i, e in enumerate(errands)
        ]
    return errand_split("train", KINDS[kind], atlas, errands)


@pytest.mark.parametrize("kind", NAMES)
def test_the_checker_has_no_complaint(kind):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = gymnasium.make(f"helpanna/{NAMES[kind]}-v0", data=split_of(kind), observation="indices")
        check_env(made.unwrapped)


@pytest.mark.parametrize("kind", NAMES)
def test_many_agents_do_what_one_does(kind):
    name, split = f"helpanna/{NAMES[kind]}-v0", split_of(kind)
    many = gymnasium.make_vec(
        name, num_envs=3, vectorization_mode="vector_entry_point", data=split, observation="indices"
    )
    _, info = many.reset(seed=5)
    one = gymnasium.make(name, data=split, observation="indices")
    _, own = one.reset(seed=7)
    assert own["instruction"] == info["instruction"][2]
    help_action = many.single_action_space.n - 1
    assert (info["action_mask"][:, help_action] == (kind == "vnla")).all()
    seen, _, _, _, info = many.step(np.array([1, 1, 1]))
    own_seen, _, _, _, own = one.step(1)
    assert own_seen["location"] == seen["location"][2] and own["distance"] == info["distance"][2]


def test_advice_comes_with_the_request_and_stop_ends():
    env = gymnasium.make("helpanna/VNLA-v0", data=split_of("vnla"), observation="indices")
    _, info = env.reset(seed=0)
    request = info["instruction"]
    seen, _, terminated, _, info = env.step(env.action_space.n - 1)
    assert info["instruction"].endswith(request) and "go forward" in info["instruction"]
    assert not terminated and not seen["on_route"] and not seen["has_target"]
    assert (seen["tokens"] != 1).all()  # every word of the advice is known
    assert env.step(0)[2]


def test_tasks_of_another_kind_are_refused():
    with pytest.raises(InputError, match="of the kind r2r, and this environment is for hanna"):
        HannaEnv(split_of("r2r"), observation="indices")
    with pytest.raises(InputError, match="this environment is for r2r and r4r"):
        gymnasium.make("helpanna/R2R-v0", data=split_of("ndh"), observation="indices")
