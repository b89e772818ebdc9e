"""`helpanna evaluate`: an agent on a split."""

from dataclasses import dataclass, field
from pathlib import Path

from helpanna.cli.checks import COUNTS, EPISODES, PROCESSES, SEEDS, TIME_STEPS, check_numbers
from helpanna.cli.console import progress, say
from helpanna.cli.engine_options import EngineGroup, EnginePart
from helpanna.cli.score import print_scores
from helpanna.episodes.conditions import Lost
from helpanna.files import check_output


@dataclass(frozen=True)
class Evaluate:
    """Runs an agent on the tasks of a split, stores its trajectories and prints the metrics.

    For example: helpanna evaluate --data dataset --split val_unseen --agent explorer --out run.jsonl
    """

    data: Path
    """The dataset folder."""
    split: str
    """train, val_seen, val_unseen, test_seen or test_unseen."""
    agent: str
    """random_walk, forward10, random_heading, shortest or explorer, or the folder of a trained agent, or one
    that comes with the package (`helpanna agents list`); then if wanted +no_ask, +random_ask, +ask_every5,
    +ask_untried or +ask_new for when to request help, or of a trained agent +price:0.3 (where the probability
    that help is wanted is above this), +unsure:0.1 (where its conformal set is not of one action),
    +patience:5 (it tries a route for 5 steps before it asks again), +no_words or +no_picture (help without
    these); then if wanted +recognises to know goals, and +perfect to follow routes perfectly. For example
    explorer+ask_untried+perfect. Or human:FILE, what the episodes of a trajectory file did, for example a
    person's (`helpanna view`): on the tasks of that file."""
    out: Path
    """The trajectory file to write: FILE.jsonl; replaced if it exists."""
    assistant: str | None = None
    """By default who helps in tasks of this kind: ANNA in HANNA's, the adviser in VNLA's, nobody in the
    others. anna, absent, adviser, or
    what is changed about ANNA: noisy:0.2 (a wrong route with this probability), shuffled (the words of any
    route, with the right picture), limited:3 (this many requests
    an episode), priced:2m or priced:1step (the cost of an answer), joined by commas; or
    your own: module:name, a class or function that is called with the split and the seed."""
    tasks: int | None = None
    """Only this many tasks, spread evenly over the split."""
    buildings: tuple[str, ...] = ()
    """Only tasks in these buildings, for example to choose on some and report on the others."""
    budget: int = 50
    """Time steps of an episode."""
    batch_size: int = 256
    """Episodes run side by side; changes the speed, not the result."""
    workers: int | None = None
    """Processes; changes the speed, not the result. By default as many as there are cores, and none besides
    this one for a run of a few seconds."""
    lost: Lost | None = None
    """The reading of the condition lost by which predictions are scored: the published code's or the paper's
    sentence; by default the one that the agent was taught, else the published code's."""
    seed: int = 0
    """The same seed gives the same trajectories."""
    json: bool = False
    """Print the metrics as JSON."""
    where: EngineGroup = field(default_factory=EnginePart)

    def run(self) -> None:
        """Runs, stores, prints."""
        # Imported here, where they are needed: the other commands start faster without them.
        import numpy as np

        from helpanna.agents.habits import lost_of
        from helpanna.agents.recorded import Recorded
        from helpanna.episodes.outcomes import outcomes_of
        from helpanna.episodes.trajectory_file import write_trajectories
        from helpanna.evaluation.answers import answer_progress
        from helpanna.evaluation.metrics import evaluate, sample_of
        from helpanna.evaluation.runner import Setup, spread, tasks_in
        from helpanna.evaluation.workers import run_on_cores

        self._check()
        engine = self.where.chosen()
        setup = Setup(self.data, self.split, self.agent, self.assistant, self.seed, self.budget)
        loaded = setup.load()
        split, agent, _ = loaded
        lost = self.lost or lost_of(agent)
        known = agent.tasks if isinstance(agent, Recorded) else np.arange(len(split))
        if self.buildings:
            known = known[np.isin(known, tasks_in(split, self.buildings))]
        tasks = known[spread(len(known), self.tasks)]
        with progress() as report:

            def on_progress(done: int, total: int) -> None:
                report("episodes", done, total)

            trajectories = run_on_cores(
                setup, loaded, tasks, self.workers, self.batch_size, on_progress, engine
            )
        header = {
            "dataset": str(self.data.resolve()),
            "agent": self.agent,
            "assistant": self.assistant or split.kind.assistant,
            "seed": self.seed,
            "buildings": split.atlas.source,
            "lost": lost,
        }
        write_trajectories(self.out, trajectories, split, header)
        print_scores(
            {**header, "split": split.name, "kind": split.kind.name},
            sample_of(outcomes_of(split, trajectories)),
            evaluate(split, trajectories, lost=lost),
            answer_progress(split, trajectories),
            self.json,
        )
        say(f"Wrote {self.out}.")

    def _check(self) -> None:
        check_output(self.out)
        check_numbers(
            self,
            tasks=COUNTS,
            budget=TIME_STEPS,
            batch_size=EPISODES,
            workers=PROCESSES,
            seed=SEEDS,
        )
