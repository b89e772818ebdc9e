import copy
import dataclasses
import warnings
from functools import cache

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from splits import sample_split

from helpanna.assistance.assistants import Absent, Anna, Answers, Limited, Noisy
from helpanna.environments.hanna import HannaEnv, HannaVectorEnv
from helpanna.episodes.episodes import Episodes
from helpanna.episodes.outcomes import outcomes_of
from helpanna.errors import InputError
from helpanna.tasks.dataset import save_dataset
from helpanna.tasks.sampling import PathRange
from helpanna.tasks.vocabulary import UNKNOWN, Vocabulary
from helpanna.worlds.geometry import VIEWS
from helpanna.worlds.storage import save_atlas
from helpanna.worlds.views import ViewFeatures, Views

NAME = "helpanna/HANNA-v0"
KINDS = ("indices", "features", "pixels")


@cache
def small_split():
    """The sample split with features that tell every view of every location."""
    split = sample_split()
    numbers = np.arange(1, 1 + split.atlas.location_count * VIEWS * 2).reshape(-1, VIEWS, 2) / 1000
    features = ViewFeatures("numbers", numbers.astype(np.float32), {"kind": "numbers"})
    return with_views(split, Views({"numbers": features}))


def with_views(split, views):
    return dataclasses.replace(split, atlas=dataclasses.replace(split.atlas, views=views))


@pytest.fixture(scope="session")
def split_for(sample_with_panoramas):
    """A split whose atlas can show each kind of observation."""
    return {
        "indices": sample_split(),
        "features": small_split(),
        "pixels": dataclasses.replace(sample_split(worlds=1), atlas=sample_with_panoramas),
    }


def any_action(rng, info):
    """Mostly an action that exists, seldom stop; sometimes any."""
    there = np.flatnonzero(info["action_mask"])
    if rng.random() < 0.1:
        return int(rng.integers(len(info["action_mask"])))
    return int(rng.choice(there[1:] if len(there) > 1 and rng.random() < 0.9 else there))


def saved(folder, **splits):
    """The splits, which share an atlas, as a dataset folder."""
    atlas = next(iter(splits.values())).atlas
    save_atlas(atlas, folder / "atlas")
    save_dataset(folder / "dataset", splits, [(atlas, folder / "atlas")], 0, PathRange(), {})
    return folder / "dataset"


class TestContract:
    @pytest.mark.slow
    @pytest.mark.parametrize("kind", KINDS)
    def test_the_checker_has_no_complaint(self, kind, split_for):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            made = gymnasium.make(NAME, data=split_for[kind], observation=kind)
            check_env(made.unwrapped)
            # Without a spec the checker cannot try render modes and warns of that alone.
            check_env(HannaEnv(split_for[kind], observation=kind), skip_render_check=True)

    @pytest.mark.parametrize("kind", KINDS)
    def test_gymnasiums_own_vector_environment_can_hold_it(self, kind, split_for):
        envs = gymnasium.make_vec(
            NAME, num_envs=2, vectorization_mode="sync", data=split_for[kind], observation=kind
        )
        observation, _ = envs.reset(seed=1)
        assert observation in envs.observation_space

    def test_a_dataset_folder_will_do(self, tmp_path):
        split = sample_split()
        saved(tmp_path, train=split)
        from_folder = gymnasium.make(NAME, data=tmp_path / "dataset", observation="indices")
        from_memory = gymnasium.make(NAME, data=split, observation="indices")
        assert data_equivalence(from_folder.reset(seed=5), from_memory.reset(seed=5), exact=True)
        with pytest.raises(InputError, match="no split 'val_seen'"):
            HannaEnv(tmp_path / "dataset", split="val_seen")

    def test_a_copied_environment_shares_its_split(self):
        split = small_split()
        env = gymnasium.make(NAME, data=split)
        assert env.spec.kwargs["data"] is split
        assert copy.deepcopy(split) is split

    @pytest.mark.parametrize("env", [HannaEnv(small_split()), HannaVectorEnv(2, small_split())])
    def test_nobody_acts_before_the_beginning(self, env):
        with pytest.raises(ResetNeeded, match="reset"):
            env.step(np.array([1, 1]))

    @pytest.mark.parametrize(
        ("arguments", "says"),
        [
            ({"data": None}, "give data=, a dataset folder"),
            ({"data": "/nowhere"}, "/nowhere"),
            ({"data": dataclasses.replace(small_split(), goal_set=np.zeros(0))}, "has no tasks"),
            ({"budget": 0}, "budget=0"),
            ({"assistant": "nanny"}, "no assistant 'nanny'"),
            ({"observation": "smells"}, "no observation 'smells'"),
            ({"data": sample_split()}, "view features"),
            ({"data": dataclasses.replace(sample_split(), name="val_seen")}, "give vocabulary="),
            ({"observation": "pixels"}, "no panoramas"),
            ({"render_mode": "rgb_array"}, "no panoramas"),
        ],
    )
    def test_each_mistake_is_one_clear_sentence(self, arguments, says):
        arguments = {"data": small_split(), **arguments}
        with pytest.raises(InputError, match=says):
            HannaEnv(**arguments)
        with pytest.raises(InputError, match=says):
            HannaVectorEnv(2, **arguments)

    def test_nobody_to_act(self):
        with pytest.raises(InputError, match="num_envs=0"):
            HannaVectorEnv(0, small_split())


