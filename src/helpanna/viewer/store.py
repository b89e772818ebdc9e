"""What people did on the page, in one SQLite file: games, requests for help, instructions.

A method that changes something returns when the change is on disk (write-ahead log, `synchronous=FULL`): what
the page has acknowledged outlives the server, however it ends.
"""

import json
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

from helpanna.errors import InputError

FILE = "people.sqlite"
_VERSION = 1
_BUSY_SECONDS = 20.0

_SCHEMA = """
CREATE TABLE games (
    name TEXT PRIMARY KEY,        -- known to the player alone
    desk TEXT NOT NULL UNIQUE,    -- known to assistants
    data TEXT NOT NULL,           -- the folder of the dataset or of the atlas
    split TEXT,                   -- NULL for buildings without tasks
    task INTEGER NOT NULL,
    player TEXT NOT NULL,         -- who decides: a person's name, or an agent's
    is_agent INTEGER NOT NULL,
    by_person INTEGER NOT NULL,   -- whether a person answers requests
    instruction INTEGER REFERENCES instructions (id),  -- what is followed, in place of a task
    begun REAL NOT NULL,
    ended INTEGER                 -- NULL before the end; whether the attempt counts, or the follower arrived
) STRICT;
CREATE INDEX follows ON games (instruction) WHERE instruction IS NOT NULL;
CREATE TABLE moves (
    game TEXT NOT NULL REFERENCES games (name),
    step INTEGER NOT NULL,
    ask INTEGER NOT NULL,
    action INTEGER NOT NULL,
    PRIMARY KEY (game, step)
) STRICT, WITHOUT ROWID;
CREATE TABLE requests (
    game TEXT NOT NULL REFERENCES games (name),
    step INTEGER NOT NULL,
    until REAL NOT NULL,          -- when the time to answer is up
    answered INTEGER NOT NULL DEFAULT 0,
    assistant TEXT,
    words TEXT,                   -- NULL for no answer
    picture INTEGER,              -- the location that is shown
    PRIMARY KEY (game, step)
) STRICT, WITHOUT ROWID;
CREATE INDEX waiting ON requests (until) WHERE NOT answered;
CREATE TABLE instructions (
    id INTEGER PRIMARY KEY,
    scan TEXT NOT NULL,           -- the building
    path TEXT NOT NULL,           -- the names of its locations, a JSON list
    view INTEGER NOT NULL,        -- the camera's at the start
    text TEXT NOT NULL,
    guide TEXT NOT NULL,
    how TEXT NOT NULL,            -- lemma, random or drawn
    written REAL NOT NULL,
    UNIQUE (scan, path, view, text)
) STRICT;
"""


@dataclass(frozen=True)
class GameRow:
    """A game as it is stored; the columns are explained in the schema."""

    name: str
    desk: str
    data: str
    split: str | None
    task: int
    player: str
    is_agent: bool = False
    by_person: bool = False
    instruction: int | None = None
    ended: bool | None = None


@dataclass(frozen=True)
class RequestRow:
    """A request for help to a person."""

    game: str
    step: int
    until: float
    answered: bool = False
    assistant: str | None = None
    words: str | None = None
    picture: int | None = None


@dataclass(frozen=True)
class InstructionRow:
    """What somebody wrote of a path, how many followed it to some end, and how many of them arrived."""

    id: int
    scan: str
    path: tuple[str, ...]
    view: int
    text: str
    guide: str
    how: str
    followed: int = 0
    arrived: int = 0


_GAME = "name, desk, data, split, task, player, is_agent, by_person, instruction, ended"
_REQUEST = "game, step, until, answered, assistant, words, picture"
_INSTRUCTION = """
    SELECT id, scan, path, view, text, guide, how, COUNT(ended), COALESCE(SUM(ended), 0)
    FROM instructions LEFT JOIN games ON instruction = id
"""


