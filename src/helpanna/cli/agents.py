"""`helpanna agents`: trained agents on disk."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import tyro
from tyro.conf import Positional

from helpanna.cli.agents_calibrate import CalibrateAgent, CheckCalibration
from helpanna.cli.checks import LEARNING, STEPS, check_installed, check_numbers
from helpanna.cli.console import print_json, print_table, say
from helpanna.errors import InputError
from helpanna.files import check_name_for_weights, check_output_folder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from helpanna.tasks.split import Split

_HEADER = ("agent", "hidden", "weights", "sees", "words", "learned")
_RESULTS_HEADER = ("agent", "split", "tasks", "success rate %", "requests")


@dataclass(frozen=True)
class ListAgents:
    """The trained agents that come with the package.

    For example: helpanna agents list
    """

    json: bool = False
    """Print them as JSON, one a line."""

    def run(self) -> None:
        """Prints a line each."""
        from helpanna.agents.folders import read_config
        from helpanna.agents.names import MODELS, packaged_agents

        contents = {name: read_config(MODELS / name) for name in packaged_agents()}
        if self.json:
            for name, content in contents.items():
                print_json({"agent": name, **content})
            return
        rows = [_row(name, MODELS / name, content) for name, content in contents.items()]
        print_table("Trained agents", _HEADER, rows)
        if results := [row for name, content in contents.items() for row in _result_rows(name, content)]:
            print_table("What they reached", _RESULTS_HEADER, results)
        print("More on one of them: helpanna agents show NAME")


@dataclass(frozen=True)
class ShowAgent:
    """What a trained agent is, what it reached, and what it is not for: its card.

    For example: helpanna agents show matterport
    """

    agent: Positional[str]
    """A name that `helpanna agents list` prints, or an agent's folder."""
    json: bool = False
    """Print all that its config holds as JSON."""

    def run(self) -> None:
        """Prints it."""
        from helpanna.agents.cards import make_card
        from helpanna.agents.folders import count_parameters, read_config
        from helpanna.agents.names import agent_folder

        folder = agent_folder(self.agent)
        content = read_config(folder)
        if self.json:
            print_json({"agent": self.agent, **content})
        else:
            print(make_card(folder.resolve().name, content, count_parameters(folder)), end="")


@dataclass(frozen=True)
class PackAgent:
    """Copies a trained agent in half precision, half the size, with its card: to keep or to hand on.

    Results are not copied, for the copy is another agent: measure it and record them.

    For example: helpanna agents pack run/best --out my_agent --licence "CC BY 4.0"
    """

    agent: Positional[str]
    """The agent's folder, or a name that `helpanna agents list` prints."""
    out: Path
    """The folder to write; an agent that is there is replaced."""
    ask_above: float | None = None
    """Let the copy request help only where its probability is above this, from 0 to below 1."""
    patience: int | None = None
    """Let the copy try a route for so many time steps before it asks again."""
    purpose: str = ""
    """For the card: what it is for."""
    data: str = ""
    """For the card: what it learned from."""
    training: str = ""
    """For the card: how, best as a command."""
    limits: str = ""
    """For the card: what it cannot do."""
    licence: str = ""
    """For the card: its terms of use."""

    def run(self) -> None:
        """Reads, writes."""
        check_installed("a trained agent", LEARNING)
        check_name_for_weights(self.out)
        check_output_folder(self.out, overwrite=True, mark="config.json")
        from helpanna.agents.cards import ABOUT
        from helpanna.agents.folders import read_config
        from helpanna.agents.names import agent_folder
        from helpanna.agents.store import load_agent, save_agent

        if self.ask_above is not None and not 0 <= self.ask_above < 1:
            raise InputError(f"--ask-above is {self.ask_above}; give a number from 0 to below 1.")
        check_numbers(self, patience=STEPS)
        folder = agent_folder(self.agent)
        content = read_config(folder)
        agent = load_agent(folder)
        networks: Any = agent.networks
        habits = agent.habits
        if self.ask_above is not None:
            habits = replace(habits, ask_above=self.ask_above)
        if self.patience is not None:
            habits = replace(habits, patience=self.patience)
        about = content.get("about", {}) | {key: text for key in ABOUT if (text := getattr(self, key))}
        save_agent(
            self.out,
            networks,
            habits,
            agent.vocabulary,
            agent.space,
            content["summary"],
            half=True,
            about=about,
            calibration=content.get("calibration"),
        )
        size = sum(path.stat().st_size for path in self.out.iterdir()) / 1e6
        say(f"Wrote {self.out}, {size:.1f} MB.")


