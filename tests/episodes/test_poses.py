"""Stepping, against a plain implementation for one agent written from the rules of the world."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import atlases

from helpanna.episodes.poses import Poses

STEPS = 4


def unit(vector):
    length = math.sqrt(sum(x * x for x in vector))
    return [x / length for x in vector]


def view_direction(view):
    heading, elevation = math.radians(view % 12 * 30), math.radians((view // 12 - 1) * 30)
    level = math.cos(elevation)
    return [math.sin(heading) * level, math.cos(heading) * level, math.sin(elevation)]


def closeness(vector, view):
    """The larger the closer in angle; rounding is not to decide between equals."""
    return round(sum(a * b for a, b in zip(unit(vector), view_direction(view), strict=True)), 9)


def plain_actions(world, location, view):
    """The list of (next location, next view, slot): stop, then the neighbours, closest in angle first."""
    adjacent = [j for i, j in world.edges.tolist() if i == location]
    adjacent += [i for i, j in world.edges.tolist() if j == location]
    towards = {other: world.positions[other] - world.positions[location] for other in adjacent}
    actions = [(location, view, 36)]

    def order(other):
        """Among equal angles: to the right first, then the nearer, then the higher, then the lower id."""
        x, y, z = towards[other].tolist()
        turn = round(math.atan2(x, y) / math.tau - view % 12 / 12, 9) % 1
        return -closeness(towards[other], view), turn, round(math.hypot(x, y, z), 9), round(-z, 9), other

    for other in sorted(adjacent, key=order):
        facing = max(range(36), key=lambda v: (closeness(towards[other], v), -v))
        actions.append((other, facing, facing // 12 * 12 + (facing % 12 - view % 12) % 12))
    return actions


def plain_distances(world):
    """All shortest paths by Floyd and Warshall."""
    n = world.location_count
    distance = [[0.0 if i == j else math.inf for j in range(n)] for i in range(n)]
    for i, j in world.edges.tolist():
        distance[i][j] = distance[j][i] = math.dist(world.positions[i], world.positions[j])
    for k in range(n):
        for i in range(n):
            for j in range(n):
                distance[i][j] = min(distance[i][j], distance[i][k] + distance[k][j])
    return distance


@st.composite
def crowds(draw, max_agents=5):
    """An atlas with some agents in it: (atlas, locations, views)."""
    atlas = draw(atlases())
    agents = draw(st.integers(1, max_agents))
    numbers = st.integers(0, atlas.location_count - 1), st.integers(0, 35)
    location, view = (draw(st.lists(number, min_size=agents, max_size=agents)) for number in numbers)
    return atlas, np.array(location), np.array(view)


whims = st.lists(st.lists(st.integers(0, 99), min_size=5, max_size=5), min_size=STEPS, max_size=STEPS)


@pytest.mark.slow
@given(crowds(), whims)
def test_together_as_alone_as_by_the_rules(crowd, whims):
    atlas, location, view = crowd
    together = Poses(atlas, location, view)
    alone = [Poses(atlas, [at], [v]) for at, v in zip(location, view, strict=True)]
    for whim in whims:
        candidates = together.candidates()
        chosen = []
        for agent, single in enumerate(alone):
            at, v = int(together.location[agent]), int(together.view[agent])
            world, first = int(atlas.world_of[at]), int(atlas.world_start[atlas.world_of[at]])
            actions = plain_actions(atlas.world(world), at - first, v)
            count = len(actions)
            assert candidates.mask[agent].tolist() == [k < count for k in range(atlas.action_count)]
            assert candidates.location[agent, :count].tolist() == [first + action[0] for action in actions]
            assert candidates.view[agent, :count].tolist() == [action[1] for action in actions]
            assert candidates.slot[agent, :count].tolist() == [action[2] for action in actions]
            for field in ("location", "view", "slot", "mask"):
                mine = getattr(single.candidates(), field)
                assert np.array_equal(mine[0], getattr(candidates, field)[agent])
            chosen.append(whim[agent] % count)
            single.step([chosen[-1]])
        together.step(chosen)
        assert together.location.tolist() == [int(single.location[0]) for single in alone]
        assert together.view.tolist() == [int(single.view[0]) for single in alone]
        for agent, action in enumerate(chosen):
            assert together.location[agent] == candidates.location[agent, action]
            assert together.view[agent] == candidates.view[agent, action]


@pytest.mark.slow
@given(crowds(), st.integers(-3, 99), st.integers(0, 4))
def test_a_wrong_action_raises_and_nobody_moves(crowd, action, agent):
    atlas, location, view = crowd
    poses = Poses(atlas, location, view)
    agent %= len(poses)
    # Everybody else walks ahead where there is a way.
    actions = poses.candidates().mask.sum(axis=1) - 1
    actions[agent] = action if action < 0 else actions[agent] + 1 + action
    with pytest.raises(ValueError, match="action"):
        poses.step(actions)
    assert poses.location.tolist() == location.tolist()
    assert poses.view.tolist() == view.tolist()


@pytest.mark.parametrize("actions", [0, [0], [0, 0, 0], [[0, 0]]])
def test_a_wrong_number_of_actions_raises(sample, actions):
    with pytest.raises(ValueError, match="2 agents need 2 actions"):
        Poses(sample, [3, 4]).step(actions)


@pytest.mark.slow
@given(crowds(), st.data())
def test_teleport_moves_those_named_and_no_others(crowd, data):
    atlas, location, view = crowd
    poses = Poses(atlas, location, view)
    named = np.array(data.draw(st.lists(st.booleans(), min_size=len(poses), max_size=len(poses))))
    places = st.lists(
        st.integers(0, atlas.location_count - 1), min_size=int(named.sum()), max_size=int(named.sum())
    )
    goal = np.array(data.draw(places), dtype=np.int64)
    agents = named if data.draw(st.booleans()) else np.flatnonzero(named)
    poses.teleport(agents, goal, goal % 36)
    location[named], view[named] = goal, goal % 36
    assert poses.location.tolist() == location.tolist()
    assert poses.view.tolist() == view.tolist()


@pytest.mark.parametrize("pose", [(-1, 0), (10**6, 0), (0, -1), (0, 36)])
def test_nobody_can_be_put_outside_the_atlas(sample, pose):
    poses = Poses(sample, [3, 4], [5, 6])
    for put in (
        lambda: poses.teleport(np.array([0]), [pose[0]], [pose[1]]),
        lambda: poses.reset([3, pose[0]], [5, pose[1]]),
    ):
        with pytest.raises(ValueError, match="are 0 to"):
            put()
    assert (poses.location.tolist(), poses.view.tolist()) == ([3, 4], [5, 6])


def towards(poses, target):
    return poses.atlas.actions_towards(poses.location, poses.view, target)


@pytest.mark.slow
@given(crowds(), st.data())
def test_actions_towards_a_target_walk_a_shortest_path(crowd, data):
    atlas, location, view = crowd
    poses = Poses(atlas, location, view)
    targets = st.integers(0, atlas.location_count - 1)
    target = np.array(data.draw(st.lists(targets, min_size=len(poses), max_size=len(poses))))
    expected = []
    for at, goal in zip(location, target, strict=True):
        world = int(atlas.world_of[at])
        first = int(atlas.world_start[world])
        same = world == atlas.world_of[goal]
        expected.append(plain_distances(atlas.world(world))[at - first][goal - first] if same else math.inf)
    assert poses.distance_to(target) == pytest.approx(np.array(expected), rel=1e-6)

    reachable = np.isfinite(expected)
    assert (towards(poses, target) == -1).tolist() == (~reachable).tolist()
    walked = np.zeros(len(poses))
    for _ in range(atlas.location_count):
        before = atlas.position[poses.location]
        poses.step(np.maximum(towards(poses, target), 0))
        walked += np.linalg.norm(atlas.position[poses.location] - before, axis=-1)
    assert (poses.location == target).tolist() == reachable.tolist()
    assert towards(poses, target)[reachable].tolist() == [0] * int(reachable.sum())
    assert walked[reachable] == pytest.approx(np.array(expected)[reachable], rel=1e-6)
    assert (poses.location == location)[~reachable].all()
