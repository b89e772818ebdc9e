"""All games of a page: of people who play or follow an instruction, and of agents that a person assists.

What they did is stored as an agent's trajectories, so that people appear in the tables. The first attempt at
a task counts: at the second the person knows the building. Games are in the store, so that they outlive the
server; those that are played are in memory as well.
"""

import re
import secrets
import time
from collections import OrderedDict
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from helpanna.agents.agent import Agent
from helpanna.agents.names import make_agent
from helpanna.episodes.conditions import USUAL_LOST
from helpanna.episodes.episodes import EVALUATION_BUDGET
from helpanna.episodes.outcomes import outcomes_of
from helpanna.episodes.trajectory import Trajectories, join
from helpanna.episodes.trajectory_file import read_header, read_trajectories, write_trajectories
from helpanna.errors import InputError
from helpanna.randomness import generator
from helpanna.tasks.errands import Errand, errand_split
from helpanna.tasks.kinds import R2R
from helpanna.tasks.split import Split
from helpanna.viewer.around import around
from helpanna.viewer.game import Game
from helpanna.viewer.library import Library, NotThereError, panorama_file
from helpanna.viewer.results import HUMAN, PERSON
from helpanna.viewer.sources import Source
from helpanna.viewer.store import FILE, GameRow, InstructionRow, Store

PATIENCE = 300.0
"""Seconds: how long a request waits for a person's answer."""
_MOST_GAMES = 200
"""Games in memory; others are taken from the store when somebody goes on with them."""
_MOST_AGENTS = 16
"""Agents that may wait for an answer at once: each has a network in memory."""


