"""Three episodes worked out by hand, from the messages to the metrics.

        y
        6           5                          edges in metres:
                    | 2
        4    6 -2-- 4           3              0-1  2    1-4  4    4-5  2
                    |  .        |              1-2  3    2-4  5    4-6  2
                  4 |    . 5    | 4            2-3  4
                    |       .   |
        0    0 -2-- 1 ---3----- 2              2-4 is the diagonal of a 3-4-5 triangle, so no two
                                               places are joined by two shortest paths.
        x    0      2           5

Mugs are found at 0 and at 3, a lamp at 4. Two assistants: one at 6, who knows the routes r0 = 6-4-1 (in two
instructions) and r1 = 6-4-2, and one at 5, who knows r2 = 5-4-2. Both hear requests at 4, 2 m away.

Level views: 12 looks north (+y), 15 east, 18 south, 21 west. From 4 to 2 one looks along 143.13 degrees,
which is closest to 150, view 17.
"""

import numpy as np
import pytest
from tiny import tiny_routes, tiny_world

from helpanna.assistance.assistants import Anna, Requests
from helpanna.episodes.episodes import Episodes
from helpanna.evaluation.metrics import evaluate
from helpanna.tasks.goals import build_goal_sets
from helpanna.tasks.split import Split
from helpanna.teachers.help_request import help_request_references
from helpanna.teachers.navigation import navigation_references
from helpanna.worlds.atlas import build_atlas

NORTH, EAST, SOUTHEAST, SOUTH, WEST = 12, 15, 17, 18, 21
LAMP, MUG = 0, 1  # goal sets, and the texts of their requests
R0_FIRST = 2  # the text of the first instruction of r0
NONE = -1
F, T = False, True
BUDGET = 10


@pytest.fixture(scope="module")
def split() -> Split:
    world = tiny_world(
        places=[(0, 0), (2, 0), (5, 0), (5, 4), (2, 4), (2, 6), (0, 4)],
        edges=[(0, 1), (1, 2), (2, 3), (1, 4), (2, 4), (4, 5), (4, 6)],
        objects=[("mug", 0), ("lamp", 4), ("mug", 3)],
    )
    atlas = build_atlas([world], source="test", licence="")
    routes = tiny_routes((6, 4, 1), (6, 4, 2), (5, 4, 2), views=[EAST, EAST, SOUTH], instructions=[2, 1, 1])
    return Split(
        name="val_seen",
        atlas=atlas,
        routes=routes,
        goal_sets=build_goal_sets(atlas, [(0, 0), (0, 1)]),
        goal_set=np.array([MUG, MUG, LAMP], dtype=np.int32),
        start=np.array([5, 4, 3], dtype=np.int32),
        view=np.array([SOUTH, NORTH, NORTH], dtype=np.int32),
        texts=("find a lamp", "find a mug", *routes.instructions),
    )


# What the agent decides at each step: "ask", or the index of a navigation action. Beside it, where it
# stands and looks, and its list of actions, as places in the order of their angle from the view.
FIRST = [
    # Episode 0, "find a mug" from 5.
    1,  # at 5, south: [5, 4]. To 4.
    3,  # at 4, south: [4, 1, 2, 6, 5] at 0, 37, 90 and 180 degrees. West to 6: a mistake.
    1,  # at 6, west: [6, 4]. Back to 4, looking east.
    4,  # at 4, east: [4, 2, 1, 5, 6] at 53, 90, 90 (the lower place first) and 180. To 6 once more.
    "ask",  # at 6, west: [6, 4]. Told r0; it starts here, looking east.
    1,  # at 6, east: [6, 4].
    1,  # at 4, east: [4, 2, 1, 5, 6]. To 2, off the route.
    0,  # at 2, view 17: [2, 1, 3, 4] at 120, 150 and 173 degrees. Departs 3 m from v_d.
    2,  # at 2, view 17. North to 3.
    0,  # at 3, north: [3, 2]. Stops: at a mug, though not at the one that it was shown.
]
SECOND = [
    # Episode 1, "find a mug" from 4.
    "ask",  # at 4, north: [4, 5, 6, 2, 1]. Told r0, taken 2 m to 6.
    "ask",  # at 6, east. Told the same again.
    "ask",  # at 6, east. And again.
    1,  # at 6, east: [6, 4].
    2,  # at 4, east: [4, 2, 1, 5, 6]. To 1, that is v_d.
    1,  # at 1, south: [1, 0, 2, 4] at 90, 90 and 180 degrees. Overshoots to 0.
    1,  # at 0, west: [0, 1].
    0,  # at 1, east: [1, 2, 4, 0] at 0, 90 and 180 degrees. Departs where it should.
    3,  # at 1, east. To 0, that is g*.
    1,  # at 0, west: [0, 1]. Does not stop, but walks back to 1; then time is up.
]
THIRD = [
    # Episode 2, "find a lamp" from 3.
    1,  # at 3, north: [3, 2].
    0,  # at 2, south: [2, 1, 4, 3] at 90, 143 and 180 degrees. Gives up, 5 m from the lamp.
]
SCRIPTS = (FIRST, SECOND, THIRD)

