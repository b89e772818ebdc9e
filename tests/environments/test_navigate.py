import copy
import subprocess
import sys
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import atlases

from helpanna.environments.navigate import NavigateEnv, NavigateVectorEnv
from helpanna.environments.navigate_state import Targets
from helpanna.environments.observers import TARGET_VIEWS
from helpanna.errors import InputError
from helpanna.worlds.atlas import build_atlas
from helpanna.worlds.sample import sample_world
from helpanna.worlds.storage import save_atlas

NAME = "helpanna/Navigate-v0"
KINDS = ("indices", "features", "pixels")


@pytest.fixture
def atlas_for(sample, sample_with_features, sample_with_panoramas):
    """The sample atlas that can show each kind of observation."""
    return {"indices": sample, "features": sample_with_features, "pixels": sample_with_panoramas}


def walk_to_target(env, observation):
    """The transitions of an agent that walks a shortest path and stops, by the indices it observes."""
    atlas = env.unwrapped._agents.atlas
    transitions = []
    while not transitions or not (transitions[-1][2] or transitions[-1][3]):
        at, view, target = (observation[key] for key in ("location", "view", "target"))
        hop = int(atlas.next_hops(at, target))
        action = 0 if hop < 0 else atlas.action_location[at, view].tolist().index(hop, 1)
        transitions.append(env.step(action))
        observation = transitions[-1][0]
    return transitions


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_the_checker_has_no_complaint(kind, atlas_for):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = gymnasium.make(NAME, atlas=atlas_for[kind], observation=kind)
        check_env(made.unwrapped)
        # Without a spec the checker cannot try render modes and warns of that alone.
        check_env(NavigateEnv(atlas_for[kind], observation=kind), skip_render_check=True)


@pytest.mark.parametrize("kind", KINDS)
def test_gymnasiums_own_vector_environment_can_hold_it(kind, atlas_for):
    envs = gymnasium.make_vec(
        NAME, num_envs=2, vectorization_mode="sync", atlas=atlas_for[kind], observation=kind
    )
    observation, _ = envs.reset(seed=1)
    assert observation in envs.observation_space


@pytest.mark.slow
def test_importing_the_package_is_enough():
    program = f"import gymnasium, helpanna; gymnasium.make({NAME!r}).reset()"
    subprocess.run([sys.executable, "-W", "error", "-c", program], check=True, timeout=300)
    program = f"import gymnasium; gymnasium.make('helpanna:{NAME}').reset()"
    subprocess.run([sys.executable, "-W", "error", "-c", program], check=True, timeout=300)


def test_an_atlas_folder_will_do(sample, tmp_path):
    save_atlas(sample, tmp_path / "atlas")
    from_folder = gymnasium.make(NAME, atlas=tmp_path / "atlas")
    from_memory = gymnasium.make(NAME, atlas=sample)
    by_default = gymnasium.make(NAME)
    for env in (from_folder, by_default):
        assert data_equivalence(env.reset(seed=5), from_memory.reset(seed=5), exact=True)


def test_a_copied_environment_shares_its_atlas(sample):
    env = gymnasium.make(NAME, atlas=sample)
    assert env.spec.kwargs["atlas"] is sample
    assert copy.deepcopy(sample) is sample


