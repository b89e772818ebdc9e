"""`helpanna train`: an agent learns."""

import os
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any, NoReturn

import tyro

from helpanna.cli.checks import COUNTS, LEARNING, check_installed, check_numbers
from helpanna.cli.console import TimeLeft, say, spoken_time
from helpanna.cli.training_options import TrainingOptions
from helpanna.errors import InputError
from helpanna.learning.run_folder import at_work, check_new_run, read_run
from helpanna.learning.runs import RunOptions, open_trainer

_SMOOTHED = ("success", "requests", "navigation", "curiosity", "ask", "conditions", "steps")
_LINE_SECONDS = 10.0


def _size(default: str, kind: str) -> Any:
    return tyro.conf.arg(help_behavior_hint=f"(default: {default}; your own networks': theirs)", metavar=kind)


@dataclass(frozen=True)
class Train:
    """Trains an agent on a dataset; interrupted or killed, it goes on with --resume.

    For example: helpanna train --data dataset --out run --warm-start

    And then: helpanna train --resume run
    """

    data: Path | None = None
    """The dataset folder."""
    out: Path | None = None
    """The folder of the run: checkpoints, logs, and the agents last/ and best/."""
    resume: Path | None = None
    """Goes on with the run of this folder and its settings; besides, only --until and --device count, and
    --data if the dataset has been moved."""
    until: int | None = None
    """Stop after this many iterations, to go on later with --resume."""
    features: str | None = None
    """Which view features of the atlas the agent sees; needed where there are several."""
    network: str = "hierarchical"
    """The paper's agent; or lstm, the encoder-decoder baseline; or map, an agent with a map; or MODULE:CLASS,
    networks of your own, imported from the current folder too."""
    hidden: Annotated[int | None, _size("256, as in the paper", "INT")] = None
    """The size of all states of the networks."""
    dropout: Annotated[float | None, _size("0.3, as in the paper", "FLOAT")] = None
    """Ratio in training."""
    shared_text: bool = False
    """One text encoder for both networks; in the paper each has its own."""
    stop_embedding: bool = False
    """The action scorer knows stop by a learned vector; in the paper it is a zero vector."""
    words_in_sight: bool = False
    """Actions are also scored by the words of the instruction that name something in sight; not in the paper.
    The atlas needs `helpanna worlds add words`."""
    no_inter_reset: bool = False
    """Ablation: the inter-task state is not reset when the task changes."""
    no_similarity_attention: bool = False
    """Ablation: no attention to past situations that were nearly the same (beta = 0)."""
    condition_prediction: Annotated[
        bool,
        tyro.conf.arg(
            help_behavior_hint="(default: yes; no with --network lstm or another --asking than learned)"
        ),
    ] = False
    """Learn to predict the conditions of the help-request teacher too, and decide requests from them. The
    paper's LSTM baseline does not."""
    no_condition_prediction: bool = False
    """Ablation: learn and decide requests directly."""
    no_language: bool = False
    """Ablation: help is the target image only; the text on a route is empty."""
    no_picture: bool = False
    """Ablation: help is words only; the target image is hidden, on a route and after it."""
    ask_once: bool = False
    """Keep the agent from requesting help twice at a location; not in the paper."""
    warm_start: bool = False
    """Learn much sooner than the paper's way: the teacher acts at first and hands over, and the learning rate
    is higher and falls. Other defaults of --learning-rate, --warm-up, --decay, --hand-over, --teacher-floor,
    --weight-decay, --clip and --guard; what you give besides counts."""
    options: Annotated[TrainingOptions, tyro.conf.arg(name="")] = field(default_factory=TrainingOptions)
    device: str = "auto"
    """cpu, cuda, or auto: a GPU where there is one."""
    autocast: bool = False
    """Compute in bfloat16 where that is safe; for GPUs."""

    def run(self) -> None:
        """Starts a run or goes on with one."""
        check_numbers(self, until=COUNTS, hidden=(1, 8192))
        check_installed("training", LEARNING)
        if self.resume is not None:
            _train(self.resume, read_run(self.resume, self.data), self.device, self.until, begins=False)
            return
        if self.data is None or self.out is None:
            raise InputError("give --data DATASET and --out RUN, or --resume RUN.")
        check_new_run(self.out)
        names = [f.name for f in fields(RunOptions) if f.name != "given"]
        chosen = RunOptions(**{name: getattr(self, name) for name in names}, given=self.options.given())
        _train(self.out, chosen.described(self.data), self.device, self.until, begins=True)


def _train(run: Path, described: dict[str, Any], device_name: str, until: int | None, begins: bool) -> None:
    import torch

    from helpanna.learning.processes import Processes

    device = _device(device_name)
    processes = Processes.join(device)
    trainer = open_trainer(run, described, device, processes)
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