class TestEpisodes:
    @pytest.mark.slow
    def test_it_is_algorithm_1(self):
        """What the environment shows, step by step, is what `Episodes` records."""
        split = small_split()
        assistant = Noisy(Anna(split, random_ties=True), 0.5)  # its draws are addressed by time step
        env = HannaEnv(split, budget=30, assistant=assistant, observation="indices")
        known = Vocabulary.of(split.texts)
        rng = np.random.default_rng(0)
        requests = departures = 0
        for seed in range(60):
            observation, info = env.reset(seed=seed)
            task = int(env._agents.states.task[0])
            episodes = Episodes(split, assistant, [task], budget=30)
            over = False
            while not over:
                seen = episodes.observe()
                assert observation["location"] == seen.panorama[0]
                for key in ("view", "on_route"):
                    assert observation[key] == getattr(seen, key)[0]
                assert observation["has_target"] == (seen.target[0] >= 0)
                assert observation["target"] == max(0, seen.target[0])
                assert np.array_equal(observation["tokens"], known.tokens([info["instruction"]])[0][0])
                assert info["instruction"] == split.texts[seen.text[0]]
                assert info["request"] == split.texts[split.goal_set[task]]
                mask = [*seen.candidates.mask[0].tolist(), bool(seen.can_ask[0])]
                assert info["action_mask"].tolist() == mask
                there = np.flatnonzero(info["action_mask"])
                action = int(rng.choice(there[1:] if rng.random() < 0.9 else there))
                asks = action == env.action_space.n - 1
                episodes.step([asks], [0 if asks else action])
                observation, _, terminated, truncated, info = env.step(action)
                over = terminated or truncated
                assert over == (not episodes.active[0])
            recorded = episodes.trajectories()
            assert info["requests"] == recorded.asked.sum()
            assert info["distance"] == split.goal_sets.distance_from(split.goal_set[task], recorded.final[0])
            assert terminated == (recorded.action[0, recorded.length[0] - 1] == 0 and not truncated)
            requests += int(recorded.asked.sum())
            departures += int((recorded.on_route & (recorded.action == 0)).sum())
        assert requests > 20
        assert departures > 3

    @pytest.mark.slow
    def test_the_reward_is_progress_success_and_the_price_of_requests(self):
        split = small_split()
        settings = {"progress_weight": 0.5, "success_reward": 7.0, "request_price": 3.0}
        env = HannaEnv(split, budget=25, **settings)
        rng = np.random.default_rng(1)
        seen = set()
        for seed in range(150):
            _, info = env.reset(seed=seed)
            over = False
            while not over:
                before = info
                action = any_action(rng, info)
                if before["distance"] <= 2 and before["requests"]:
                    action = 0
                _, reward, terminated, truncated, info = env.step(action)
                asked = info["requests"] - before["requests"]
                success = (terminated or truncated) and info["distance"] <= 2
                progress = before["distance"] - info["distance"]
                assert info["success"] == success
                assert reward == pytest.approx(0.5 * progress + 7.0 * success - 3.0 * asked)
                over = terminated or truncated
                seen.add((terminated, success, asked))
        assert seen == {(True, True, 0), (True, False, 0), (False, False, 0), (False, False, 1)}

    def test_success_is_what_the_metrics_call_success_also_where_time_runs_out(self):
        """Agents that never stop: some are near a goal when their time is up."""
        split = sample_split()
        env = HannaEnv(split, observation="indices", budget=4, success_reward=1000.0)
        near = set()
        for seed in range(60):
            env.reset(seed=seed)
            states = env._agents.states
            episodes = Episodes(split, Absent(), [int(states.task[0])], budget=4)
            truncated = False
            while not truncated:
                _, reward, terminated, truncated, info = env.step(1)
                episodes.step([False], [1])
                assert not terminated and info["success"] <= truncated
            (final,) = outcomes_of(split, episodes.trajectories()).final_distance
            assert info["success"] == (final <= 2) == (reward > 500)
            near.add(info["success"])
        assert near == {True, False}

    def test_requests_outside_zones_and_missing_moves_only_cost_the_step(self):
        env = HannaEnv(small_split(), budget=3)
        found = set()
        for seed in range(40):
            observation, info = env.reset(seed=seed)
            missing = np.flatnonzero(info["action_mask"] == 0)
            if not len(missing):
                continue
            for step in (1, 2, 3):
                again, reward, terminated, truncated, later = env.step(int(missing[-1]))
                assert data_equivalence(again, observation, exact=True)
                assert (reward, terminated, truncated) == (0.0, False, step == 3)
                assert later["invalid_action"]
                assert later["requests"] == 0
            found.add(bool(missing[-1] == env.action_space.n - 1))
            env.reset(seed=seed)
            assert not env.step(1)[4]["invalid_action"]
        assert found == {True, False}

    def test_the_assistant_can_be_named_or_given(self):
        split = small_split()
        help_ = split.atlas.action_count
        start = [seed for seed in range(60) if HannaEnv(split).reset(seed=seed)[1]["action_mask"][help_]]
        for assistant in ("limited:1", Limited(Anna(split), 1)):
            env = HannaEnv(split, assistant=assistant)
            env.reset(seed=start[0])
            observation, *_, info = env.step(help_)
            assert observation["on_route"] == 1
            assert info["requests"] == 1
            assert not info["action_mask"][help_]
        for assistant in ("absent", Absent()):
            assert not HannaEnv(split, assistant=assistant).reset(seed=start[0])[1]["action_mask"][help_]

    def test_every_task_is_met(self):
        split = small_split()
        envs = HannaVectorEnv(20 * len(split), split)
        envs.reset(seed=0)
        counts = np.bincount(envs._agents.states.task, minlength=len(split))
        assert counts.min() > 0
        assert np.abs(counts - 20).max() < 6 * np.sqrt(20)

    def test_resets_of_one_seed_are_the_same(self):
        env = HannaEnv(small_split())
        first = [env.reset(seed=9)] + [env.reset() for _ in range(9)]
        again = [env.reset(seed=9)] + [env.reset() for _ in range(9)]
        assert data_equivalence(first, again, exact=True)
        assert len({(o["panorama"].tobytes(), o["tokens"].tobytes()) for o, _ in first}) > 5


