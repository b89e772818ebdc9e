"""The map of a walk against a plain one: Dijkstra over the ways that were in sight."""

import heapq

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_splits import splits
from splits import sample_split

from helpanna.agents.mapping.episode_map import NEVER, EpisodeMap
from helpanna.assistance.assistants import Anna
from helpanna.episodes.episodes import Episodes
from helpanna.episodes.perception import Perception
from helpanna.randomness import choices, uniforms


class PlainMap:
    """One agent's map by location ids, as simply as can be."""

    def __init__(self):
        self.order, self.visits, self.ways = [], {}, {}

    def look(self, atlas, here, view, step):
        for place in atlas.action_location[here, view]:
            if place >= 0 and int(place) not in self.order:
                self.order.append(int(place))
        self.visits.setdefault(here, []).append(step)
        for place in atlas.action_location[here, view, 1:]:
            if place >= 0:
                metres = float(np.linalg.norm(atlas.position[place] - atlas.position[here]))
                self.ways[here, int(place)] = self.ways[int(place), here] = metres

    def metres(self, start):
        best, queue = {}, [(0.0, start)]
        while queue:
            metres, here = heapq.heappop(queue)
            if here in best:
                continue
            best[here] = metres
            for (a, b), way in self.ways.items():
                if a == here and b not in best:
                    heapq.heappush(queue, (metres + way, b))
        return best


def wander(split, tasks, budget, seed):
    """Random walks with requests; after every look gives the maps, the plain maps, the observation."""
    episodes = Episodes(split, Anna(split), tasks, budget)
    perception, maps = Perception(split), EpisodeMap(len(tasks))
    plain = [PlainMap() for _ in tasks]
    while episodes.active.any():
        seen = episodes.observe()
        ways = perception.ways(seen)
        maps.observe(seen, ways)
        for b in np.flatnonzero(seen.active):
            plain[b].look(split.atlas, int(seen.panorama[b]), int(seen.view[b]), seen.step)
        yield maps, plain, seen, ways
        moves = seen.candidates.mask.sum(axis=1) - 1
        action = np.minimum(1 + choices(seed, "move", np.maximum(moves, 1), seen.task, seen.step), moves)
        ask = uniforms(seed, "ask", seen.task, seen.step) < 0.2
        maps.note_requests(ask & seen.can_ask & seen.active)
        episodes.step(ask, action)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(splits(), st.integers(0, 1000))
def test_the_map_is_what_was_in_sight(split, seed):
    tasks = np.arange(min(len(split), 5))
    for maps, plain, seen, _ in wander(split, tasks, 12, seed):
        for b in np.flatnonzero(seen.active):
            own, here = plain[b], int(seen.panorama[b])
            assert maps.count[b] == len(own.order)
            assert own.order[maps.here[b]] == here
            start = split.start[tasks[b]]
            for n, location in enumerate(own.order):
                offset = split.atlas.position[location] - split.atlas.position[start]
                assert maps.position[b, n] == pytest.approx(offset, abs=1e-3)
                steps = own.visits.get(location, [NEVER])
                assert (maps.first_visit[b, n], maps.last_visit[b, n]) == (steps[0], steps[-1])
                assert maps.panorama[b, n] == (location if location in own.visits else -1)
            metres = own.metres(here)
            expected = [metres.get(location, np.inf) for location in own.order]
            assert maps.distance[b, maps.here[b], : len(own.order)] == pytest.approx(expected, abs=1e-3)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(splits(), st.integers(0, 1000))
def test_walking_to_a_known_place_takes_the_shortest_known_way(split, seed):
    tasks = np.arange(min(len(split), 5))
    for maps, plain, seen, ways in wander(split, tasks, 8, seed):
        place = choices(seed, "place", maps.count, seen.task, seen.step)
        action = maps.action_towards(place, seen, ways)
        for b in np.flatnonzero(seen.active):
            goal, here = plain[b].order[place[b]], int(seen.panorama[b])
            left = plain[b].metres(here)
            if goal == here or goal not in left:
                assert action[b] == 0
                continue
            there = int(split.atlas.action_location[here, seen.view[b], action[b]])
            assert action[b] > 0
            rest = plain[b].metres(there)[goal]
            assert plain[b].ways[here, there] + rest == pytest.approx(left[goal], abs=1e-3)


def test_what_was_seen_and_not_visited_has_a_glimpse():
    split = sample_split()
    tasks = np.arange(min(len(split), 4))
    for maps, _, seen, _ in wander(split, tasks, 10, 3):
        frontier = maps.frontier
        assert (maps.glimpse[frontier] >= 0).all()
        assert not (frontier & maps.visited).any()
        for b in np.flatnonzero(seen.active):
            near = seen.candidates.place[b][seen.candidates.mask[b]][1:]
            for n in near[~maps.visited[b, near]]:
                assert maps.glimpse[b, n] == seen.panorama[b]
                assert maps.glimpse_from[b, n] == maps.here[b]