class Games:
    """All games of a page, and the files that finished ones go to.

    Attributes:
        library: what is open.
        folder: holds `human-SPLIT.jsonl` and the store.
        store: what survives.
        patience: how many seconds a request waits for a person's answer.
    """

    def __init__(self, library: Library, folder: Path, patience: float = PATIENCE) -> None:
        self.library, self.folder, self.patience = library, folder, patience
        self.store = Store(folder / FILE)
        self._games: OrderedDict[str, Game] = OrderedDict()
        self._lock = Lock()

    def begin(
        self,
        number: int,
        task: int | None = None,
        by_person: bool = False,
        agent: str | None = None,
    ) -> GameRow:
        """A new game.

        Args:
            number: of the source.
            task: which; by default one that nobody has played.
            by_person: whether a person answers requests, in place of who usually does.
            agent: who decides, by its name; by default a person.
        """
        source = self.library.source(number)
        if not len(source.split):
            raise InputError("there are no tasks in these buildings; build some with `helpanna tasks build`.")
        if agent is not None and len(self.store.waiting(agents=True)) >= _MOST_AGENTS:
            raise InputError(f"{_MOST_AGENTS} agents wait for an answer already; answer one of them first.")
        if task is None:
            played = self._stored(source, self.file(source, agent, by_person))
            order = generator(0, "play").permutation(len(source.split))
            done = set() if played is None else set(played.task.tolist())
            task = next((int(t) for t in order if int(t) not in done), int(order[0]))
        if not 0 <= task < len(source.split):
            raise InputError(f"{source.name} has the tasks 0 to {len(source.split) - 1}; name one of them.")
        row = self._row(source, task, agent or HUMAN, is_agent=agent is not None, by_person=by_person)
        return self._add(row, Game(row, number, source.split, _agent(row, source.split)))

    def follow(self, number: int, instruction: InstructionRow, follower: str) -> GameRow:
        """Somebody begins to follow an instruction."""
        source = self.library.source(number)
        row = self._row(source, 0, follower, instruction=instruction.id)
        return self._add(row, Game(row, number, _following(source.split, instruction)))

    def _row(self, source: Source, task: int, player: str, **more: Any) -> GameRow:
        names = secrets.token_urlsafe(12), secrets.token_urlsafe(12)  # nobody can guess them
        return GameRow(*names, str(source.data.resolve()), source.name or None, task, player, **more)

    def _add(self, row: GameRow, game: Game) -> GameRow:
        self.store.add_game(row)
        self._keep(game)
        with game.lock:
            self.go_on(game)
        return row

    def _keep(self, game: Game) -> Game:
        with self._lock:
            game = self._games.setdefault(game.row.name, game)
            self._games.move_to_end(game.row.name)
            while len(self._games) > _MOST_GAMES:
                self._games.popitem(last=False)
        return game

    def game(self, name: str) -> Game:
        """A game by its name: from memory, or played again from the store."""
        game = self._games.get(name)
        if game is not None:
            return game
        row = self.store.game(name)
        number = None if row is None else self.library.find(Path(row.data), row.split or "")
        if row is None or number is None:
            raise NotThereError
        try:
            split = self.library.source(number).split
            if row.instruction is not None:
                split = _following(split, self._instruction(row.instruction))
            game = Game(row, number, split, _agent(row, split))
            if not row.is_agent:
                game.again(self.store.moves(name), self.store.requests(name))
        except (InputError, IndexError, ValueError) as error:
            raise InputError(f"this game cannot go on: the dataset has changed since ({error})") from None
        return self._keep(game)

    def _instruction(self, number: int) -> InstructionRow:
        found = self.store.instruction(number)
        if found is None:
            raise NotThereError
        return found

    def desk(self, name: str) -> Game:
        """A game by the name that assistants know."""
        row = self.store.game(name, desk=True)
        if row is None or not row.by_person:
            raise NotThereError
        return self.game(row.name)

    def act(self, name: str, step: int, ask: bool, action: int) -> dict[str, Any]:
        """One decision of a person; what they see then. A click that comes twice counts once."""
        game = self.game(name)
        with game.lock:
            self.go_on(game)
            if (
                game.agent is None
                and not game.over
                and not game.waiting
                and step == game.episodes.step_number
            ):
                game.check(ask, action)
                if ask and game.row.by_person:
                    self._request(game)
                elif self.store.add_move(name, step, ask, action):
                    game.episodes.step([ask], [action])
                else:  # another server has gone on with this game
                    self._games.pop(name, None)
        return self.state(name)

    def answer(self, game: Game, step: int, assistant: str, words: str, picture: int | None) -> bool:
        """A person's answer; False if it comes too late, or after another."""
        with game.lock:
            self.go_on(game)
            if game.waiting is None or game.waiting.step != step:
                return False
            given = self.store.answer(game.row.name, step, assistant, words, picture)
            self.go_on(game)
            return given

    def _request(self, game: Game) -> None:
        step = game.episodes.step_number
        self.store.add_request(game.row.name, step, time.time() + self.patience)
        game.waiting = self.store.requests(game.row.name)[step]

    def go_on(self, game: Game) -> None:
        """Takes answers that have come, gives up those whose time is up, lets agents walk; notes the end.

        The game's lock is held.
        """
        while True:
            if game.waiting is not None:
                asked = self.store.requests(game.row.name)[game.waiting.step]
                if not asked.answered and time.time() >= asked.until:
                    self.store.answer(asked.game, asked.step, None, None, None)
                    continue
                if not asked.answered:
                    return
                game.take(asked)
            if not game.walk_on():
                break
            self._request(game)  # or finds it, with its answer, after a restart
        if game.over and game.ended is None:
            game.ended = self._ended(game)
            self.store.end_game(game.row.name, game.ended)
        if game.over:
            game.agent = None  # its network is not needed any more

    def seconds_left(self, game: Game) -> float | None:
        """How long an answer may still take; None where none is awaited."""
        return None if game.waiting is None else max(game.waiting.until - time.time(), 0.0)

    def state(self, name: str) -> dict[str, Any]:
        """What the person is shown; at the end with the score, beside those of open results."""
        game = self.game(name)
        with game.lock:
            self.go_on(game)
            state = game.state(self.seconds_left(game))
            return {**state, "end": self.end(game)} if game.over else state

    def around(self, name: str, target: bool) -> dict[str, Any]:
        """What is around the person, or in the target image."""
        game = self.game(name)
        with game.lock:
            return around(game.split, game.sight(target))

    def panorama(self, name: str, target: bool) -> bytes:
        """The same as a picture."""
        game = self.game(name)
        with game.lock:
            location = game.sight(target)
        return panorama_file(game.split, location)

    def file(self, source: Source, agent: str | None = None, by_person: bool = False) -> Path:
        """Where the finished games of a split are."""
        who = re.sub(r"[^\w+.-]+", "_", agent or HUMAN)
        return self.folder / f"{who}{'-helped-by-person' if by_person else ''}-{source.name}.jsonl"

    def end(self, game: Game) -> dict[str, Any]:
        """How a game ended."""
        trip = game.episodes.trajectories()
        ended = outcomes_of(game.split, trip)
        left = float(ended.final_distance[0])
        said = {
            "task": game.task,
            "counts": game.ended,
            "success": bool(ended.success[0]),
            "final_distance": round(left, 2) if np.isfinite(left) else None,
            "steps": int(trip.length[0]),
            "metres": round(float(trip.metres[0]), 2),
            "requests": int(ended.requests[0]),
            "shortest": round(float(ended.shortest[0]), 2),
        }
        if game.row.instruction is not None:
            return said
        others = []
        source = self.library.source(game.number)
        for result in self.library.results:
            same = result.source is not None and result.source == source
            if same and game.task in result:
                others.append({"name": result.name, **result.row(game.task)})
        return {**said, "file": str(self._file_of(game)), "others": others}

    def _file_of(self, game: Game) -> Path:
        agent = game.row.player if game.row.is_agent else None
        return self.file(self.library.source(game.number), agent, game.row.by_person)

    def _ended(self, game: Game) -> bool:
        """Stores what a finished game leaves: whether the follower arrived, or its trajectory.

        Returns:
            Whether the follower arrived, or the attempt counts: False if the task is there already.
        """
        trip = game.episodes.trajectories()
        if game.row.instruction is not None:
            return bool(outcomes_of(game.split, trip).success[0])
        source, file = self.library.source(game.number), self._file_of(game)
        with self._lock:
            stored = self._stored(source, file)
            if stored is not None and game.task in stored.task:
                # The server may have ended after the file was written, and before it could say so.
                return not self.store.counted(game.row) and _same(stored, trip)
            header = {
                "dataset": str(source.data.resolve()),
                "agent": game.row.player,
                "assistant": PERSON if game.row.by_person else source.split.kind.assistant,
                "seed": 0,
                "buildings": source.split.atlas.source,
                "lost": USUAL_LOST,
            }
            together = trip if stored is None else join([stored, trip])
            write_trajectories(file, together, source.split, header)
            return True

    def _stored(self, source: Source, file: Path) -> Trajectories | None:
        if not file.exists():
            return None
        header = read_header(file)
        if header.get("dataset") != str(source.data.resolve()) or header["budget"] != EVALUATION_BUDGET:
            raise InputError(f"{file} is about another dataset; name another folder with --people.")
        return read_trajectories(file, source.split)


def _agent(row: GameRow, split: Split) -> Agent | None:
    return make_agent(row.player, split) if row.is_agent else None


def _same(stored: Trajectories, trip: Trajectories) -> bool:
    """Whether the stored attempt at the task is this very one."""
    one = stored.select(np.flatnonzero(stored.task == trip.task[0]))
    same = np.array_equal(one.location, trip.location) and np.array_equal(one.action, trip.action)
    return same and tuple(one.said) == tuple(trip.said)


def _following(split: Split, row: InstructionRow) -> Split:
    """The one task to follow this instruction."""
    path = tuple(split.atlas.location_id(row.scan, name) for name in row.path)
    return errand_split("follow", R2R, split.atlas, [Errand(str(row.id), row.text, row.view, path)])
