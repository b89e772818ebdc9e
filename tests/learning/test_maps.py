"""Learning to choose among places: the teacher's labels, and runs that stop, go on and learn."""

import numpy as np
import pytest
import torch
from crossroads import crossroads
from learners import seen_split
from lessons import lesson, small_trainer
from runs import fingerprints

from helpanna.agents.mapping.agent import MapAgent
from helpanna.agents.mapping.episode_map import EpisodeMap
from helpanna.agents.mapping.network import MapNetworkConfig
from helpanna.agents.names import make_agent
from helpanna.assistance.assistants import Anna
from helpanna.episodes.episodes import Episodes
from helpanna.episodes.perception import Perception
from helpanna.errors import InputError
from helpanna.evaluation.metrics import evaluate
from helpanna.evaluation.runner import run_episodes
from helpanna.learning import learners
from helpanna.learning.lessons import Lesson
from helpanna.learning.map_losses import how_right
from helpanna.learning.maps import ROUTE_LESSON, roll_out_maps
from helpanna.randomness import uniforms
from helpanna.teachers.mapping import NO_REFERENCE, MapTeacher, best_places


def small_map_trainer(run, small, hidden=16, dropout=0.2, **settings):
    config = MapNetworkConfig(
        small.features.size, len(small.vocabulary), hidden, 2, dropout=dropout, look_dropout=dropout
    )
    return small_trainer(run, small, config, kind="map", **({"curiosity": 0.0} | settings))


def test_who_follows_the_teacher_arrives_by_the_shortest_way_it_can_know():
    """Step by step towards its place, with requests in between; every subtask and task ends at its target."""
    split = seen_split()
    tasks = np.arange(60)
    episodes, perception = Episodes(split, Anna(split), tasks), Perception(split)
    known, teacher = EpisodeMap(len(tasks)), MapTeacher(split, len(tasks))
    while episodes.active.any():
        seen = episodes.observe()
        ways = perception.ways(seen)
        known.observe(seen, ways)
        place = best_places(teacher.metres(known, seen))
        assert (place[seen.active] != NO_REFERENCE).all()
        action = known.action_towards(np.where(seen.active, place, known.here), seen, ways)
        ask = ~seen.on_route & (uniforms(0, "test ask", seen.task, seen.step) < 0.2)
        stops = seen.active & ~(ask & seen.can_ask) & (action == 0)
        at = np.where(seen.target >= 0, seen.target, seen.panorama)
        left = np.where(
            seen.target >= 0,
            split.atlas.distances(seen.panorama, at),
            split.goal_sets.distance_from(split.goal_set[seen.task], seen.panorama),
        )
        assert (left[stops] == 0).all()
        episodes.step(ask, action)
    done = episodes.trajectories()
    assert done.asked.sum() > 20
    assert evaluate(split, done)["success_rate"].value > 0.95  # some have not enough time


@pytest.mark.slow
@pytest.mark.parametrize("more", [{}, {"updates": 2, "lesson_share": 0.5}])
def test_a_run_may_be_done_in_parts(tmp_path, more):
    small = lesson(tasks=12, validation=4)
    options = {"iterations": 3, "save_every": 2, "evaluate_every": 2, "budget": 4, "batch_size": 4} | more
    small_map_trainer(tmp_path / "whole", small, **options).train()
    for end in (1, None):
        small_map_trainer(tmp_path / "parts", small, **options).train(until=end)
    assert fingerprints(tmp_path / "parts") == fingerprints(tmp_path / "whole")


def test_a_saved_agent_acts_as_the_trained_one(tmp_path):
    small = lesson(tasks=12)
    trainer = small_map_trainer(tmp_path, small, iterations=2, save_every=2)
    trainer.train()
    agent = make_agent(str(tmp_path / "last"), small.train)
    assert isinstance(agent, MapAgent)
    own = MapAgent(
        trainer.networks.eval(), small.vocabulary, dict(small.features.space), habits=trainer.habits
    )
    walks = [run_episodes(small.train, who, Anna(small.train), range(12)) for who in (agent, own)]
    assert np.array_equal(walks[0].location, walks[1].location)