# What the agent notes of its navigation distribution in episode 0; in the others it is certain (entropy 0).
ENTROPY = [0.5, 0.25, 0.24, 0.9, 0.3, 0.3, 0.3, 0.1, 0.4, 0.0]
GUESS = [1, 3, 0, 4, 1, 1, 1, 0, 2, 0]


@pytest.fixture(scope="module")
def trajectories(split):
    episodes = Episodes(split, Anna(split), [0, 1, 2], BUDGET)
    for t in range(BUDGET):
        decisions = [script[t] if t < len(script) else 0 for script in SCRIPTS]
        episodes.step(
            ask=[decision == "ask" for decision in decisions],
            action=[0 if decision == "ask" else decision for decision in decisions],
            notes={"entropy": [ENTROPY[t], 0.0, 0.0], "guess": [GUESS[t], 0, 0]},
        )
    assert not episodes.active.any()
    return episodes.trajectories()


def rows(table, lengths=(10, 10, 2), fill=NONE):
    """The table as lists, each cut at the episode's end; after it there must be the fill."""
    assert all(set(row[n:]) <= {fill} for row, n in zip(table.tolist(), lengths, strict=True))
    return [row[:n] for row, n in zip(table.tolist(), lengths, strict=True)]


class TestMessages:
    def answers(self, split, *requests):
        location, goal_set = (np.array(column) for column in zip(*requests, strict=True))
        zero = np.zeros(len(requests), dtype=np.int64)
        answers = Anna(split).answer(Requests(location, zero, goal_set, zero, zero, zero))
        columns = answers.route, answers.instruction, answers.departure, answers.goal
        return list(zip(*(column.tolist() for column in columns), strict=True))

    def test_who_hears_whom(self, split):
        assert split.zones.tolist() == [
            [NONE, NONE, NONE],  # 0
            [NONE, NONE, NONE],  # 1: 4 m from 4, where nobody stands anyway
            [NONE, NONE, NONE],  # 2
            [NONE, NONE, NONE],  # 3
            [0, 1, 2],  # 4: both assistants are 2 m away
            [2, NONE, NONE],  # 5
            [0, 1, NONE],  # 6: the other assistant is 4 m away, and not adjacent
        ]

    def test_distances_to_goals(self, split):
        everywhere = np.arange(7)
        metres = split.goal_sets.distance_from(MUG, everywhere).tolist()
        assert metres == [0, 2, 4, 0, 6, 8, 8]
        assert split.goal_sets.nearest_to(MUG, everywhere).tolist() == [0, 0, 3, 3, 0, 0, 0]
        assert split.goal_sets.distance_from(LAMP, everywhere).tolist() == [6, 4, 5, 9, 0, 2, 2]

    def test_for_a_mug(self, split):
        # Along r0 (6, 4, 1) it is 8, 6 and 2 m to a mug; along r1 (6, 4, 2) and r2 (5, 4, 2) 8, 6 and 4 m.
        assert self.answers(split, (4, MUG), (6, MUG), (5, MUG)) == [
            (0, 0, 1, 0),  # r0 in its first instruction, to be left at 1; the mug nearest to 1 is at 0
            (0, 0, 1, 0),
            (2, 3, 2, 3),  # at 5 only r2 is known; the mug nearest to 2 is at 3
        ]

    def test_for_a_lamp(self, split):
        # All three routes pass the lamp at 4: the first that can be entered is named, to be left midway.
        assert self.answers(split, (4, LAMP), (6, LAMP), (5, LAMP)) == [
            (0, 0, 4, 4),
            (0, 0, 4, 4),
            (2, 3, 4, 4),
        ]