class TestEpisodes:
    def test_a_shortest_path_earns_its_length_and_the_success_reward(self):
        env = gymnasium.make(NAME, success_reward=7.0)
        for seed in range(30):
            observation, info = env.reset(seed=seed)
            distance = info["distance"]
            transitions = walk_to_target(env, observation)
            rewards = [transition[1] for transition in transitions]
            assert min(rewards[:-1]) > 0
            assert sum(rewards) == pytest.approx(distance + 7.0)
            assert 5 <= len(transitions) <= 15  # as many moves as there are other locations, and stop
            *_, terminated, truncated, info = transitions[-1]
            assert (terminated, truncated, info["success"], info["distance"]) == (True, False, True, 0.0)
            assert not any(transition[4]["success"] for transition in transitions[:-1])

    def test_running_out_of_time_near_enough_is_success(self):
        env = gymnasium.make(NAME, success_distance=6.0, max_steps=3)
        near = set()
        for seed in range(60):
            env.reset(seed=seed)
            *_, (_, reward, terminated, truncated, info) = (env.step(1) for _ in range(3))
            assert truncated and not terminated
            assert info["success"] == (info["distance"] <= 6.0)
            assert (reward > 5) == info["success"]
            near.add(info["success"])
        assert near == {True, False}

    def test_stopping_near_enough_is_success_and_further_away_is_not(self):
        env = gymnasium.make(NAME, success_distance=3.0)
        agents = env.unwrapped._agents
        seen = set()
        for seed in range(30):
            env.reset(seed=seed)
            while agents.distance[0] >= 4.5:
                pose = agents.poses.location, agents.poses.view
                env.step(int(agents.atlas.actions_towards(*pose, agents.target)[0]))
            distance = agents.distance[0]
            _, reward, terminated, _, info = env.step(0)
            assert terminated
            assert info["success"] == (distance <= 3.0)
            assert reward == (10.0 if info["success"] else 0.0)
            seen.add(info["success"])
        assert seen == {True, False}

    def test_an_action_that_does_not_exist_only_costs_the_step(self):
        env = gymnasium.make(NAME, max_steps=3)
        observation, info = env.reset(seed=0)
        missing = int(np.flatnonzero(info["action_mask"] == 0)[0])
        for step in (1, 2, 3):
            again, reward, terminated, truncated, info = env.step(missing)
            assert again == observation
            assert (reward, terminated, truncated, info["invalid_action"]) == (0.0, False, step == 3, True)
        env.reset(seed=0)
        assert not env.step(1)[4]["invalid_action"]

    def test_the_mask_shows_the_actions_there_are(self):
        env = gymnasium.make(NAME)
        atlas = env.unwrapped._agents.atlas
        for seed in range(50):
            observation, info = env.reset(seed=seed)
            there = atlas.action_location[observation["location"], observation["view"]] >= 0
            assert info["action_mask"].dtype == np.int8
            assert info["action_mask"].tolist() == there.astype(int).tolist()
            assert env.unwrapped.action_masks().tolist() == there.tolist()
            assert there[env.action_space.sample(mask=info["action_mask"])]

    def test_time_runs_out(self):
        env = gymnasium.make(NAME, max_steps=5)
        env.reset(seed=0)
        ends = [env.step(1)[2:4] for _ in range(5)]
        assert ends == [(False, False)] * 4 + [(False, True)]

    def test_stopping_at_the_last_moment_is_an_end_not_a_cut(self):
        env = gymnasium.make(NAME, max_steps=2)
        env.reset(seed=0)
        env.step(1)
        assert env.step(0)[2:4] == (True, False)

    @pytest.mark.parametrize("env", [NavigateEnv(), NavigateVectorEnv(2)])
    def test_nobody_acts_before_the_beginning(self, env):
        with pytest.raises(ResetNeeded, match="reset"):
            env.step(np.array([1, 1]))

    def test_nobody_acts_after_the_end(self):
        env = NavigateEnv()
        env.reset()
        env.step(0)
        with pytest.raises(ResetNeeded, match="reset"):
            env.step(1)

    @pytest.mark.parametrize("actions", [[-1, 0], [0, 99], [0], [[0, 0]], [0.0, 1.0]])
    def test_what_is_no_action_raises_and_nobody_moves(self, actions):
        envs = NavigateVectorEnv(2)
        before, _ = envs.reset(seed=0)
        with pytest.raises(ValueError, match="action"):
            envs.step(np.array(actions))
        after = envs._agents.observe()
        assert all(np.array_equal(before[key], after[key]) for key in before)


