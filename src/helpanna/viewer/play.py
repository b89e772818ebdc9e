"""People as agents: a person walks through a task on the page, seeing what an agent sees and no more.

What they did is stored as an agent's trajectories, so that people appear in the tables. The first attempt at
a task counts: at the second the person knows the building.
"""

import secrets
from collections import OrderedDict
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from helpanna.assistance.names import make_assistant
from helpanna.episodes.conditions import USUAL_LOST
from helpanna.episodes.episodes import EVALUATION_BUDGET, STOP, Episodes
from helpanna.episodes.outcomes import outcomes_of
from helpanna.episodes.trajectory import Trajectories, join
from helpanna.episodes.trajectory_file import read_header, read_trajectories, write_trajectories
from helpanna.errors import InputError
from helpanna.randomness import generator
from helpanna.viewer.around import around
from helpanna.viewer.library import Library, NotThereError, panorama_file
from helpanna.viewer.sources import Source
from helpanna.worlds.geometry import angles, view_elevation, view_heading

AGENT = "human"
_MOST_GAMES = 1000
"""Games in memory; the oldest are forgotten, finished or not."""


class Game:
    """One person's task.

    Attributes:
        source: the split.
        number: of the source in the library.
        task: of the split.
        counts: whether this attempt is stored: None until the end.
    """

    def __init__(self, source: Source, number: int, task: int) -> None:
        self.source, self.number, self.task = source, number, task
        self.episodes = Episodes(source.split, make_assistant(None, source.split), [task], EVALUATION_BUDGET)
        self.counts: bool | None = None
        self.lock = Lock()

    @property
    def over(self) -> bool:
        """Whether the episode has ended."""
        return not self.episodes.active[0]

    def act(self, step: int, ask: bool, action: int) -> None:
        """One decision, made at this step: a click that comes twice counts once."""
        if self.over or step != self.episodes.step_number:
            return
        seen = self.episodes.observe()
        if ask and not seen.can_ask[0]:
            raise InputError("nobody can be asked here.")
        if not ask and not (0 <= action < seen.candidates.mask.shape[1] and seen.candidates.mask[0, action]):
            raise InputError("there is no such way here.")
        self.episodes.step([ask], [action])

    def state(self) -> dict[str, Any]:
        """What the person is shown: what agents are given, and nothing of the map or the goals."""
        seen = self.episodes.observe()
        view = int(seen.view[0])
        heading, elevation = angles(self.source.perception.ways(seen)[0])
        metres = np.linalg.norm(self.source.perception.ways(seen)[0], axis=1)
        return {
            "source": self.number,
            "step": self.episodes.step_number,
            "budget": EVALUATION_BUDGET,
            "over": self.over,
            "request": self.source.split.texts[int(self.source.split.request[self.task])],
            "words": str(seen.words[0]),
            "on_route": bool(seen.on_route[0]),
            "can_ask": bool(seen.can_ask[0]),
            "target": bool(seen.target[0] >= 0),
            "place": int(seen.place[0]),
            "heading": round(float(view_heading(view)), 4),
            "elevation": round(float(view_elevation(view)), 4),
            "ways": [
                [a, round(float(heading[a]), 4), round(float(elevation[a]), 4), round(float(metres[a]), 2)]
                for a in np.flatnonzero(seen.candidates.mask[0]).tolist()
                if a != STOP
            ],
            "pictures": self.source.split.atlas.views.has_panoramas,
        }

    def sight(self, target: bool) -> int:
        """The location that is seen: where the person stands, or the target image's."""
        seen = self.episodes.observe()
        location = int(seen.target[0] if target else seen.panorama[0])
        if location < 0:
            raise NotThereError
        return location