class TestEpisodes:
    def test_where_the_agents_went(self, trajectories):
        assert trajectories.length.tolist() == [10, 10, 2]
        assert rows(trajectories.location, (11, 11, 3)) == [
            [5, 4, 6, 4, 6, 6, 4, 2, 2, 3, 3],
            [4, 6, 6, 6, 4, 1, 0, 1, 1, 0, 1],
            [3, 2, 2],
        ]
        assert rows(trajectories.view, (11, 11, 3)) == [
            [SOUTH, SOUTH, WEST, EAST, WEST, EAST, EAST, SOUTHEAST, SOUTHEAST, NORTH, NORTH],
            [NORTH, EAST, EAST, EAST, EAST, SOUTH, WEST, EAST, EAST, WEST, EAST],
            [NORTH, SOUTH, SOUTH],
        ]
        # Episode 0: 2 + 2 + 2 + 2, the request 0, then 2 + 5 + 0 + 4 + 0. Episode 1: to the start of r0 2,
        # the other requests 0, then 2 + 4 + 2 + 2 + 0 + 2 + 2. Episode 2: 4.
        assert trajectories.metres.tolist() == [19, 16, 4]

    def test_what_they_decided(self, trajectories):
        assert rows(trajectories.action) == [
            [1, 3, 1, 4, NONE, 1, 1, 0, 2, 0],
            [NONE, NONE, NONE, 1, 2, 1, 1, 0, 3, 1],
            [1, 0],
        ]
        assert rows(trajectories.asked, fill=F) == [
            [F, F, F, F, T, F, F, F, F, F],
            [T, T, T, F, F, F, F, F, F, F],
            [F, F],
        ]

    def test_what_they_were_told(self, trajectories, split):
        r0, none = 0, NONE
        assert rows(trajectories.route) == [
            [none, none, none, none, r0, none, none, none, none, none],
            [r0, r0, r0, none, none, none, none, none, none, none],
            [none, none],
        ]
        assert rows(trajectories.instruction) == [
            [none, none, none, none, R0_FIRST, none, none, none, none, none],
            [R0_FIRST, R0_FIRST, R0_FIRST, none, none, none, none, none, none, none],
            [none, none],
        ]
        assert rows(trajectories.departure) == [
            [none, none, none, none, 1, none, none, none, none, none],
            [1, 1, 1, none, none, none, none, none, none, none],
            [none, none],
        ]
        assert rows(trajectories.goal) == [
            [none, none, none, none, 0, none, none, none, none, none],
            [0, 0, 0, none, none, none, none, none, none, none],
            [none, none],
        ]
        # Text and target are those before the decision, so a message shows from the next step on.
        assert rows(trajectories.text) == [
            [MUG, MUG, MUG, MUG, MUG, R0_FIRST, R0_FIRST, R0_FIRST, MUG, MUG],
            [MUG, *[R0_FIRST] * 7, MUG, MUG],
            [LAMP, LAMP],
        ]
        assert split.texts[MUG] == "find a mug"
        assert split.texts[R0_FIRST] == "r0 in words 0"
        assert rows(trajectories.target) == [
            [none, none, none, none, none, 1, 1, 1, 0, 0],  # none, then v_d = 1, then g* = 0
            [none, 1, 1, 1, 1, 1, 1, 1, 0, 0],
            [none, none],
        ]

    def test_the_mode_and_the_segments(self, trajectories):
        assert rows(trajectories.on_route, fill=F) == [
            [F, F, F, F, F, T, T, T, F, F],
            [F, T, T, T, T, T, T, T, F, F],
            [F, F],
        ]
        assert rows(trajectories.segment) == [
            [0, 0, 0, 0, 0, 1, 1, 1, 2, 2],
            [0, 1, 2, 3, 3, 3, 3, 3, 4, 4],  # every request begins a new one
            [0, 0],
        ]

    def test_where_they_could_ask(self, trajectories):
        assert rows(trajectories.can_ask, fill=F) == [
            [T, T, T, T, T, T, T, F, F, F],  # at 5, 4, 6, 4, 6, 6, 4; not at 2 and 3
            [T, T, T, T, T, F, F, F, F, F],  # at 4, 6, 6, 6, 4; not at 1 and 0
            [F, F],
        ]


class TestNavigationTeacher:
    def test_targets(self, trajectories, split):
        taught = navigation_references(split, trajectories)
        assert rows(taught.target) == [
            [0, 0, 0, 0, 0, 1, 1, 1, 0, 0],  # the nearest mug; v_d; g*, even at 3 where another mug is
            [0, 1, 1, 1, 1, 1, 1, 1, 0, 0],
            [4, 4],
        ]

    def test_reference_actions(self, trajectories, split):
        taught = navigation_references(split, trajectories)
        assert rows(taught.action) == [
            # 4, 1 (of [4, 1, 2, 6, 5]), 4, 1 (of [4, 2, 1, 5, 6]), 4; 4, 1, 1 (of [2, 1, 3, 4]); 1, 2
            [1, 1, 1, 2, 1, 1, 2, 1, 1, 1],
            # 1 (of [4, 5, 6, 2, 1]); 4, 4, 4, 1, stop at v_d, 1, stop; 0 (of [1, 2, 4, 0]), stop at g*
            [4, 1, 1, 1, 2, 0, 1, 0, 3, 0],
            [1, 2],  # 2; 4 (of [2, 1, 4, 3])
        ]
        assert rows(taught.counts, fill=F) == [
            [T, T, T, T, F, T, T, T, T, T],  # no navigation loss where help is requested
            [F, F, F, T, T, T, T, T, T, T],
            [T, T],
        ]

    def test_what_was_tried(self, trajectories, split):
        tried = navigation_references(split, trajectories).tried
        found = {(b, t): np.flatnonzero(tried[b, t]).tolist() for b, t in np.argwhere(tried.any(axis=-1))}
        assert found == {
            # At 4, looking for a mug: from there it went wrongly to 6, now action 4 of [4, 2, 1, 5, 6].
            (0, 3): [4],
            # (At 4 again at t = 6, but under another instruction. At 6 it always took the reference action.)
            # Stopping at 2 was wrong, but on r0: at t = 8 the instruction is another.
            # At 1 on r0 it went on to 0 instead of stopping, now action 3 of [1, 2, 4, 0].
            (1, 7): [3],
        }


