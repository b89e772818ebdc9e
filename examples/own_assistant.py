"""Your own assistant: says in its own words how far the object is and which way to turn, and shows the door.

    python examples/own_assistant.py out/own_assistant

ANNA knows only the routes that were stored for her; this assistant reads the map instead. On the command
line it is `helpanna evaluate --assistant own_assistant:Guide`, run in this folder.
"""

import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np

import helpanna
from helpanna.worlds.geometry import view_heading

TURNS = ("go straight on", "turn right", "turn around", "turn left")
AGENT = "explorer+ask_untried+perfect"


class Guide:
    """Leads to the object room by room: each answer ends at the next door on the shortest way."""

    def __init__(self, split, seed=0):
        self.split, self.atlas = split, split.atlas

    def attends(self, requests):
        """Everywhere, unless the agent is there already."""
        goal = self.split.goal_sets.nearest_to(requests.goal_set, requests.location)
        return (goal >= 0) & (goal != requests.location)

    def answer(self, requests):
        """One agent after the other; an assistant that is asked seldom need not be fast."""
        goals = self.split.goal_sets
        goal = goals.nearest_to(requests.goal_set, requests.location).astype(np.int64)
        asked = zip(requests.location, requests.view, goal, requests.goal_set, strict=True)
        told = [self.describe(*(int(column) for column in row)) for row in asked]
        return replace(
            helpanna.Answers.none(len(requests)),  # no route: the agents stay where they are
            words=[words for words, _ in told],
            departure=np.array([door for _, door in told], dtype=np.int64),  # the picture: where to go first
            goal=goal,  # and the picture once they have arrived there
        )

    def describe(self, here, view, goal, goal_set):
        """What is said about the way from here to the goal, and where its first room ends."""
        atlas, path = self.atlas, [here]
        while path[-1] != goal:
            path.append(int(atlas.next_hops(path[-1], goal)))
        rooms = [int(atlas.room_of[place]) for place in path]
        leaves = [place for place, room in zip(path, rooms, strict=True) if room != rooms[0]]
        rooms_on = sum(a != b for a, b in pairwise(rooms))
        east, north, _ = atlas.position[path[1]] - atlas.position[here]
        turn = np.arctan2(east, north) - view_heading(view)
        way = TURNS[int(np.round(turn / (np.pi / 2))) % 4]
        thing = atlas.type_names[self.split.goal_sets.object_type[goal_set]]
        where = f"{rooms_on} room{'s' * (rooms_on != 1)} on" if rooms_on else "in this room"
        door = " and go through the door" if leaves else ""
        return f"the {thing} is {where}: {way}{door}", leaves[0] if leaves else goal


def main(out: Path) -> dict[str, dict[str, float]]:
    """Houses without pictures below `out`, one agent, two assistants; returns their figures."""
    helpanna.generate_atlas(out / "houses", houses=2, kind="small", seed=0, pictures=False)
    atlas = helpanna.load_atlas(out / "houses")
    routes = helpanna.make_routes("random", atlas, seed=0)
    settings = helpanna.BuildSettings(eval_only="val_unseen", sizes={"val_unseen": 100})
    split = helpanna.build_splits([(atlas, routes)], types=None, settings=settings)["val_unseen"]

    agent, figures = helpanna.make_agent(AGENT, split), {}
    for name, assistant in {"ANNA": helpanna.make_assistant("anna", split), "Guide": Guide(split)}.items():
        done = helpanna.run_episodes(split, agent, assistant, range(len(split)))
        scores = helpanna.evaluate(split, done)
        names = ("success_rate", "spl", "requests_per_task")
        figures[name] = {metric: scores[metric].value for metric in names}
        episode, step = np.argwhere(done.answered)[0]
        print(f"{name} says, for example: {done.words(split, int(done.instruction[episode, step]))}")
        print("   ", ", ".join(f"{metric} {value:.2f}" for metric, value in figures[name].items()))
    gain = figures["Guide"]["spl"] - figures["ANNA"]["spl"]
    print(f"With Guide, SPL differs by {gain:+.2f} from that with ANNA.")
    helpanna.write_trajectories(out / "guide.jsonl", done, split, {"agent": AGENT, "assistant": "Guide"})
    return figures


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out/own_assistant"))