class Games:
    """All games of a page, and the files that finished ones go to.

    Attributes:
        library: what is open.
        folder: holds `human-SPLIT.jsonl`.
    """

    def __init__(self, library: Library, folder: Path) -> None:
        self.library, self.folder = library, folder
        self._games: OrderedDict[str, Game] = OrderedDict()
        self._lock = Lock()

    def begin(self, number: int, task: int | None = None) -> str:
        """A new game; its name, which nobody can guess.

        Args:
            number: of the source.
            task: which; by default one that nobody has played.
        """
        source = self.library.source(number)
        played = self._stored(source)
        if task is None:
            order = generator(0, "play").permutation(len(source.split))
            done = set() if played is None else set(played.task.tolist())
            task = next((int(t) for t in order if int(t) not in done), int(order[0]))
        if not 0 <= task < len(source.split):
            raise InputError(f"{source.name} has the tasks 0 to {len(source.split) - 1}; name one of them.")
        name = secrets.token_urlsafe(12)
        with self._lock:
            self._games[name] = Game(source, number, task)
            while len(self._games) > _MOST_GAMES:
                self._games.popitem(last=False)
        return name

    def game(self, name: str) -> Game:
        """A game by its name."""
        game = self._games.get(name)
        if game is None:
            raise NotThereError
        return game

    def act(self, name: str, step: int, ask: bool, action: int) -> dict[str, Any]:
        """One decision of a person; what they see then."""
        game = self.game(name)
        with game.lock:
            game.act(step, ask, action)
            if game.over and game.counts is None:
                game.counts = self._store(game)
        return self.state(name)

    def state(self, name: str) -> dict[str, Any]:
        """What the person is shown; at the end with the score, beside those of open results."""
        game = self.game(name)
        state = game.state()
        return {**state, "end": self._end(game)} if game.over else state

    def around(self, name: str, target: bool) -> dict[str, Any]:
        """What is around the person, or in the target image."""
        game = self.game(name)
        return around(game.source.split, game.sight(target))

    def panorama(self, name: str, target: bool) -> bytes:
        """The same as a picture."""
        game = self.game(name)
        return panorama_file(game.source.split, game.sight(target))

    def file(self, source: Source) -> Path:
        """Where the finished games of a split are."""
        return self.folder / f"human-{source.name}.jsonl"

    def _end(self, game: Game) -> dict[str, Any]:
        split, trip = game.source.split, game.episodes.trajectories()
        ended = outcomes_of(split, trip)
        left = float(ended.final_distance[0])
        others = []
        for result in self.library.results:
            same = result.source is not None and result.source == game.source
            if same and game.task in result:
                others.append({"name": result.name, **result.row(game.task)})
        return {
            "task": game.task,
            "counts": game.counts,
            "file": str(self.file(game.source)),
            "success": bool(ended.success[0]),
            "final_distance": round(left, 2) if np.isfinite(left) else None,
            "steps": int(trip.length[0]),
            "metres": round(float(trip.metres[0]), 2),
            "requests": int(ended.requests[0]),
            "shortest": round(float(ended.shortest[0]), 2),
            "others": others,
        }

    def _store(self, game: Game) -> bool:
        """Adds a finished game to its file; False if the task is there already."""
        with self._lock:
            stored = self._stored(game.source)
            if stored is not None and game.task in stored.task:
                return False
            trip = game.episodes.trajectories()
            header = {
                "dataset": str(game.source.data.resolve()),
                "agent": AGENT,
                "assistant": game.source.split.kind.assistant,
                "seed": 0,
                "buildings": game.source.split.atlas.source,
                "lost": USUAL_LOST,
            }
            self.folder.mkdir(parents=True, exist_ok=True)
            together = trip if stored is None else join([stored, trip])
            write_trajectories(self.file(game.source), together, game.source.split, header)
            return True

    def _stored(self, source: Source) -> Trajectories | None:
        file = self.file(source)
        if not file.exists():
            return None
        header = read_header(file)
        if header.get("dataset") != str(source.data.resolve()) or header["budget"] != EVALUATION_BUDGET:
            raise InputError(f"{file} is about another dataset; name another folder with --people.")
        return read_trajectories(file, source.split)