@dataclass(frozen=True)
class RecordResults:
    """Adds results to an agent's card, from the trajectories that `helpanna evaluate` stored.

    For example: helpanna agents record my_agent run.jsonl
    """

    agent: Positional[Path]
    """The agent's folder."""
    files: Positional[tuple[Path, ...]]
    """Trajectories of this agent: FILE.jsonl."""
    note: str = ""
    """What a reader must know of them, for example what was chosen on this split."""

    def run(self) -> None:
        """Computes the figures and writes config and card."""
        from helpanna.agents.cards import make_card, results_of
        from helpanna.agents.folders import CARD, CONFIG, count_parameters, read_config
        from helpanna.files import atomic_file
        from helpanna.manifest import write_signed

        if not self.files:
            raise InputError("name a trajectory file: helpanna agents record AGENT FILE.jsonl.")
        content = read_config(self.agent)
        new = [_result(self.agent, content, file, self.note) for file in self.files]
        # A command that is run again replaces what it gave before.
        again = {result["command"] for result in new}
        kept = [r for r in results_of(content, str(self.agent)) if r.get("command") not in again]
        content["results"] = [*kept, *new]
        card = make_card(self.agent.resolve().name, content, count_parameters(self.agent))
        write_signed(self.agent / CONFIG, content)
        with atomic_file(self.agent / CARD) as temporary:
            temporary.write_text(card, encoding="utf-8")
        say(f"Recorded {len(new)} results in {self.agent}.")


@dataclass(frozen=True)
class Agents:
    """Trained agents: list, look at, pack, calibrate, record results."""

    command: Annotated[
        Annotated[ListAgents, tyro.conf.subcommand("list")]
        | Annotated[ShowAgent, tyro.conf.subcommand("show")]
        | Annotated[PackAgent, tyro.conf.subcommand("pack")]
        | Annotated[CalibrateAgent, tyro.conf.subcommand("calibrate")]
        | Annotated[CheckCalibration, tyro.conf.subcommand("reliability")]
        | Annotated[RecordResults, tyro.conf.subcommand("record")],
        tyro.conf.arg(name=""),
    ]

    def run(self) -> None:
        """Runs the subcommand."""
        self.command.run()


def _row(name: str, folder: Path, content: Mapping[str, Any]) -> tuple[Any, ...]:
    """What `list` says of an agent."""
    from helpanna.agents.cards import check_described, sees
    from helpanna.agents.folders import count_parameters

    check_described(content, name)
    network = content["network"]
    return (
        name,
        network.get("hidden", ""),
        f"{count_parameters(folder) / 1e6:.1f} M",
        sees(content["space"]),
        network["vocabulary"],
        content["summary"].get("iterations", 0),
    )


def _result_rows(name: str, content: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    from helpanna.agents.cards import results_of, shown

    return [
        (
            name,
            result["split"],
            result["tasks"],
            shown("success_rate", result["success_rate"]).replace(" %", ""),
            shown("requests_per_task", result["requests_per_task"][:1])
            if "requests_per_task" in result
            else "",
        )
        for result in results_of(content, name)
    ]


def _result(agent: Path, content: Mapping[str, Any], file: Path, note: str) -> dict[str, Any]:
    """The figures of a trajectory file, once it is proved to be this agent's."""
    from helpanna.agents.cards import METRICS
    from helpanna.agents.folders import MODEL, read_config
    from helpanna.agents.names import MODELS, agent_folder
    from helpanna.episodes.trajectory_file import read_header, read_trajectories
    from helpanna.evaluation.metrics import evaluate
    from helpanna.tasks.dataset import load_split

    header = read_header(file)
    name, data = str(header.get("agent", "")), str(header.get("dataset", ""))
    navigator, plus, habits = name.partition("+")
    walked = read_config(agent_folder(navigator))
    same = all(walked[part] == content[part] for part in ("network", "habits", "space"))
    if not same or walked["files"][MODEL] != content["files"][MODEL]:
        raise InputError(f"{file} holds the walks of another agent, {name}; evaluate this one.")
    split = load_split(Path(data), header["split"])
    trajectories = read_trajectories(file, split)
    figures = evaluate(split, trajectories)
    if agent.resolve().parent == MODELS.resolve():  # others know it by its name, wherever it walked
        name = agent.resolve().name + plus + habits
    command = f"helpanna evaluate --data {Path(data).name} --split {split.name} --agent {name}"
    if (assistant := header.get("assistant", "anna")) != "anna":
        command += f" --assistant {assistant}"
    if len(trajectories) < len(split):
        command += f" --tasks {len(trajectories)}"
    if buildings := _chosen_buildings(split, trajectories.task):
        command += f" --buildings {shlex.join(buildings)}"
    rounded = {
        key: [round(float(x), 4) for x in (figure.value, figure.low, figure.high)]
        for key in METRICS
        for figure in (figures[key],)
    }
    return {
        "split": split.name,
        "tasks": len(trajectories),
        **rounded,
        "intervals": "buildings and tasks",
        "command": f"{command} --budget {header['budget']} --seed {header.get('seed', 0)} --out run.jsonl",
        "note": note,
    }


def _chosen_buildings(split: "Split", tasks: "NDArray[np.int64]") -> list[str]:
    """The buildings that were named where tasks were evaluated in some of them only; else none."""
    import numpy as np

    from helpanna.evaluation.runner import spread

    worlds = split.atlas.world_of[split.start]
    there = np.unique(worlds[tasks])
    known = np.flatnonzero(np.isin(worlds, there))
    as_chosen = np.array_equal(np.sort(tasks), known[spread(len(known), len(tasks))])
    some = as_chosen and len(there) < len(np.unique(worlds))
    return [split.atlas.world_names[w] for w in there.tolist()] if some else []
