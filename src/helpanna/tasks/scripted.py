"""REVERIE's requests and CVDN's dialogues where nobody has spoken: scripted, with a narrator's words.

Both begin with VNLA's tasks, an object in a kind of room and the shortest way there.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from helpanna.narration.narrators import Writer
from helpanna.narration.surroundings import surroundings_of
from helpanna.randomness import choices
from helpanna.tasks.dialogue_tasks import History, Supervision, dialogue_errands
from helpanna.tasks.errands import Errand
from helpanna.tasks.room_tasks import room_errands, room_kinds_of_locations
from helpanna.tasks.sampling import PathRange
from helpanna.worlds.atlas import Atlas
from helpanna.worlds.geometry import nearest_view, view_heading

REQUEST_SIZES = {"train": 5_000, "val_seen": 500}
"""How many requests are made, where the buildings have that many objects and starts."""
DIALOGUE_SIZES = {"train": 1_500, "val_seen": 150}
"""How many dialogues; each gives a task for every answer."""
STRETCH = 4
"""How many steps an answer describes."""
_BEYOND = 2
"""How many steps further the navigator goes by itself."""

_REQUESTS = (
    "go to the {room} and look at the {thing}",
    "go to the {room} and dust the {thing}",
    "find the {thing} in the {room}",
    "show me the {thing} in the {room}",
    "walk to the {room} and stand next to the {thing}",
    "please go to the {room} and check the {thing}",
)
_FIRST_QUESTIONS = ("where should I go?", "which way do I go?", "where do I start?")
_QUESTIONS = (
    "where should I go now?",
    "which way do I go from here?",
    "am I close? where to next?",
    "should I go on?",
    "what do I do now?",
)


def scripted_requests(atlas: Atlas, seed: int) -> dict[str, list[Errand]]:
    """REVERIE's tasks: walks to an object, named with its room; goals are all locations that see it."""
    kinds = room_kinds_of_locations(atlas)
    sees: dict[int, list[int]] = {}
    for location, thing in atlas.sighting.tolist():
        sees.setdefault(thing, []).append(location)
    at: dict[tuple[int, int], int] = {}
    for thing in sorted(sees, reverse=True):  # the first object of a type that a location stands for
        at[int(atlas.object_type[thing]), int(atlas.delegate[thing])] = thing
    found: dict[str, list[Errand]] = {}
    for split, errands in room_errands(atlas, seed, PathRange(), REQUEST_SIZES).items():
        found[split] = []
        for errand in errands:
            thing = at.get((errand.object_type, errand.path[-1]))
            if thing is not None:
                form = int(choices(seed, "request", len(_REQUESTS), thing, errand.path[0])[0])
                words = {"room": kinds[errand.path[-1]], "thing": atlas.type_names[errand.object_type]}
                text = _REQUESTS[form].format(**words)
                goals = tuple(sees[thing])
                name = f"{errand.path[0]}_{thing}_0"
                found[split].append(Errand(name, text, errand.view, errand.path, goals, thing))
    return found


def scripted_dialogues(
    atlas: Atlas,
    seed: int,
    history: History,
    supervision: Supervision,
    sizes: Mapping[str, int] = DIALOGUE_SIZES,
) -> dict[str, list[Errand]]:
    """CVDN's tasks: on the way to an object somebody asks every four steps, and is told the next four.

    The navigator then walks as told, and two steps further on the way. The search ends in the object's room.

    Args:
        atlas: the buildings.
        seed: addresses all draws.
        history: how much of the dialogue is told.
        supervision: whose path is the reference.
        sizes: how many dialogues each split shall have.
    """

    @cache
    def writer(world: int) -> Writer:
        return Writer(surroundings_of(atlas, world), seed)

    found: dict[str, list[Errand]] = {}
    number = 0
    for split, errands in room_errands(atlas, seed, PathRange(), sizes).items():
        records: list[Mapping[str, Any]] = []
        for errand in errands:
            world = int(atlas.world_of[errand.path[0]])
            for record in _dialogue(atlas, errand, writer(world), seed):
                records.append({**record, "inst_idx": number, "place": f"dialogue {number}"})
                number += 1
        found[split] = dialogue_errands(atlas, records, history, supervision)
    return found


def _dialogue(atlas: Atlas, errand: Errand, writer: Writer, seed: int) -> list[dict[str, Any]]:
    """One record for each answer of one search, as CVDN writes them."""
    path, names = errand.path, atlas.location_names
    world = int(atlas.world_of[path[0]])
    first = int(atlas.world_start[world])
    places = np.array(atlas.locations(world))
    region = places[atlas.room_of[places] == atlas.room_of[path[-1]]].tolist()
    said: list[dict[str, str]] = []
    records = []
    view = errand.view
    for begin in range(0, len(path) - 1, STRETCH):
        stretch = path[begin : begin + STRETCH + 1]
        questions = _QUESTIONS if begin else _FIRST_QUESTIONS
        question = questions[int(choices(seed, "question", len(questions), path[0], path[-1], begin)[0])]
        way = writer.write(tuple(place - first for place in stretch), view, 1)[0].text
        arrives = stretch[-1] == path[-1]
        answer = _answer(question, way, atlas.type_names[errand.object_type] if arrives else None)
        said += [
            {"role": "navigator", "message": question},
            {"role": "oracle", "message": answer},
        ]
        records.append(
            {
                "scan": atlas.world_names[world],
                "target": atlas.type_names[errand.object_type],
                "start_pano": {"pano": names[path[begin]], "heading": float(view_heading(view))},
                "dialog_history": list(said),
                "planner_path": _named(atlas, stretch),
                "player_path": _named(atlas, path[begin : begin + STRETCH + 1 + _BEYOND]),
                "end_panos": _named(atlas, region),
            }
        )
        view = _level(atlas, stretch[-2], stretch[-1])
    return records


def _answer(question: str, way: str, found: str | None) -> str:
    """What is said to a question: yes or no where that is asked, the way, and what is found at its end."""
    close = question.startswith("am I close?")
    first = ["Yes."] if question == "should I go on?" or (close and found) else ["Not yet."] if close else []
    return " ".join([*first, way, *([f"You will find the {found} there."] if found else [])])


def _named(atlas: Atlas, places: Sequence[int]) -> list[str]:
    return [atlas.location_names[place] for place in places]


def _level(atlas: Atlas, here: int, there: int) -> int:
    """The level view in which one arrives."""
    ahead = (atlas.position[there] - atlas.position[here]) * (1, 1, 0)
    return int(nearest_view(ahead))
