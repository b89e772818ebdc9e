"""The teachers once more, one step of one episode at a time, straight from their definitions.

What is true of the step t of the episode b is asked of a `PlainEpisode`; there are no arrays over steps.
"""

import math
from dataclasses import dataclass

from helpanna.episodes.trajectory import Trajectories
from helpanna.tasks.split import Split


@dataclass
class PlainEpisode:
    split: Split
    trajectories: Trajectories
    b: int

    def __post_init__(self):
        t = self.trajectories
        self.task, self.length = int(t.task[self.b]), int(t.length[self.b])
        self.goal_set = int(self.split.goal_set[self.task])
        self.goals = [int(v) for v in self.split.goal_sets.members[self.goal_set]]
        self.v = t.location[self.b].tolist()
        self.text, self.image = t.text[self.b].tolist(), t.target[self.b].tolist()
        self.asked, self.segment = t.asked[self.b].tolist(), t.segment[self.b].tolist()
        self.action = t.action[self.b].tolist()

    @property
    def steps(self):
        return range(self.length)

    def distance(self, a, b):
        return float(self.split.atlas.distances(a, b))

    def goal_distance(self, v):
        return min(self.distance(v, g) for g in self.goals)

    def nearest_goal(self, v):
        return min(self.goals, key=lambda g: (self.distance(v, g), g))

    def places(self, t):
        """Where each navigation action of step t leads."""
        view = int(self.trajectories.view[self.b, t])
        return [int(v) for v in self.split.atlas.action_location[self.v[t], view] if v >= 0]

    def target(self, t):
        return self.image[t] if self.image[t] != -1 else self.nearest_goal(self.v[t])

    def reference(self, t):
        """The location that the teacher would go to, and the action's index."""
        here, target = self.v[t], self.target(t)
        place = here if here == target else int(self.split.atlas.next_hops(here, target))
        return place, self.places(t).index(place)

    def is_mistake(self, t):
        return not self.asked[t] and self.v[t + 1] != self.reference(t)[0]

    def tried(self, t):
        """A(x): indices into the actions of step t."""
        return {
            self.places(t).index(self.v[s + 1])
            for s in range(t)
            if self.v[s] == self.v[t] and self.text[s] == self.text[t] and self.is_mistake(s)
        }

    def closeness(self, v, image):
        """Metres from v to the target of a step whose target panorama is this one."""
        return self.distance(v, image) if image != -1 else self.goal_distance(v)

    def segment_of(self, t):
        """The places of the segment of step t, as (time, metres to the target)."""
        inside = [s for s in self.steps if self.segment[s] == self.segment[t]]
        places = [(s, self.closeness(self.v[s], self.image[s])) for s in inside]
        if inside[-1] == self.length - 1 and not self.asked[self.length - 1]:
            places.append((self.length, self.closeness(self.v[self.length], self.image[t])))
        return places

    def lost(self, t, reading):
        places = self.segment_of(t)
        here = dict(places)[t]
        if reading == "paper":
            return here != 0 and not any(s > t and metres < here for s, metres in places)
        first_closest = min(places, key=lambda place: (place[1], place[0]))[0]
        return t > first_closest

    def uncertain_wrong(self, t):
        notes = self.trajectories.notes
        if not notes:
            return False
        return bool(notes["entropy"][self.b, t] >= 0.25 and notes["guess"][self.b, t] != self.reference(t)[1])

    def never_asked(self, t):
        return not any(self.asked[s] and self.v[s] == self.v[t] for s in range(t))

    def should_ask(self, t, reading):
        return (self.lost(t, reading) or self.uncertain_wrong(t)) and self.never_asked(t)

    def same_task(self, s, t):
        return (self.v[s], self.text[s], self.image[s]) == (self.v[t], self.text[t], self.image[t])

    def success(self):
        return self.goal_distance(self.v[self.length]) <= 2

    def spl(self):
        if not self.success():
            return 0.0
        shortest = self.distance(self.v[0], self.nearest_goal(self.v[self.length]))
        longest = max(shortest, float(self.trajectories.metres[self.b]))
        return 1.0 if math.isclose(longest, 0) else shortest / longest


def plain_episodes(split, trajectories):
    return [PlainEpisode(split, trajectories, b) for b in range(len(trajectories))]