class TestStarts:
    def test_resets_of_one_seed_are_the_same_and_differ_among_themselves(self):
        env = gymnasium.make(NAME)
        first = [env.reset(seed=9)[0]] + [env.reset()[0] for _ in range(9)]
        again = [env.reset(seed=9)[0]] + [env.reset()[0] for _ in range(9)]
        assert first == again
        assert len({tuple(observation.values()) for observation in first}) == 10

    def test_without_a_seed_chance_decides(self):
        assert len({tuple(gymnasium.make(NAME).reset()[0].values()) for _ in range(5)}) > 1

    def test_without_a_seed_gymnasiums_generator_decides(self):
        envs = NavigateEnv(), NavigateEnv()
        for env in envs:
            env.np_random = np.random.default_rng(3)
        assert envs[0].reset()[0] == envs[1].reset()[0]

    def test_seeds_may_be_huge(self):
        env = gymnasium.make(NAME)
        assert env.reset(seed=2**100)[0] == env.reset(seed=2**100)[0]

    def test_worlds_headings_and_path_lengths_are_all_met(self, sample):
        envs = NavigateVectorEnv(4000, atlas=sample)
        observation, info = envs.reset(seed=0)
        share = np.bincount(sample.world_of[observation["location"]]) / 4000
        assert share == pytest.approx([0.5, 0.5], abs=0.05)
        headings = np.bincount(observation["view"], minlength=36) / 4000
        assert headings[12:24] == pytest.approx(np.full(12, 1 / 12), abs=0.02)
        assert np.isfinite(info["distance"]).all()
        assert set(observation["location"]) == set(range(sample.location_count))

    @pytest.mark.slow
    @settings(max_examples=50)
    @given(atlases(), st.integers(2, 5), st.integers(0, 3))
    def test_targets_are_those_of_plain_walks(self, atlas, shortest, more):
        pairs = {world: {} for world in range(atlas.world_count)}
        for world in range(atlas.world_count):
            for start in atlas.locations(world):
                for end in atlas.locations(world):
                    at, count = start, 1
                    while at != end and at >= 0:
                        at, count = int(atlas.next_hops(at, end)), count + 1
                    if at == end and start != end:
                        pairs[world][start, end] = count
        offered = set()
        for sizes in pairs.values():
            fitting = {pair for pair, count in sizes.items() if shortest <= count <= shortest + more}
            offered |= fitting or set(sizes)
        if not offered:
            with pytest.raises(InputError, match="no two locations"):
                Targets(atlas, shortest, shortest + more)
            return
        draws = np.random.default_rng(0).random((5000, 3))
        drawn = Targets(atlas, shortest, shortest + more).draw(draws)
        assert {(int(start), int(target)) for start, target in zip(*drawn, strict=True)} <= offered
        corners = np.array(
            [[a, b, c] for a in (0, 1 - 2**-53) for b in (0, 1 - 2**-53) for c in (0, 1 - 2**-53)]
        )
        drawn = Targets(atlas, shortest, shortest + more).draw(corners)
        assert {(int(start), int(target)) for start, target in zip(*drawn, strict=True)} <= offered

    def test_every_pair_is_drawn(self):
        atlas = build_atlas([sample_world("small", 0)], "", "")
        targets = Targets(atlas, 10, 10)
        drawn = targets.draw(np.random.default_rng(0).random((20000, 3)))
        assert len(set(zip(*(ids.tolist() for ids in drawn), strict=True))) == len(targets._target)


