"""The assistant's side of the page: requests of agents and players arrive with the map, a person answers."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from helpanna.agents.names import packaged_agents
from helpanna.errors import InputError
from helpanna.tasks.words import words as words_of
from helpanna.viewer.game import Game
from helpanna.viewer.library import NotThereError
from helpanna.viewer.play import Games
from helpanna.worlds.geometry import view_heading

HEURISTICS = (
    "explorer+ask_untried+perfect",
    "explorer+ask_untried",
    "explorer+ask_new",
    "forward10+ask_every5",
    "random_heading+ask_untried",
    "random_walk+random_ask",
)
LONGEST_TEXT = 1000
LONGEST_NAME = 60


class Desk:
    """Where a person assists.

    Attributes:
        games: of the agents and players who may ask.
        agents: the names of the agents that can be sent.
    """

    def __init__(self, games: Games, agents: Sequence[str] = ()) -> None:
        """Of a page.

        Args:
            games: of the page.
            agents: more agents that can be sent, as `make_agent` knows them: visitors choose among names, and
                cannot name folders themselves.
        """
        self.games = games
        self.agents = tuple(dict.fromkeys((*agents, *HEURISTICS, *packaged_agents())))

    def send(self, source: int, task: int | None, agent: str) -> str:
        """Sends an agent on a task; the name under which assistants know it."""
        if agent not in self.agents:
            raise InputError("there is no such agent here; name one with --agents.")
        return self.games.begin(source, task, by_person=True, agent=agent).desk

    def requests(self) -> list[dict[str, Any]]:
        """The requests that wait, the most urgent first."""
        found = []
        for asked in self.games.store.waiting():
            try:
                game = self.games.game(asked.game)
            except (NotThereError, InputError):
                continue  # of a dataset that is not open
            with game.lock:
                self.games.go_on(game)
                seconds = self.games.seconds_left(game)
                if seconds is not None:
                    building, _ = _building(game)
                    found.append(
                        {
                            "desk": game.row.desk,
                            "who": game.row.player,
                            "building": building,
                            "request": _request(game),
                            "step": game.episodes.step_number,
                            "seconds": round(seconds),
                        }
                    )
        return found

    def look(self, name: str) -> dict[str, Any]:
        """All that an assistant sees of one who asks; places are counted from the building's first."""
        game = self.games.desk(name)
        with game.lock:
            self.games.go_on(game)
            building, first = _building(game)
            seen = game.episodes.observe()
            seconds = self.games.seconds_left(game)
            places, heard = _walk(game)
            goals = game.split.goal_sets.members[int(game.split.goal_set[game.task])]
            return {
                "source": game.number,
                "building": building,
                "who": game.row.player,
                "request": _request(game),
                "words": str(seen.words[0]),
                "step": game.episodes.step_number,
                "waiting": None if seconds is None else round(seconds),
                "over": game.over,
                "place": int(seen.panorama[0]) - first,
                "heading": round(float(view_heading(int(seen.view[0]))), 4),
                "walk": [place - first for place in places],
                "heard": heard,
                "goals": (goals - first).tolist(),
                "pictures": game.split.atlas.views.has_panoramas,
                "end": self.games.end(game) if game.over else None,
            }

    def answer(self, name: str, step: int, assistant: str, words: str, picture: int | None) -> dict[str, Any]:
        """What a person says to the one who asked at this step; what is seen then.

        Args:
            name: of the game, as assistants know it.
            step: at which it was asked.
            assistant: who answers.
            words: the instruction.
            picture: the place whose panorama is shown, counted from the building's first; None for none.
        """
        words = checked_text(words)
        game = self.games.desk(name)
        world = int(game.split.goal_sets.world[int(game.split.goal_set[game.task])])
        places = game.split.atlas.locations(world)
        if picture is not None and not 0 <= picture < len(places):
            raise InputError("there is no such place in this building.")
        shown = None if picture is None else places[picture]
        given = self.games.answer(game, step, checked_name(assistant), words, shown)
        return {**self.look(name), "given": given}


def checked_text(text: str) -> str:
    """What somebody wrote, on one line; refused without a word, too long, or with what cannot be shown."""
    text = " ".join(text.split())
    if not words_of(text) or len(text) > LONGEST_TEXT or not text.isprintable():
        raise InputError(f"write some words, at most {LONGEST_TEXT:,} letters.")
    return text


def checked_name(name: str) -> str:
    """A person's name, on one line; refused if there is none."""
    name = " ".join(name.split())
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise InputError(f"say your name, in at most {LONGEST_NAME} letters.")
    return name


def _building(game: Game) -> tuple[str, int]:
    """The name of the game's building, and its first location."""
    world = int(game.split.goal_sets.world[int(game.split.goal_set[game.task])])
    return game.split.atlas.world_names[world], game.split.atlas.locations(world).start


def _request(game: Game) -> str:
    return game.split.texts[int(game.split.request[game.task])]


def _walk(game: Game) -> tuple[list[int], list[dict[str, Any]]]:
    """Where the agent has been, and what it was told."""
    if not game.episodes.step_number:
        return [int(game.episodes.observe().panorama[0])], []
    trip = game.episodes.trajectories()
    length = int(trip.length[0])
    heard = [
        {"step": t, "words": trip.words(game.split, text) if text >= 0 else None}
        for t in np.flatnonzero(trip.asked[0, :length]).tolist()
        for text in [int(trip.instruction[0, t])]
    ]
    return trip.location[0, : length + 1].tolist(), heard