class TestObservations:
    @pytest.mark.parametrize("kind", ["features", "pixels"])
    def test_what_is_shown_is_what_is_there(self, kind, split_for):
        split = split_for[kind]
        env = HannaEnv(split, observation=kind, budget=12)
        indices = HannaEnv(split, observation="indices", budget=12)
        rng = np.random.default_rng(0)
        found = set()
        for seed in range(20 if kind == "features" else 3):
            (shown, info), (at, _) = env.reset(seed=seed), indices.reset(seed=seed)
            over = False
            while not over:
                for key in ("tokens", "on_route", "has_target"):
                    assert np.array_equal(shown[key], at[key])
                found.add(shown["has_target"])
                slot = split.atlas.action_slot[at["location"], at["view"]]
                assert shown["slots"].tolist() == np.where(slot < 0, 37, slot).tolist()
                if kind == "features":
                    # A row for each turn to the right of where the camera looks, at each of three elevations.
                    ahead = [12 * (k // 12) + (at["view"] + k) % 12 for k in range(VIEWS)]
                    array = split.atlas.views.get().array
                    assert np.array_equal(shown["panorama"], array[at["location"]][ahead])
                    there = array[at["target"]][ahead] if shown["has_target"] else np.zeros_like(array[0])
                    assert np.array_equal(shown["target"], there)
                else:
                    view = split.atlas.views.render_view(at["location"], at["view"])
                    assert np.array_equal(shown["image"], view)
                    assert shown["target"].any() == shown["has_target"]
                action = max(1, any_action(rng, info))
                shown, _, terminated, truncated, info = env.step(action)
                at = indices.step(action)[0]
                over = terminated or truncated
        assert found == {0, 1}

    def test_slots_name_the_row_of_the_view_that_each_action_goes_to(self):
        split = small_split()
        env = HannaEnv(split, budget=15)
        array = split.atlas.views.get().array
        rng = np.random.default_rng(0)
        for seed in range(20):
            shown, info = env.reset(seed=seed)
            over = False
            while not over:
                action = any_action(rng, info)
                slot = shown["slots"][action] if action < len(shown["slots"]) else 36
                row = shown["panorama"][slot] if slot < VIEWS else None
                location = env._agents.poses.location[0]
                shown, _, terminated, truncated, info = env.step(action)
                if row is not None:
                    assert np.array_equal(row, array[location, env._agents.poses.view[0]])
                over = terminated or truncated

    def test_at_the_target_both_panoramas_are_the_same(self):
        split = small_split()
        env = HannaEnv(split)
        help_ = split.atlas.action_count
        met = 0
        for seed in range(40):
            _, info = env.reset(seed=seed)
            if not info["action_mask"][help_]:
                continue
            shown, *_ = env.step(help_)
            states = env._agents.states
            while states.poses.location[0] != states.target[0]:
                assert not np.array_equal(shown["panorama"], shown["target"])
                pose = states.poses.location, states.poses.view
                shown, *_ = env.step(int(split.atlas.actions_towards(*pose, states.target)[0]))
            assert np.array_equal(shown["panorama"], shown["target"])
            met += 1
        assert met > 5

    @pytest.mark.parametrize("kind", KINDS)
    def test_no_part_of_the_space_is_negative_but_features(self, kind, split_for):
        space = HannaEnv(split_for[kind], observation=kind).observation_space
        for key, part in space.items():
            assert getattr(part, "start", 0) == 0
            assert part.dtype.kind == "f" or key == "image" or np.min(getattr(part, "low", 0)) == 0


class TestWords:
    def test_the_vocabulary_is_that_of_the_training_split(self, tmp_path):
        train = small_split()
        texts = tuple(text.replace("walk", "saunter") for text in train.routes.instructions)
        routes = dataclasses.replace(train.routes, instructions=texts)
        requests = train.texts[: len(train.goal_sets)]
        unseen = dataclasses.replace(train, name="val_seen", routes=routes, texts=requests + texts)
        folder = saved(tmp_path, train=train, val_seen=unseen)

        known = Vocabulary.of(train.texts)
        for env in (
            HannaEnv(folder, split="val_seen", observation="indices"),
            HannaVectorEnv(2, folder, split="val_seen", observation="indices"),
            HannaEnv(unseen, vocabulary=known),
        ):
            assert env.vocabulary.words == known.words
            assert "walk" in env.vocabulary.words and "saunter" not in env.vocabulary.words
        env.reset(seed=self.near_help(env))
        observation, *_, info = env.step(env.action_space.n - 1)
        assert info["instruction"].startswith("saunter ")
        assert observation["tokens"][0] == UNKNOWN
        assert observation["tokens"][1] == known.tokens([info["instruction"]])[0][0, 1] > UNKNOWN
        assert observation in env.observation_space

    def test_a_dataset_without_a_training_split_needs_a_vocabulary(self, tmp_path):
        folder = saved(tmp_path, val_seen=dataclasses.replace(small_split(), name="val_seen"))
        with pytest.raises(InputError, match="give vocabulary="):
            HannaEnv(folder, split="val_seen", observation="indices")

    def test_what_an_assistant_says_in_its_own_words_can_be_read(self):
        split = small_split()

        class Talker:
            """Says something else at every step, without a route and without a picture."""

            def attends(self, requests):
                return np.ones(len(requests), dtype=bool)

            def answer(self, requests):
                words = [f"Walk past zebra {step} and stop" for step in requests.step]
                return dataclasses.replace(Answers.none(len(requests)), words=words)

        ask = split.atlas.action_count
        for envs in (HannaVectorEnv(3, split, assistant=Talker()), HannaEnv(split, assistant=Talker())):
            envs.reset(seed=0)
            for step in range(3):
                actions = np.full(3, ask) if isinstance(envs, HannaVectorEnv) else ask
                observation, *_, info = envs.step(actions)
                text = f"Walk past zebra {step} and stop"
                assert np.all(info["instruction"] == text)
                assert np.all(observation["tokens"] == envs.vocabulary.tokens([text])[0][0])
                assert observation in envs.observation_space
                assert np.all(np.array(observation["on_route"]) == 1)
                assert not np.any(observation["has_target"]) and not observation["target"].any()
        tokens = observation["tokens"][:6].tolist()
        assert tokens[2] == UNKNOWN < tokens[0] and envs.vocabulary.words[tokens[5] - 2] == "stop"

    def near_help(self, env):
        return next(seed for seed in range(99) if env.reset(seed=seed)[1]["action_mask"][-1])


class TestMasks:
    def test_masks_are_those_of_the_information(self):
        envs = HannaVectorEnv(5, small_split(), budget=9)
        alone = gymnasium.make(NAME, data=small_split(), budget=9)
        _, infos = envs.reset(seed=0)
        _, info = alone.reset(seed=0)
        rng = np.random.default_rng(0)
        for _ in range(40):
            masks, mask = envs.action_masks(), alone.get_wrapper_attr("action_masks")()
            assert masks.dtype == mask.dtype == bool
            assert np.array_equal(masks, infos["action_mask"])
            assert np.array_equal(mask, info["action_mask"])
            assert masks[:, 0].all()
            *_, infos = envs.step(np.array([any_action(rng, {"action_mask": row}) for row in masks]))
            *_, terminated, truncated, info = alone.step(any_action(rng, info))
            if terminated or truncated:
                _, info = alone.reset()


class TestVector:
    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("kind", "agents", "steps"), [("indices", 7, 1500), ("features", 3, 200), ("pixels", 2, 12)]
    )
    def test_each_agent_does_what_it_does_alone(self, kind, agents, steps, split_for):
        """Sub-environment i with seed s is the single environment with seed s + i, resets included."""
        arguments = {"data": split_for[kind], "observation": kind, "budget": 12, "request_price": 0.5}
        arguments["assistant"] = "noisy:0.5,priced:1step"
        envs = gymnasium.make_vec(NAME, agents, "vector_entry_point", **arguments)
        singles = [gymnasium.make(NAME, **arguments).unwrapped for _ in range(agents)]
        rng = np.random.default_rng(0)

        def same(i, batch, alone):
            assert batch.keys() - {key for key in batch if key[0] == "_"} == alone.keys()
            for key, value in alone.items():
                assert np.array_equal(batch[key][i], value), key

        observations, infos = envs.reset(seed=40)
        alone = []
        for i, single in enumerate(singles):
            observation, info = single.reset(seed=40 + i)
            same(i, observations, observation)
            same(i, infos, info)
            alone.append(info)
        over = [False] * agents
        ends = asked = 0
        for _ in range(steps):
            actions = np.array([any_action(rng, info) for info in alone])
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
                alone[i] = info
                over[i] = terminated or truncated
                ends += over[i]
                asked += int(observation["on_route"])
        assert ends >= steps * agents / 13
        assert asked > 0

    def test_what_was_returned_never_changes(self):
        envs = HannaVectorEnv(6, small_split(), budget=5)
        kept = [envs.reset(seed=0)]
        rng = np.random.default_rng(0)

        def act():
            return np.array([any_action(rng, {"action_mask": m}) for m in kept[-1][1]["action_mask"]])

        for _ in range(30):
            observation, *_, info = envs.step(act())
            kept.append((observation, info))
        copies = copy.deepcopy(kept)
        for _ in range(30):
            envs.step(act())
        assert data_equivalence(kept, copies, exact=True)

    def test_spaces_and_autoreset_are_declared(self):
        envs = gymnasium.make_vec(NAME, num_envs=3, data=small_split())
        assert isinstance(envs.unwrapped, HannaVectorEnv)
        assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
        _, infos = envs.reset(seed=0)
        assert infos["action_mask"].shape == (3, envs.single_action_space.n)
        assert [type(text) for text in infos["instruction"]] == [str] * 3

    def test_episode_statistics(self):
        envs = RecordEpisodeStatistics(gymnasium.make_vec(NAME, num_envs=4, data=small_split(), budget=6))
        _, infos = envs.reset(seed=0)
        rng = np.random.default_rng(0)
        for _ in range(200):
            actions = np.array([any_action(rng, {"action_mask": mask}) for mask in infos["action_mask"]])
            *_, infos = envs.step(actions)
        assert envs.episode_count > 100
        assert max(envs.length_queue) == 6