@pytest.mark.parametrize(
    ("option", "value"), [("curiosity", 1.0), ("tolerance", -1.0), ("asking", "no_ask"), ("learn_from", 0.0)]
)
def test_what_it_cannot_do_is_refused(tmp_path, option, value):
    with pytest.raises(InputError, match=f"--{option.replace('_', '-')} is {value}"):
        small_map_trainer(tmp_path, lesson(tasks=12), **{option: value})


def test_words_in_sight_must_be_known(tmp_path):
    small = lesson(tasks=12)
    config = MapNetworkConfig(small.features.size, len(small.vocabulary), 16, 2, words_in_sight=True)
    with pytest.raises(InputError, match="no words in sight"):
        small_trainer(tmp_path, small, config, kind="map", curiosity=0.0)


def test_a_lesson_on_routes_is_short_and_on_routes(tmp_path):
    """Help is requested at once where it can be, the teacher walks, and nothing is learned about requests."""
    options = {"batch_size": 12, "budget": 20, "route_lessons": 1, "weight_decay": 0.0}
    small = lesson(tasks=12)
    trainer = small_map_trainer(tmp_path, small, **options)
    networks = trainer.networks
    before = {name: weight.clone() for name, weight in networks.named_parameters()}
    lessons, usual = (
        roll_out_maps(
            *(networks, trainer.lesson, trainer.habits, Anna(trainer.lesson.train), trainer.batch(0)),
            *(trainer.settings, on_routes),
        )
        for on_routes in (True, False)
    )
    (walked, decisions), (longer, _) = lessons, usual
    assert walked.length.max() == ROUTE_LESSON < longer.length.max()
    could = walked.can_ask & ~walked.on_route & walked.decided
    assert could.any() and (walked.asked == could).all()
    assert len(decisions) == ROUTE_LESSON
    trainer.train(until=1)
    changed = {name for name, weight in networks.named_parameters() if not torch.equal(weight, before[name])}
    assert "score.weight" in changed
    assert not changed & {"ask.weight", "ask.bias", "reasons.0.weight", "reasons.2.bias"}


def test_a_batch_is_learned_from_in_parts_by_episode(tmp_path, monkeypatch):
    """Each decision once; the parts together give the gradient of the whole."""
    learned = []
    losses = learners.map_losses

    def noted(network, vocabulary, experience, rows, settings):
        learned.append((experience, rows))
        return losses(network, vocabulary, experience, rows, settings)

    monkeypatch.setattr(learners, "map_losses", noted)
    small = lesson(tasks=12)
    options = {"batch_size": 12, "budget": 6, "dropout": 0.0, "learning_rate": 1e-30}
    small_map_trainer(tmp_path / "parts", small, updates=3, **options).train(until=1)
    assert len(learned) == 3
    experience = learned[0][0]
    assert all(other is experience for other, _ in learned)  # one rollout
    rows = [rows for _, rows in learned]
    assert np.array_equal(np.sort(np.concatenate(rows)), np.arange(len(experience)))
    whose = [set(experience.episode[part].tolist()) for part in rows]
    assert all(whose) and sum(map(len, whose)) == experience.episodes == 12

    network, words = small_map_trainer(tmp_path / "whole", small, **options), small.vocabulary
    settings = network.settings
    whole, _ = losses(network.networks, words, experience, np.arange(len(experience)), settings)
    parts = [losses(network.networks, words, experience, part, settings)[0] for part in rows]
    shares = [len(part) / len(experience) for part in rows]
    together = sum(part * share for part, share in zip(parts, shares, strict=True))
    assert float(together.detach()) == pytest.approx(float(whole.detach()), rel=1e-4)


@pytest.fixture
def walks(monkeypatch):
    """What is learned from, as it comes."""
    found = []
    gather = learners.experience_of

    def noted(some, settings):
        found.extend(some)
        return gather(some, settings)

    monkeypatch.setattr(learners, "experience_of", noted)
    return found


