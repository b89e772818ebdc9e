"""`helpanna train`: an agent learns."""

import os
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, NoReturn

import tyro

from helpanna.cli.checks import COUNTS, LEARNING, STEPS, check_installed, check_numbers
from helpanna.cli.console import TimeLeft, say, spoken_time
from helpanna.cli.together import is_one_of_several, run_together
from helpanna.cli.training_options import (
    AskingPart,
    BeyondPart,
    ConditionPart,
    LearningPart,
    MapPart,
    NetworkPart,
    RunPart,
    run_options,
)
from helpanna.errors import InputError
from helpanna.learning.run_folder import at_work, check_new_run, read_run
from helpanna.learning.runs import RunOptions, open_trainer

_SMOOTHED = ("success", "requests", "navigation", "curiosity", "ask", "conditions", "steps")
_LINE_SECONDS = 10.0


@dataclass(frozen=True)
class Train:
    """Trains an agent on a dataset; interrupted or killed, it goes on with --resume.

    For example: helpanna train --data dataset --out run --warm-start

    And then: helpanna train --resume run
    """

    data_and_run: Annotated[RunPart, tyro.conf.arg(name="data and run")] = field(default_factory=RunPart)
    network: NetworkPart = field(default_factory=NetworkPart)
    learning: LearningPart = field(default_factory=LearningPart)
    conditions: Annotated[ConditionPart, tyro.conf.arg(name="curiosity and conditions")] = field(
        default_factory=ConditionPart
    )
    asking: AskingPart = field(default_factory=AskingPart)
    beyond: Annotated[BeyondPart, tyro.conf.arg(name="beyond the paper")] = field(default_factory=BeyondPart)
    maps: Annotated[MapPart, tyro.conf.arg(name="map")] = field(default_factory=MapPart)

    def run(self) -> None:
        """Starts a run or goes on with one."""
        run = self.data_and_run
        check_numbers(run, until=COUNTS, processes=(1, 1024))
        check_numbers(self.network, hidden=(1, 8192))
        check_numbers(self.beyond, patience=STEPS)
        check_installed("training", LEARNING)
        if run.resume is not None:
            folder, described = run.resume, read_run(run.resume, run.data, run.practice)
        elif run.data is None or run.out is None:
            raise InputError("give --data DATASET and --out RUN, or --resume RUN.")
        else:
            check_new_run(run.out)
            folder, described = run.out, self.chosen().described(run.data)
        if run.processes > 1 and not is_one_of_several():
            _check(folder, described, run.device, run.processes)
            run_together(run.processes, sys.argv[1:])
        _train(folder, described, run.device, run.until, begins=run.resume is None)

    def chosen(self) -> RunOptions:
        """What was chosen for the run, from all groups."""
        return run_options(
            *(self.data_and_run, self.network, self.learning, self.conditions),
            *(self.asking, self.beyond, self.maps),
        )


def _check(run: Path, described: dict[str, Any], device_name: str, processes: int) -> None:
    """Says what is wrong with a run before several processes say it at once."""
    from helpanna.learning.processes import Processes

    trainer = open_trainer(run, described, _device(device_name))
    Processes(0, processes).check(trainer.settings.batch_size)


def _train(run: Path, described: dict[str, Any], device_name: str, until: int | None, begins: bool) -> None:
    import torch

    from helpanna.learning.processes import Processes

    device = _device(device_name)
    processes = Processes.join(device)
    trainer = open_trainer(run, described, device, processes, say if processes.leads else None)
    lesson, settings = trainer.lesson, trainer.settings
    if processes.leads:
        parameters = sum(p.numel() for p in trainer.networks.parameters())
        say(
            f"{parameters / 1e6:.1f} M parameters, {len(lesson.train):,} tasks, {len(lesson.vocabulary):,} "
            f"words, {lesson.features.name} features, on {device} with {torch.get_num_threads()} threads."
        )
    alone = at_work(run, described, begins) if processes.leads else nullcontext()
    try:
        with alone, _live(settings.iterations, processes.leads) as on_iteration, _interruptible(trainer):
            progress = trainer.train(on_iteration, until)
    except KeyboardInterrupt:
        _say_how_to_go_on(run, processes)
    finally:
        processes.leave()
    if progress.iteration < (until or settings.iterations):
        _say_how_to_go_on(run, processes)
    if processes.leads:
        if progress.best >= 0:
            split = list(lesson.validation)[-1]
            say(
                f"Best on {split}: SR {100 * progress.best:.1f} % after {progress.best_iteration} iterations."
            )
        written = [run / name for name in ("best", "last", "log.jsonl") if (run / name).exists()]
        say(f"The run has {', '.join(map(str, written))}.")


def _say_how_to_go_on(run: Path, processes: Any) -> NoReturn:
    if processes.leads:
        say(f"helpanna: interrupted; go on with `helpanna train --resume {run}`.")
    raise SystemExit(130)


@contextmanager
def _interruptible(trainer: Any) -> Iterator[None]:
    """The first Ctrl-C lets the trainer finish its iteration and save; the second is as usual.

    Among several processes all are heard as the first: `torchrun` passes a Ctrl-C on that the terminal has
    sent to everybody already, and ends them some time after SIGTERM.
    """
    together = trainer.processes.count > 1

    def stop(*_: object) -> None:
        trainer.stopping = True
        if not together:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    signals = (signal.SIGINT, signal.SIGTERM) if together else (signal.SIGINT,)
    before = [(number, signal.signal(number, stop)) for number in signals]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)


def _device(name: str) -> Any:
    import torch

    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    if name == "cuda":  # `torchrun` gives each process of a machine a number, and so a card of its own
        name = f"cuda:{os.environ.get('LOCAL_RANK', '0')}"
    try:
        device = torch.device(name)
        torch.empty(1, device=device)
    except (RuntimeError, AssertionError):
        raise InputError(f"--device {name} is not available here; give cpu, cuda or auto.") from None
    return device


@contextmanager
def _live(iterations: int, shown: bool) -> Iterator[Any]:
    """A line that says how the learning goes: in a terminal always the same line, elsewhere now and then."""
    if not shown:
        yield None
        return
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    console = Console(stderr=True)
    smooth: dict[str, float] = {}
    first: list[float] = []
    clock = TimeLeft()
    last_line = time.monotonic()

    def line(done: int, figures: Mapping[str, float]) -> str:
        now = time.monotonic()
        first[:] = first or [now, done]
        left = clock.update(done, iterations)
        for name in _SMOOTHED:
            smooth[name] = 0.98 * smooth.get(name, figures[name]) + 0.02 * figures[name]
        rate = (done - first[1]) / (now - first[0]) if now > first[0] else 0.0
        speed = f"  {rate * smooth['steps']:,.0f} steps/s" if rate else ""
        return (
            f"{done}/{iterations}  SR {100 * smooth['success']:.0f} %  requests {smooth['requests']:.1f}  "
            f"losses nav {smooth['navigation']:.2f} curiosity {smooth['curiosity']:.2f} "
            f"ask {smooth['ask']:.2f} conditions {smooth['conditions']:.2f}"
            f"{speed}{f'  {spoken_time(left)} left' if left else ''}"
        )

    if console.is_terminal:
        with Live(console=console, refresh_per_second=4) as live:
            yield lambda done, figures: live.update(Text(line(done, figures)))
        return

    def now_and_then(done: int, figures: Mapping[str, float]) -> None:
        nonlocal last_line
        text = line(done, figures)
        if time.monotonic() - last_line >= _LINE_SECONDS or done == iterations:
            last_line = time.monotonic()
            say(text)

    yield now_and_then
