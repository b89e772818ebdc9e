"""Works off units, each once, those that others need before them, and says how far all are."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from typing import Literal

from helpanna.engines import Submit
from helpanna.errors import InputError
from helpanna.files import read_json
from helpanna.reproduction.units import STOP, Evaluation, Training, Unit

State = Literal["waiting", "working", "done", "failed"]

_POLL_SECONDS = 0.3


@dataclass(frozen=True)
class Status:
    """How far a unit is.

    Attributes:
        unit: which.
        state: whether it is done.
        share: how much of it is done, from 0 to 1.
    """

    unit: Unit
    state: State
    share: float


OnStatus = Callable[[Sequence[Status], float | None], None]
"""Told how far each unit is, and how many seconds are left, None while that is not known."""


def work_off(units: Sequence[Unit], submit: Submit, workers: int, on_status: OnStatus | None = None) -> None:
    """Does all units that are not done yet.

    On Ctrl-C everybody stops: trainings after the iteration they are at, which they save.

    Raises:
        InputError: a unit cannot be done; the others are.
    """
    if not units:
        return
    stop = units[0].out / STOP
    stop.unlink(missing_ok=True)
    shift = _Shift(list(units), submit, workers, on_status)
    try:
        try:
            shift.go_on()
        except KeyboardInterrupt:
            stop.touch()
            shift.finish()
            raise
    finally:
        stop.unlink(missing_ok=True)
    if shift.failures:
        unit, reason = shift.failures[0]
        others = f" ({len(shift.failures)} units failed)" if len(shift.failures) > 1 else ""
        raise InputError(f"{unit.title}: {reason}{others}")


class _Shift:
    """Units at work.

    Attributes:
        failures: the units that cannot be done, and why.
    """

    def __init__(self, units: list[Unit], submit: Submit, workers: int, on_status: OnStatus | None) -> None:
        self._units, self._submit, self._on_status = units, submit, on_status
        self._waiting = [unit for unit in units if not unit.is_done]
        self._working: dict[Future[bool], Unit] = {}
        self._clock = _Clock(workers)
        self.failures: list[tuple[Unit, str]] = []
        for unit in self._waiting:  # of an earlier day: nobody is at work on it yet
            unit.progress.unlink(missing_ok=True)

    def go_on(self) -> None:
        """Until nothing is left that can be done."""
        while True:
            self._begin_what_can_begin()
            self._say()
            if not self._working:
                return
            self._collect(_POLL_SECONDS)

    def finish(self) -> None:
        """Waits for those at work; nobody begins."""
        # Ray would let go of those that have begun, too.
        for future in [f for f, unit in self._working.items() if _share(unit) is None and f.cancel()]:
            del self._working[future]
        while self._working:
            self._collect(_POLL_SECONDS)

    def _begin_what_can_begin(self) -> None:
        for unit in list(self._waiting):
            needed = unit.navigator if isinstance(unit, Evaluation) else None
            if isinstance(needed, Training) and not needed.is_done:
                continue
            self._waiting.remove(unit)
            self._working[self._submit(do, unit)] = unit

    def _collect(self, seconds: float) -> None:
        ended, _ = wait(self._working, timeout=seconds, return_when=FIRST_COMPLETED)
        for future in ended:
            unit = self._working.pop(future)
            try:
                future.result()
            except Exception as error:
                cause = getattr(error, "cause", error)  # Ray wraps what happened in a worker
                if not isinstance(cause, InputError):
                    raise
                self.failures.append((unit, str(cause)))

    def _say(self) -> None:
        if self._on_status is None:
            return
        failed = [unit for unit, _ in self.failures]
        at_work = list(self._working.values())
        statuses = []
        for unit in self._units:
            if unit in failed:
                statuses.append(Status(unit, "failed", 0.0))
            elif unit not in at_work:
                done = unit.is_done
                statuses.append(Status(unit, "done" if done else "waiting", float(done)))
            else:
                share = _share(unit)
                statuses.append(Status(unit, "waiting" if share is None else "working", share or 0.0))
        self._on_status(statuses, self._clock.left(statuses))


def do(unit: Unit) -> bool:
    """Does a unit, in whatever process."""
    return unit.do()


def _share(unit: Unit) -> float | None:
    """How much of a unit is done; None if nobody has begun."""
    try:
        told = read_json(unit.progress)
    except InputError:
        return None
    return float(told["done"]) / max(float(told["total"]), 1.0)


@dataclass
class _Clock:
    """How long units of each kind take, learned from those at work.

    Attributes:
        workers: how many work side by side.
    """

    workers: int
    _first: dict[str, tuple[float, float]] = field(default_factory=dict)
    _last: dict[str, tuple[float, float, str]] = field(default_factory=dict)
    _ended: set[str] = field(default_factory=set)

    def left(self, statuses: Sequence[Status]) -> float | None:
        """Seconds until all are done; None while it is not known of every kind that is left."""
        now = time.monotonic()
        for status in statuses:
            title = status.unit.title
            if status.state == "working":
                self._first.setdefault(title, (now, status.share))
            if title in self._first and title not in self._ended:
                self._last[title] = (now, status.share, _kind(status.unit))
            if status.state in ("done", "failed"):
                self._ended.add(title)
        left = 0.0
        for kind in {_kind(status.unit) for status in statuses}:
            missing = sum(
                1 - s.share for s in statuses if _kind(s.unit) == kind and s.state in ("waiting", "working")
            )
            if not missing:
                continue
            spans = [
                (t - self._first[title][0], share - self._first[title][1])
                for title, (t, share, of) in self._last.items()
                if of == kind
            ]
            seconds, shares = sum(s for s, _ in spans), sum(s for _, s in spans)
            if seconds < 1 or shares <= 0:
                return None
            left += missing * seconds / shares
        return left / self.workers


def _kind(unit: Unit) -> str:
    if isinstance(unit, Evaluation):
        return "evaluation" if isinstance(unit.navigator, Training) else "heuristic"
    return "training"
