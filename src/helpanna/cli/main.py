"""`helpanna`: the entry point, and what happens when something goes wrong."""

import os
import sys
from typing import Annotated

import tyro

import helpanna
from helpanna.cli.agents import Agents
from helpanna.cli.console import say
from helpanna.cli.demo import Demo
from helpanna.cli.evaluate import Evaluate
from helpanna.cli.score import Score
from helpanna.cli.tasks import Tasks
from helpanna.cli.train import Train
from helpanna.cli.worlds import Worlds
from helpanna.errors import InputError

Command = (
    Annotated[
        Worlds, tyro.conf.subcommand("worlds", description="Buildings: generate, import, check, look at.")
    ]
    | Annotated[Tasks, tyro.conf.subcommand("tasks", description="Datasets: build, check, look at.")]
    | Annotated[Train, tyro.conf.subcommand("train", description="An agent learns.")]
    | Annotated[Agents, tyro.conf.subcommand("agents", description="Trained agents: list, look at, pack.")]
    | Annotated[Evaluate, tyro.conf.subcommand("evaluate", description="An agent on a split.")]
    | Annotated[Score, tyro.conf.subcommand("score", description="The metrics of stored trajectories.")]
    | Annotated[Demo, tyro.conf.subcommand("demo", description="A first look: builds, checks, walks, draws.")]
)

_DESCRIPTION = """Agents that find their way by asking for help.

Shell completion: helpanna --tyro-print-completion bash > FILE (or zsh, tcsh), then source FILE.
The version: helpanna --version."""

_CONFIG = (
    tyro.conf.OmitArgPrefixes,
    tyro.conf.OmitSubcommandPrefixes,
    tyro.conf.FlagCreatePairsOff,
)


def main(arguments: list[str] | None = None) -> None:
    """Runs one command; exits with 2 on bad input, 130 when interrupted."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments == ["--version"]:
        print(f"helpanna {helpanna.__version__}")
        return
    try:
        command = tyro.cli(
            Command,
            prog="helpanna",
            description=_DESCRIPTION,
            args=arguments,
            config=_CONFIG,
        )
        command.run()
        sys.stdout.flush()
    except InputError as error:
        say(f"helpanna: {error}")
        sys.exit(2)
    except KeyboardInterrupt:
        say("helpanna: interrupted; nothing is half-written.")
        sys.exit(130)
    except BrokenPipeError:
        # The reader of our output has gone (`helpanna ... | head`): leave without complaint.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
