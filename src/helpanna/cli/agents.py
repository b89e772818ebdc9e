"""`helpanna agents`: trained agents on disk."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import tyro
from tyro.conf import Positional

from helpanna.cli.checks import LEARNING, check_installed
from helpanna.cli.console import print_json, print_table, say
from helpanna.errors import InputError
from helpanna.files import check_output_folder

_HEADER = ("agent", "hidden", "weights", "sees", "words", "learned", "best SR")


@dataclass(frozen=True)
class ListAgents:
    """The trained agents that come with the package.

    For example: helpanna agents list
    """

    json: bool = False
    """Print them as JSON."""

    def run(self) -> None:
        """Prints a line each."""
        from helpanna.agents.names import MODELS, packaged_agents

        _print([(name, MODELS / name) for name in packaged_agents()], self.json)


@dataclass(frozen=True)
class ShowAgent:
    """What a trained agent is, what it reached, and what it is not for.

    For example: helpanna agents show matterport
    """

    folder: Positional[Path]
    """The agent's folder."""
    json: bool = False
    """Print all of it as JSON."""

    def run(self) -> None:
        """Prints it."""
        _print([(str(self.folder), self.folder)], self.json)


@dataclass(frozen=True)
class PackAgent:
    """Copies a trained agent in half precision, half the size: to keep or to hand on.

    For example: helpanna agents pack run/best --out my_agent
    """

    folder: Positional[Path]
    """The agent's folder."""
    out: Path
    """The folder to write; an agent that is there is replaced."""
    ask_above: float | None = None
    """Let the copy request help only where its probability is above this, from 0 to below 1."""

    def run(self) -> None:
        """Reads, writes."""
        check_installed("a trained agent", LEARNING)
        check_output_folder(self.out, overwrite=True, mark="config.json")
        from helpanna.agents.store import load_agent, read_config, save_agent

        if self.ask_above is not None and not 0 <= self.ask_above < 1:
            raise InputError(f"--ask-above is {self.ask_above}; give a number from 0 to below 1.")
        content = read_config(self.folder)
        agent = load_agent(self.folder)
        networks: Any = agent.networks
        habits = agent.habits
        if self.ask_above is not None:
            habits = replace(habits, ask_above=self.ask_above)
        save_agent(
            self.out,
            networks,
            networks.config,
            habits,
            agent.vocabulary,
            agent.space,
            content["summary"],
            half=True,
        )
        size = sum(path.stat().st_size for path in self.out.iterdir()) / 1e6
        say(f"Wrote {self.out}, {size:.1f} MB.")


@dataclass(frozen=True)
class Agents:
    """Trained agents: list, look at, pack."""

    command: Annotated[
        Annotated[ListAgents, tyro.conf.subcommand("list")]
        | Annotated[ShowAgent, tyro.conf.subcommand("show")]
        | Annotated[PackAgent, tyro.conf.subcommand("pack")],
        tyro.conf.arg(name=""),
    ]

    def run(self) -> None:
        """Runs the subcommand."""
        self.command.run()


def _print(agents: list[tuple[str, Path]], as_json: bool) -> None:
    check_installed("a trained agent", LEARNING)
    from helpanna.agents.store import load_agent, read_config

    rows = []
    for name, folder in agents:
        content = read_config(folder)
        if as_json:
            print_json({"agent": name, **content})
            continue
        networks: Any = load_agent(folder).networks
        parameters = sum(parameter.numel() for parameter in networks.parameters())
        network, summary = content["network"], content["summary"]
        best = summary.get("best_success_rate", -1.0)
        rows.append(
            (
                name,
                network["hidden"],
                f"{parameters / 1e6:.1f} M",
                str(content["space"].get("kind") or content["space"].get("network", "")),
                network["vocabulary"],
                summary.get("iterations", 0),
                f"{100 * best:.1f} %" if best >= 0 else "",
            )
        )
    if not as_json:
        print_table("Trained agents", _HEADER, rows)
