"""All that the page shows: open results, the splits they are about, people who play."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, get_args

from helpanna.episodes.conditions import USUAL_LOST, Lost
from helpanna.errors import InputError
from helpanna.tasks.dataset import load_dataset
from helpanna.tasks.split import Split
from helpanna.viewer.around import around
from helpanna.viewer.episode import command_line, episode_of
from helpanna.viewer.figures import calibration, compare, heat, overview, parting
from helpanna.viewer.film import episode_gif
from helpanna.viewer.ground import plan_of
from helpanna.viewer.live import Live, Wish
from helpanna.viewer.results import Result
from helpanna.viewer.sources import Source


class NotThereError(Exception):
    """What was asked for does not exist."""


class Library:
    """The open files, and every answer that the page asks for, as JSON values.

    Attributes:
        results: the open result files.
        sources: the splits that they are about, and all of the dataset that was named; each once.
        worlds: buildings without tasks; as sources they are counted on after the others.
        live: agents that act when somebody asks them to.
    """

    def __init__(
        self,
        files: Sequence[Path],
        data: Path | None = None,
        worlds: Sequence[Path] = (),
        agents: Sequence[str] = (),
    ) -> None:
        """Opens result files.

        Args:
            files: the result files.
            data: a dataset folder; by default each file's own.
            worlds: atlases, to annotate routes in.
            agents: more agents that can be asked to act, by name or folder, besides the heuristics, those
                that come with the package and those that made the results.
        """
        self.results = [Result(file, data) for file in files]
        sources = [result.source for result in self.results if result.source is not None]
        if data is not None:
            sources += [Source(data, name) for name in load_dataset(data).names]
        # One object for equal sources: a split is read once.
        self.sources = list({(s.data.resolve(), s.name): s for s in reversed(sources)}.values())[::-1]
        known = {(s.data.resolve(), s.name): s for s in self.sources}
        for result in self.results:
            if result.source is not None:
                result.source = known[result.source.data.resolve(), result.source.name]
        self.worlds = [Source(folder, "") for folder in dict.fromkeys(worlds)]
        self.live = Live(self.results, self.sources, agents, data)
        self._plan = lru_cache(maxsize=64)(self._make_plan)
        self._figures: Callable[[int], dict[str, Any]] = lru_cache(maxsize=64)(self._make_overview)
        self._calibration: Callable[[int], Any] = lru_cache(maxsize=64)(self._make_calibration)
        self._comparison = lru_cache(maxsize=64)(self._make_comparison)

    def contents(self) -> dict[str, Any]:
        """What is open."""
        return {
            "results": [
                {
                    "name": result.name,
                    "file": result.path.name,
                    "split": result.header["split"],
                    "episodes": len(result.rows),
                    "source": self.source_of(number),
                    "assistant": str(result.header.get("assistant") or ""),
                }
                for number, result in enumerate(self.results)
            ],
            "sources": [{"data": source.data.name, "split": source.name} for source in self.sources],
            "worlds": [
                {"data": source.data.name, "source": number}
                for number, source in enumerate(self.worlds, start=len(self.sources))
            ],
        }

    def result(self, number: int) -> Result:
        """An open result."""
        return _one_of(self.results, number)

    def source_of(self, number: int) -> int | None:
        """The number of a result's source; None where its dataset is not at hand."""
        source = self.result(number).source
        return None if source is None else self.sources.index(source)

    def source(self, number: int) -> Source:
        """A split, or buildings without tasks."""
        return _one_of([*self.sources, *self.worlds], number)

    def find(self, data: Path, name: str) -> int | None:
        """The number of the source that is this split of this folder; None if it is not open."""
        for number, source in enumerate([*self.sources, *self.worlds]):
            if source.data.resolve() == data and source.name == name:
                return number
        return None

    def episodes(self, number: int) -> dict[str, list[Any]]:
        """The table of a result."""
        return self.result(number).table()

    def episode(self, number: int, task: int) -> dict[str, Any]:
        """One episode, step by step."""
        result = self.result(number)
        if task not in result:
            raise NotThereError
        trip = result.trajectories([task])
        assert result.source is not None  # noqa: S101  # or there were no trajectories
        told: Lost = result.header.get("lost", USUAL_LOST)
        lost = told if told in get_args(Lost) else USUAL_LOST
        return {
            **episode_of(result.source.split, trip, lost),
            "command": command_line(result),
            "pictures": result.source.split.atlas.views.has_panoramas,
        }

    def gif(self, number: int, task: int) -> bytes:
        """The film of an episode as a GIF file."""
        episode, result = self.episode(number, task), self.result(number)
        assert result.source is not None  # noqa: S101  # or there were no episode
        plan = plan_of(result.source.split, result.source.split.atlas.world_id(episode["world"]))
        return episode_gif(result.source.split, plan, episode, f"{result.name}, task {task}")

    def thoughts(self, number: int, task: int) -> dict[str, Any]:
        """What the agent thought in an episode, see `Live.thoughts`."""
        if task not in self.result(number):
            raise NotThereError
        return self.live.thoughts(number, task)

    def objects(self, number: int) -> list[list[Any]]:
        """What can be sought in tasks of one's own."""
        _one_of(self.sources, number)
        return self.live.objects(number)

    def act(self, wish: Wish) -> dict[str, Any]:
        """An episode of an agent that acts now."""
        _one_of(self.sources, wish.source)
        if wish.result is not None:
            self.result(wish.result)
        return self.live.episode(wish)

    def plan(self, number: int, building: str) -> dict[str, Any]:
        """The plan of a building."""
        return self._plan(number, building)

    def around(self, number: int, location: int) -> dict[str, Any]:
        """What is around a place."""
        split = self.source(number).split
        return around(split, _location(split, location))

    def panorama(self, number: int, location: int) -> bytes:
        """The picture of a place, a JPEG file."""
        split = self.source(number).split
        return panorama_file(split, _location(split, location))

    def overview(self, number: int) -> dict[str, Any]:
        """The figures of a result."""
        return self._figures(number)

    def calibration(self, number: int) -> dict[str, list[list[float]]]:
        """How far the agents' probabilities can be trusted."""
        return self._calibration(number)

    def heat(self, number: int, building: str) -> list[list[int]]:
        """Where agents were and were lost in a building."""
        return heat(self.result(number), building)

    def compare(self, ours: int, theirs: int) -> dict[str, Any]:
        """Two results on the same tasks."""
        return self._comparison(ours, theirs)

    def parting(self, ours: int, theirs: int, task: int) -> dict[str, int | None]:
        """Where two episodes of a task part."""
        pair = self.result(ours), self.result(theirs)
        if not all(task in result for result in pair):
            raise NotThereError
        return {"step": parting(*pair, task)}

    def _make_plan(self, number: int, building: str) -> dict[str, Any]:
        split = self.source(number).split
        if building not in split.atlas.world_names:
            raise NotThereError
        return plan_of(split, split.atlas.world_id(building))

    def _make_overview(self, number: int) -> dict[str, Any]:
        return overview(self.result(number))

    def _make_calibration(self, number: int) -> dict[str, list[list[float]]]:
        return calibration(self.result(number))

    def _make_comparison(self, ours: int, theirs: int) -> dict[str, Any]:
        return compare(self.result(ours), self.result(theirs))


def panorama_file(split: Split, location: int) -> bytes:
    """The equirectangular picture of a location, as it is on disk."""
    panoramas = split.atlas.views.panoramas
    if panoramas is None:
        raise NotThereError
    path = panoramas.folder / f"{location}.jpg"
    try:
        return path.read_bytes()
    except OSError:
        raise InputError(f"{path} is missing; build the atlas again.") from None


def _location(split: Split, location: int) -> int:
    if not 0 <= location < split.atlas.location_count:
        raise NotThereError
    return location


def _one_of(items: Sequence[Any], number: int) -> Any:
    if not 0 <= number < len(items):
        raise NotThereError
    return items[number]
