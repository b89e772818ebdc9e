"""The teachers and the metrics once more, for one plain episode of tests/reference.py at a time."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from reference import Episode, PlainSplit

GAMMA = 0.25


@dataclass
class Lesson:
    """What the teachers say of one episode; a list holds one entry a decision."""

    target: list[int] = field(default_factory=list)
    action: list[int] = field(default_factory=list)
    tried: list[set[int]] = field(default_factory=list)
    nav_counts: list[bool] = field(default_factory=list)
    lost: dict[str, list[bool]] = field(default_factory=lambda: {"paper": [], "published": []})
    uncertain_wrong: list[bool] = field(default_factory=list)
    never_asked: list[bool] = field(default_factory=list)
    ask_counts: list[bool] = field(default_factory=list)

    def ask(self, reading: str) -> list[bool]:
        """The reference: request help."""
        conditions = zip(self.lost[reading], self.uncertain_wrong, self.never_asked, strict=True)
        return [(lost or wrong) and never for lost, wrong, never in conditions]


def teach(
    plain: PlainSplit, episode: Episode, entropy: Sequence[float] = (), guess: Sequence[int] = ()
) -> Lesson:
    """All the teachers' answers; entropy and guess are the agent's notes, if it took some."""
    lesson = Lesson()
    for t in range(episode.length):
        v = episode.location[t]
        image = episode.target[t]
        target = image if image is not None else plain.nearest_goal(episode.goal_set, v)
        lesson.target.append(target)
        lesson.action.append(reference_action(plain, v, episode.view[t], target))
        lesson.tried.append(tried(plain, episode, lesson, t))
        lesson.nav_counts.append(not episode.asked[t])
        for reading, lost in (("paper", lost_as_in_the_paper), ("published", lost_as_published)):
            lesson.lost[reading].append(lost(plain, episode, t))
        wrong = bool(entropy) and entropy[t] >= GAMMA and guess[t] != lesson.action[t]
        lesson.uncertain_wrong.append(wrong)
        before = [s for s in range(t) if episode.asked[s] and episode.location[s] == v]
        lesson.never_asked.append(not before)
        lesson.ask_counts.append(episode.can_ask[t])
    return lesson


def reference_action(plain: PlainSplit, v: int, view: int, target: int) -> int:
    """Stop at the target; else the next location on a shortest path, of several the one the atlas names."""
    if v == target:
        return 0
    hop = int(plain.split.atlas.next_hops(v, target))
    through = plain.length(v, hop) + plain.distance(hop, target)
    assert hop in plain.neighbours[v]
    assert math.isclose(through, plain.distance(v, target), rel_tol=1e-6), "not on a shortest path"
    return [place for place, _ in plain.actions(v, view)].index(hop)


def tried(plain: PlainSplit, episode: Episode, lesson: Lesson, t: int) -> set[int]:
    """A(x): {a : exists t' < t, v_t = v_t', l_t = l_t', a = a_t' != a*_t'}; an action is where it leads."""
    here = [place for place, _ in plain.actions(episode.location[t], episode.view[t])]
    found = set()
    for s in range(t):
        same = episode.location[s] == episode.location[t] and episode.text[s] == episode.text[t]
        if same and not episode.asked[s] and episode.action[s] != lesson.action[s]:
            found.add(here.index(episode.location[s + 1]))
    return found


def segment_places(plain: PlainSplit, episode: Episode, t: int) -> list[tuple[int, float]]:
    """(time, metres to the segment's target) of all places of the segment of step t."""
    steps = [s for s in range(episode.length) if episode.segment[s] == episode.segment[t]]
    times = list(steps)
    last = steps[-1]
    if last == episode.length - 1 and not episode.asked[last]:
        times.append(last + 1)  # where the episode ended; a request leads into the next segment
    image = episode.target[t]
    return [
        (
            s,
            plain.goal_distance(episode.goal_set, episode.location[s])
            if image is None
            else plain.distance(episode.location[s], image),
        )
        for s in times
    ]


def lost_as_in_the_paper(plain: PlainSplit, episode: Episode, t: int) -> bool:
    """The agent will not get strictly closer to the target, and is not there."""
    metres = dict(segment_places(plain, episode, t))
    return metres[t] > 0 and not any(metres[s] < metres[t] for s in metres if s > t)


def lost_as_published(plain: PlainSplit, episode: Episode, t: int) -> bool:
    """The step comes after the segment's first closest approach."""
    places = segment_places(plain, episode, t)
    best = min(metres for _, metres in places)
    return t > next(s for s, metres in places if metres == best)


def score(plain: PlainSplit, episodes: Sequence[Episode]) -> dict[str, float]:
    """The metrics of these episodes; those that would divide by zero are left out."""
    sums = {"success": 0.0, "spl": 0.0, "error": 0.0, "oracle": 0, "requests": 0, "steps": 0, "metres": 0.0}
    sums |= {"nav repeats": 0, "ask repeats": 0, "asked again": 0, "subtasks": 0}
    for episode in episodes:
        final = episode.location[-1]
        error = plain.goal_distance(episode.goal_set, final)
        shortest = plain.distance(episode.location[0], plain.nearest_goal(episode.goal_set, final))
        if error <= 2:
            sums["success"] += 1
            longest = max(episode.metres, shortest)
            sums["spl"] += shortest / longest if longest > 0 else 1.0
        sums["error"] += error
        sums["oracle"] += any(plain.goal_distance(episode.goal_set, v) <= 2 for v in episode.location)
        sums["requests"] += sum(episode.asked)
        sums["steps"] += episode.length
        sums["metres"] += episode.metres
        lesson = teach(plain, episode)
        for t in range(episode.length):
            # The same task is the same instruction with the same target.
            again = [
                s
                for s in range(t)
                if episode.location[s] == episode.location[t]
                and (episode.text[s], episode.target[s]) == (episode.text[t], episode.target[t])
            ]
            if episode.asked[t]:
                sums["ask repeats"] += bool(again)
                sums["asked again"] += any(episode.asked[s] for s in again)
            elif episode.action[t] != lesson.action[t]:
                sums["nav repeats"] += any(
                    not episode.asked[s]
                    and episode.action[s] != lesson.action[s]
                    and episode.location[s + 1] == episode.location[t + 1]
                    for s in again
                )
            if episode.on_route[t] and episode.action[t] == 0:
                sums["subtasks"] += plain.distance(episode.location[t], episode.target[t]) <= 2
    count = len(episodes)
    figures = {
        "success_rate": sums["success"] / count,
        "spl": sums["spl"] / count,
        "navigation_error": sums["error"] / count,
        "oracle_success_rate": sums["oracle"] / count,
        "requests_per_task": sums["requests"] / count,
        "steps_per_task": sums["steps"] / count,
        "metres_per_task": sums["metres"] / count,
        "request_share": sums["requests"] / sums["steps"],
        "navigation_mistake_repeat": sums["nav repeats"] / sums["steps"],
    }
    if sums["requests"]:
        figures["help_request_repeat"] = sums["ask repeats"] / sums["requests"]
        figures["help_request_repeat_asked"] = sums["asked again"] / sums["requests"]
        figures["subtask_success"] = sums["subtasks"] / sums["requests"]
    return figures