class TestObservations:
    def test_features_are_those_of_the_place(self, sample_with_features):
        env = gymnasium.make(NAME, atlas=sample_with_features, observation="features", features="numbers")
        array = sample_with_features.views.get("numbers").array
        observation, info = env.reset(seed=0)
        for _ in range(20):
            agents = env.unwrapped._agents
            view = int(agents.poses.view[0])
            ahead = [12 * (k // 12) + (view + k) % 12 for k in range(36)]  # turned to where the camera looks
            assert np.array_equal(observation["panorama"], array[agents.poses.location[0]][ahead])
            assert np.array_equal(observation["target"], array[agents.target[0]][ahead])
            action = env.action_space.sample(mask=info["action_mask"])
            observation, _, terminated, truncated, info = env.step(max(1, action))
            if terminated or truncated:
                observation, info = env.reset()

    @pytest.mark.slow
    def test_pixels_are_those_of_the_place(self, sample_with_panoramas):
        views = sample_with_panoramas.views
        envs = NavigateVectorEnv(
            2, atlas=sample_with_panoramas, observation="pixels", render_mode="rgb_array"
        )
        observation, _ = envs.reset(seed=0)
        for _ in range(4):
            poses, target = envs._agents.poses, envs._agents.target
            for agent in range(2):
                here = views.render_view(int(poses.location[agent]), int(poses.view[agent]))
                assert np.array_equal(observation["image"][agent], here)
                assert np.array_equal(envs.render()[agent], here)
                for k, view in enumerate(TARGET_VIEWS):
                    there = views.render_view(int(target[agent]), int(view)).astype(float)
                    small = (there[::2, ::2] + there[1::2, ::2] + there[::2, 1::2] + there[1::2, 1::2]) / 4
                    assert np.abs(observation["target"][agent, k] - small).max() <= 0.5
            # The second agent stops, and has a new target in the step after.
            observation, *_ = envs.step(np.array([1, 0]))

    def test_rendering_shows_what_the_camera_sees(self, sample_with_panoramas):
        env = gymnasium.make(NAME, atlas=sample_with_panoramas, observation="pixels", render_mode="rgb_array")
        observation, _ = env.reset(seed=0)
        assert np.array_equal(env.render(), observation["image"])


class TestMistakes:
    @pytest.mark.parametrize(
        ("arguments", "says"),
        [
            ({"observation": "smells"}, "no observation 'smells'; choose one of indices, features, pixels"),
            ({"observation": "features"}, "view features"),
            ({"observation": "pixels"}, "no panoramas"),
            ({"render_mode": "rgb_array"}, "no panoramas"),
            ({"min_path": 1}, "min_path=1"),
            ({"min_path": 6, "max_path": 5}, "max_path=5"),
            ({"max_steps": 0}, "max_steps=0"),
            ({"success_distance": -1.0}, "success_distance=-1.0"),
            ({"success_distance": float("nan")}, "success_distance=nan"),
            ({"atlas": "/nowhere"}, "/nowhere is no atlas"),
        ],
    )
    def test_each_is_one_clear_sentence(self, arguments, says):
        arguments.setdefault("observation", "indices")
        with pytest.raises(InputError, match=says):
            NavigateEnv(**arguments)
        with pytest.raises(InputError, match=says):
            NavigateVectorEnv(2, **arguments)

    def test_an_unknown_setting_is_named(self):
        with pytest.raises(TypeError, match="max_stepps"):
            gymnasium.make(NAME, max_stepps=3)

    def test_nobody_to_act(self):
        with pytest.raises(InputError, match="num_envs=0"):
            NavigateVectorEnv(0)


class TestVector:
    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("kind", "agents", "steps"), [("indices", 7, 3000), ("features", 3, 300), ("pixels", 2, 12)]
    )
    def test_each_agent_does_what_it_does_alone(self, kind, agents, steps, atlas_for):
        """Sub-environment i with seed s is the single environment with seed s + i, resets included."""
        arguments = {"atlas": atlas_for[kind], "observation": kind, "max_steps": 12}
        envs = gymnasium.make_vec(NAME, agents, "vector_entry_point", **arguments)
        singles = [gymnasium.make(NAME, **arguments).unwrapped for _ in range(agents)]
        rng = np.random.default_rng(0)

        def same(i, batch, alone):
            assert batch.keys() - {key for key in batch if key[0] == "_"} == alone.keys()
            for key, value in alone.items():
                assert np.array_equal(batch[key][i], value), key

        observations, infos = envs.reset(seed=40)
        over = [False] * agents
        for i, single in enumerate(singles):
            observation, info = single.reset(seed=40 + i)
            same(i, observations, observation)
            same(i, infos, info)
        ends = 0
        for _ in range(steps):
            actions = rng.integers(0, envs.single_action_space.n, agents)
            observations, rewards, terminations, truncations, infos = envs.step(actions)
            assert observations in envs.observation_space
            for i, single in enumerate(singles):
                if over[i]:
                    (observation, info), reward, terminated, truncated = single.reset(), 0.0, False, False
                else:
                    observation, reward, terminated, truncated, info = single.step(actions[i])
                same(i, observations, observation)
                same(i, infos, info)
                assert (rewards[i], terminations[i], truncations[i]) == (reward, terminated, truncated)
                over[i] = terminated or truncated
                ends += over[i]
        assert ends >= steps * agents / 12

    def test_a_later_reset_goes_on_with_the_episodes(self):
        envs, single = NavigateVectorEnv(3), NavigateEnv()
        envs.reset(seed=0)
        observations, _ = envs.reset()
        single.reset(seed=2)
        observation, _ = single.reset()
        assert {key: int(values[2]) for key, values in observations.items()} == observation

    def test_what_was_returned_never_changes(self):
        envs = NavigateVectorEnv(4, max_steps=3)
        kept = [envs.reset(seed=0)]
        rng = np.random.default_rng(0)
        for _ in range(20):
            observation, *_, info = envs.step(rng.integers(0, envs.single_action_space.n, 4))
            kept.append((observation, info))
        copies = copy.deepcopy(kept)
        for _ in range(20):
            envs.step(rng.integers(0, envs.single_action_space.n, 4))
        assert data_equivalence(kept, copies, exact=True)

    def test_spaces_and_autoreset_are_declared(self):
        envs = gymnasium.make_vec(NAME, num_envs=3)
        assert isinstance(envs.unwrapped, NavigateVectorEnv)
        assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
        assert envs.observation_space["location"].shape == (3,)
        assert envs.action_space.shape == (3,)
        _, infos = envs.reset(seed=0)
        assert infos["action_mask"].shape == (3, envs.single_action_space.n)
        assert infos["_action_mask"].tolist() == [True] * 3

    def test_episode_statistics(self):
        """The wrapper's returns are those of the single environment, episode by episode."""
        agents, seed = 5, 3
        envs = RecordEpisodeStatistics(
            gymnasium.make_vec(NAME, num_envs=agents, max_steps=6), buffer_length=10_000
        )
        envs.reset(seed=seed)
        expected = [[] for _ in range(agents)]
        singles = [
            gymnasium.wrappers.RecordEpisodeStatistics(NavigateEnv(max_steps=6)) for _ in range(agents)
        ]
        for i, single in enumerate(singles):
            single.reset(seed=seed + i)
        found = [[] for _ in range(agents)]
        rng = np.random.default_rng(1)
        over = np.zeros(agents, dtype=bool)
        for _ in range(500):
            actions = rng.integers(0, envs.single_action_space.n, agents)
            *_, terminations, truncations, infos = envs.step(actions)
            for i, single in enumerate(singles):
                if over[i]:
                    single.reset()
                    continue
                *_, info = single.step(actions[i])
                if "episode" in info:
                    expected[i].append((info["episode"]["r"], info["episode"]["l"]))
            over = terminations | truncations
            for i in np.flatnonzero(infos.get("_episode", np.zeros(agents, dtype=bool))):
                found[i].append((infos["episode"]["r"][i], infos["episode"]["l"][i]))
        assert sum(map(len, found)) == envs.episode_count > 500
        for i in range(agents):
            assert np.array(found[i]) == pytest.approx(np.array(expected[i]), abs=1e-9)

    def test_information_as_a_list(self):
        envs = DictInfoToList(gymnasium.make_vec(NAME, num_envs=2))
        _, infos = envs.reset(seed=0)
        _, info = NavigateEnv().reset(seed=1)
        assert infos[1].keys() == info.keys()
        assert infos[1]["distance"] == info["distance"]

    def test_it_closes(self):
        envs = gymnasium.make_vec(NAME, num_envs=2)
        envs.reset()
        envs.close()
        assert envs.closed