class Store:
    """The file, for all threads of a server; several servers may share it."""

    def __init__(self, path: Path) -> None:
        """Opens the file; it is made where there is none.

        Raises:
            InputError: it is no such file, or cannot be written.
        """
        self.path = path
        self._lock = Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._open()
        except (sqlite3.Error, OSError) as error:
            raise InputError(f"{path} cannot be used for what people do ({error}); name another.") from None

    def _open(self) -> None:
        self._db = sqlite3.connect(
            self.path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.execute("PRAGMA foreign_keys = ON")
        with self._change() as db:
            (version,) = db.execute("PRAGMA user_version").fetchone()
            if version == 0:
                for statement in _SCHEMA.split(";\n"):
                    db.execute(statement)
                db.execute(f"PRAGMA user_version = {_VERSION}")
            elif version != _VERSION:
                raise sqlite3.DatabaseError(f"it has version {version}, not {_VERSION}")

    def close(self) -> None:
        """Ends; nothing is lost without it."""
        self._db.close()

    @contextmanager
    def _change(self) -> Iterator[sqlite3.Connection]:
        """All that is done inside is on disk afterwards, or nothing of it."""
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def _rows(self, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self._lock:
            return self._db.execute(query, values).fetchall()

    def add_game(self, game: GameRow) -> None:
        """A game begins."""
        values = (game.name, game.desk, game.data, game.split, game.task, game.player, game.is_agent)
        with self._change() as db:
            db.execute(
                f"INSERT INTO games ({_GAME}, begun) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?)",  # noqa: S608
                (*values, game.by_person, game.instruction, time.time()),
            )

    def game(self, name: str, desk: bool = False) -> GameRow | None:
        """A game by its name, or by the name that assistants know."""
        rows = self._rows(f"SELECT {_GAME} FROM games WHERE {'desk' if desk else 'name'} = ?", (name,))  # noqa: S608
        if not rows:
            return None
        name, desk_name, data, split, task, player, is_agent, by_person, instruction, ended = rows[0]
        return GameRow(
            name,
            desk_name,
            data,
            split,
            task,
            player,
            is_agent=bool(is_agent),
            by_person=bool(by_person),
            instruction=instruction,
            ended=None if ended is None else bool(ended),
        )

    def end_game(self, name: str, ended: bool) -> None:
        """A game has ended."""
        with self._change() as db:
            db.execute("UPDATE games SET ended = ? WHERE name = ?", (ended, name))

    def counted(self, game: GameRow) -> bool:
        """Whether an attempt of the same kind at the same task counts already."""
        rows = self._rows(
            "SELECT 1 FROM games WHERE ended = 1 AND instruction IS NULL AND "
            "(data, split, task, player, by_person) = (?, ?, ?, ?, ?)",
            (game.data, game.split, game.task, game.player, game.by_person),
        )
        return bool(rows)

    def moves(self, game: str) -> dict[int, tuple[bool, int]]:
        """What a person decided by the step: whether to ask, and the action."""
        rows = self._rows("SELECT step, ask, action FROM moves WHERE game = ?", (game,))
        return {step: (bool(ask), action) for step, ask, action in rows}

    def add_move(self, game: str, step: int, ask: bool, action: int) -> bool:
        """A decision; False if the step had one already."""
        with self._change() as db:
            return _added(db, "INSERT INTO moves VALUES (?, ?, ?, ?)", (game, step, ask, action))

    def requests(self, game: str) -> dict[int, RequestRow]:
        """The requests of a game by their steps."""
        rows = self._rows(f"SELECT {_REQUEST} FROM requests WHERE game = ?", (game,))  # noqa: S608
        return {row[1]: _request(row) for row in rows}

    def waiting(self, agents: bool = False) -> list[RequestRow]:
        """The requests that nobody has answered, the most urgent first; or only those of agents."""
        only = "AND game IN (SELECT name FROM games WHERE is_agent)" if agents else ""
        rows = self._rows(f"SELECT {_REQUEST} FROM requests WHERE NOT answered {only} ORDER BY until")  # noqa: S608
        return [_request(row) for row in rows]

    def add_request(self, game: str, step: int, until: float) -> bool:
        """Help is requested; False if it was already."""
        insert = "INSERT INTO requests (game, step, until) VALUES (?, ?, ?)"
        with self._change() as db:
            return _added(db, insert, (game, step, until))

    def answer(
        self, game: str, step: int, assistant: str | None, words: str | None, picture: int | None
    ) -> bool:
        """What is answered; False if the request does not wait any more: the first answer counts."""
        with self._change() as db:
            changed = db.execute(
                "UPDATE requests SET answered = 1, assistant = ?, words = ?, picture = ? "
                "WHERE game = ? AND step = ? AND NOT answered",
                (assistant, words, picture, game, step),
            )
            return changed.rowcount == 1

    def add_instruction(self, row: InstructionRow) -> int:
        """What somebody wrote; its number. The same words of the same path are stored once."""
        key = (row.scan, json.dumps(row.path), row.view, row.text)
        with self._change() as db:
            db.execute(
                "INSERT OR IGNORE INTO instructions (scan, path, view, text, guide, how, written) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                (*key, row.guide, row.how, time.time()),
            )
            found = db.execute(
                "SELECT id FROM instructions WHERE (scan, path, view, text) = (?, ?, ?, ?)", key
            )
            return int(found.fetchone()[0])

    def instructions(self, building: str | None = None) -> list[InstructionRow]:
        """All that was written, perhaps in one building, with how followers fared."""
        where, values = ("", ()) if building is None else ("WHERE scan = ? ", (building,))
        rows = self._rows(_INSTRUCTION + where + "GROUP BY id ORDER BY id", values)
        return [_instruction(row) for row in rows]

    def instruction(self, number: int) -> InstructionRow | None:
        """One of them."""
        rows = self._rows(_INSTRUCTION + "WHERE id = ? GROUP BY id", (number,))
        return _instruction(rows[0]) if rows else None

    def followed_by(self, follower: str) -> set[int]:
        """The instructions that somebody has begun to follow."""
        rows = self._rows(
            "SELECT instruction FROM games WHERE instruction IS NOT NULL AND player = ?", (follower,)
        )
        return {number for (number,) in rows}


def _added(db: sqlite3.Connection, insert: str, values: Sequence[Any]) -> bool:
    try:
        db.execute(insert, values)
    except sqlite3.IntegrityError:
        return False
    return True


def _request(row: tuple[Any, ...]) -> RequestRow:
    game, step, until, answered, *rest = row
    return RequestRow(game, step, until, bool(answered), *rest)


def _instruction(row: tuple[Any, ...]) -> InstructionRow:
    number, scan, path, *rest = row
    return InstructionRow(number, scan, tuple(json.loads(path)), *rest)
