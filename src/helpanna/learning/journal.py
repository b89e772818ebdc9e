"""The log of a run: JSON Lines for programs, TensorBoard for the eye."""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from helpanna.files import atomic_file, writing


class Journal:
    """Writes figures by iteration to `log.jsonl` and `tensorboard/`.

    What was written after the checkpoint from which a run goes on is dropped: it will happen again.
    """

    def __init__(self, run: Path, iteration: int, silent: bool = False) -> None:
        self._silent = silent
        self._path = run / "log.jsonl"
        self._pending: list[str] = []
        self._board: Any = None
        if silent:
            return
        run.mkdir(parents=True, exist_ok=True)
        self._drop_after(iteration)
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError:  # a convenience, not a need
            return
        self._board = SummaryWriter(str(run / "tensorboard"), purge_step=iteration + 1)

    def write(self, iteration: int, figures: Mapping[str, float]) -> None:
        """The figures after an iteration; one that is not a number (of nothing) is left out."""
        if self._silent:
            return
        figures = {name: value for name, value in figures.items() if math.isfinite(value)}
        self._pending.append(json.dumps({"iteration": iteration, **figures}))
        if self._board is not None:
            for name, value in figures.items():
                self._board.add_scalar(name if "/" in name else f"train/{name}", value, iteration)

    def flush(self) -> None:
        """Puts on disk what was written."""
        if self._pending:
            with writing(self._path), self._path.open("a", encoding="utf-8") as file:
                file.write("\n".join(self._pending) + "\n")
            self._pending.clear()
        if self._board is not None:
            self._board.flush()

    def __enter__(self) -> "Journal":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.flush()
        if self._board is not None:
            self._board.close()

    def _drop_after(self, iteration: int) -> None:
        if not self._path.is_file():
            return
        kept = [
            line for line in self._path.read_text(encoding="utf-8").splitlines() if _until(line, iteration)
        ]
        with atomic_file(self._path) as temporary:
            temporary.write_text("".join(f"{line}\n" for line in kept), encoding="utf-8")


def _until(line: str, iteration: int) -> bool:
    """Whether a line belongs to the iterations up to this one; half a line belongs nowhere."""
    try:
        return bool(json.loads(line)["iteration"] <= iteration)
    except (ValueError, KeyError, TypeError):
        return False


def read_log(run: Path) -> list[dict[str, float]]:
    """All lines of a run's log but one that is just being written, or was when the run was killed."""
    path = run / "log.jsonl"
    if not path.is_file():
        return []
    *lines, _ = path.read_text(encoding="utf-8").split("\n")
    return [json.loads(line) for line in lines]