def test_a_share_of_the_episodes_are_lessons_to_the_end(tmp_path, walks):
    small = lesson(tasks=12)
    trainer = small_map_trainer(tmp_path, small, batch_size=12, budget=20, lesson_share=0.5, iterations=2)
    trainer.train()
    lessons = [len(walk.trajectories) for walk in walks if walk.on_routes]
    usual = [len(walk.trajectories) for walk in walks if not walk.on_routes]
    assert sum(lessons) + sum(usual) == 24 and 4 <= sum(lessons) <= 20
    for walk in list(walks):
        experience = learners.experience_of([walk], trainer.settings)
        assert experience.counts.any() != walk.on_routes
        assert not walk.on_routes or walk.trajectories.length.max() == ROUTE_LESSON


def test_a_share_of_the_episodes_is_without_help(tmp_path, walks):
    shares = {"lesson_share": 0.3, "alone_share": 0.4}
    small_map_trainer(tmp_path, lesson(tasks=12), batch_size=12, budget=8, iterations=2, **shares).train()
    alone = [walk for walk in walks if not walk.trajectories.can_ask.any()]
    assert 4 <= sum(len(walk.trajectories) for walk in alone) <= 16
    assert not any(walk.on_routes or walk.trajectories.asked.any() for walk in alone)
    assert any(walk.trajectories.asked.any() for walk in walks)
    assert sum(len(walk.trajectories) for walk in walks) == 24


def test_shares_of_a_batch_fit_in_it(tmp_path):
    with pytest.raises(InputError, match=r"--alone-share is 0\.7; give at most 0\.6 beside --lesson-share"):
        small_map_trainer(tmp_path, lesson(tasks=12), lesson_share=0.4, alone_share=0.7)


def test_other_networks_do_not_learn_in_parts(tmp_path):
    with pytest.raises(InputError, match="--updates is 2"):
        small_trainer(tmp_path, lesson(tasks=12), updates=2)


def test_a_share_of_the_steps_is_learned_from(tmp_path):
    small = lesson(tasks=12)
    counts = []
    for share in (1.0, 0.3):
        trainer = small_map_trainer(tmp_path, small, batch_size=12, budget=20, learn_from=share)
        walked, decisions = roll_out_maps(
            trainer.networks, small, trainer.habits, Anna(small.train), trainer.batch(0), trainer.settings
        )
        counts.append(sum(len(decision.episode) for decision in decisions) / walked.length.sum())
    assert counts[0] == 1
    assert counts[1] == pytest.approx(0.3, abs=0.1)


def test_places_little_further_are_right_too():
    metres = [np.array([[3.0, 2.0, np.inf], [np.inf, np.inf, np.inf]]), np.array([[1.0, 1.5]])]
    best = how_right(metres, 0)
    assert best[[0, 2]].tolist() == [[0, 1, 0], [1, 0, 0]]
    near = how_right(metres, 0.5)
    assert near[0] == pytest.approx(np.array([np.exp(-2), 1, 0]) / (1 + np.exp(-2)))
    assert near[2] == pytest.approx(np.array([1, np.exp(-1), 0]) / (1 + np.exp(-1)))
    assert not near[1].any()  # no target can be reached: there is nothing to learn


@pytest.mark.slow
def test_it_learns_to_ask_and_to_follow(tmp_path):
    split = crossroads()
    small = Lesson.of(split, {})
    trainer = small_map_trainer(
        tmp_path,
        small,
        hidden=32,
        dropout=0.0,
        iterations=120,
        batch_size=48,
        budget=7,
        learning_rate=2e-3,
        warm_up=5,
        hand_over=100,
        weight_decay=0.0,
        clip=5.0,
        save_every=1000,
        evaluate_every=1000,
    )
    trainer.train()
    folder = str(tmp_path / "last")

    def score(name):
        trajectories = run_episodes(split, make_agent(name, split), Anna(split), range(0, len(split), 2))
        return evaluate(split, trajectories)["success_rate"].value

    learned, no_ask = score(folder), score(f"{folder}+no_ask")
    assert learned >= 0.9
    assert no_ask <= 0.6  # one arm in six is right, and it may try some more