# Metres to the target, segment by segment:
# episode 0: 8 6 8 6 8 (request) | 6 4 3 (departs) | 5 9 and 9 at the end
# episode 1: 6 (request) | 6 (request) | 6 (request) | 6 4 0 2 0 (departs) | 2 0 and 2 at the end
# episode 2: 9 5 and 5 at the end
LOST = {
    "paper": [  # gets no closer in what is left of the segment, and is not there
        [F, T, F, T, T, F, F, T, T, T],
        [T, T, T, F, F, F, F, F, F, F],
        [F, T],
    ],
    "published": [  # after the segment's first closest place
        [F, F, T, T, T, F, F, F, F, T],
        [F, F, F, F, F, F, T, T, F, F],
        [F, F],
    ],
}
UNCERTAIN_WRONG = [
    # t = 0: guesses right. 1: at the threshold, guesses 3 for 1. 2: certain enough. 3: guesses 4 for 2.
    # 4, 5: right. 6: 1 for 2. 7: certain. 8: 2 for 1. 9: certain.
    [F, T, F, T, F, F, T, F, T, F],
    [F] * 10,
    [F, F],
]
NEVER_ASKED = [
    [T, T, T, T, T, F, T, T, T, T],  # at 6, at t = 4, and there again at t = 5
    [T, T, F, F, F, T, T, T, T, T],  # at 4, then at 6 twice; at 6, 6 and 4 again
    [T, T],
]
ASK = {
    "paper": [
        [F, T, F, T, T, F, T, T, T, T],
        [T, T, F, F, F, F, F, F, F, F],
        [F, T],
    ],
    "published": [
        [F, T, T, T, T, F, T, F, T, T],
        [F, F, F, F, F, F, T, T, F, F],
        [F, F],
    ],
}


class TestHelpRequestTeacher:
    @pytest.mark.parametrize("reading", ["paper", "published"])
    def test_conditions_and_reference(self, trajectories, split, reading):
        taught = help_request_references(split, trajectories, reading)
        lost, uncertain_wrong, never_asked = np.moveaxis(taught.conditions, -1, 0)
        assert rows(lost, fill=F) == LOST[reading]
        assert rows(uncertain_wrong, fill=F) == UNCERTAIN_WRONG
        assert rows(never_asked, fill=F) == NEVER_ASKED
        assert rows(taught.ask, fill=F) == ASK[reading]
        assert rows(taught.counts, fill=F) == [  # a loss only where help can be requested
            [T, T, T, T, T, T, T, F, F, F],
            [T, T, T, T, T, F, F, F, F, F],
            [F, F],
        ]


class TestMetrics:
    def test_all(self, trajectories, split):
        figures = {name: figure.value for name, figure in evaluate(split, trajectories, lost="paper").items()}
        assert figures == pytest.approx(
            {
                "success_rate": 2 / 3,  # at 3, 0 m; at 1, exactly 2 m from 0; at 2, 5 m from the lamp
                "spl": (11 / 19 + 6 / 16 + 0) / 3,  # d(5, 3) = 11, for 3 is the goal it ended at; d(4, 0) = 6
                "navigation_error": (0 + 2 + 5) / 3,
                "requests_per_task": (1 + 3 + 0) / 3,
                "oracle_success_rate": 2 / 3,
                "request_share": 4 / 22,
                "steps_per_task": 22 / 3,
                "metres_per_task": (19 + 16 + 4) / 3,
                "navigation_mistake_repeat": 1 / 22,  # episode 0, t = 3: from 4 to 6 once more
                # Episode 0, t = 4: it had been at 6 for the mug. Episode 1, t = 2: at 6 on r0 a step before.
                "help_request_repeat": 2 / 4,
                "help_request_repeat_asked": 1 / 4,  # only the latter had asked there
                "subtask_success": 1 / 4,  # four routes entered; one left at v_d, one 3 m away, two not left
                # Over the 7 + 5 steps at which help could be requested:
                "lost_true": (3 + 3) / 12,
                "uncertain_wrong_true": (3 + 0) / 12,
                "already_asked_true": (1 + 3) / 12,
            }
        )
