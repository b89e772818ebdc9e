"""`helpanna agents calibrate` and `reliability`: can an agent's probabilities be trusted?"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tyro.conf import Positional

from helpanna.cli.checks import COUNTS, LEARNING, TIME_STEPS, check_installed, check_numbers
from helpanna.cli.console import print_json, print_table, progress, say
from helpanna.files import check_name_for_weights, check_output_folder

if TYPE_CHECKING:
    from helpanna.agents.trained import TrainedAgent
    from helpanna.evaluation.calibration import Evidence


@dataclass(frozen=True)
class CalibrateAgent:
    """Fits the probability that help is wanted, and the bounds of conformal sets, on a split.

    Use a split that you do not report results of. The copy asks where the corrected probability is above its
    price, and can be evaluated at any other: --agent COPY+price:0.3, or --agent COPY+unsure:0.1.

    For example: helpanna agents calibrate run/best --data dataset --split val_seen --out my_agent
    """

    agent: Positional[str]
    """The agent's folder, or a name that `helpanna agents list` prints."""
    data: Path
    """The dataset folder."""
    split: str
    """The split to fit on."""
    out: Path
    """The folder of the calibrated copy; an agent that is there is replaced."""
    tasks: int | None = None
    """Only this many tasks, spread evenly over the split."""
    budget: int = 50
    """Time steps of an episode."""

    def run(self) -> None:
        """Runs the agent, fits, writes."""
        check_installed("a trained agent", LEARNING)
        check_name_for_weights(self.out)
        check_output_folder(self.out, overwrite=True, mark="config.json")
        check_numbers(self, tasks=COUNTS, budget=TIME_STEPS)
        from helpanna.agents.folders import read_config
        from helpanna.agents.names import agent_folder
        from helpanna.agents.store import load_agent, save_agent
        from helpanna.evaluation.calibration import ERRORS, fit, set_bound

        folder = agent_folder(self.agent)
        content, agent = read_config(folder), load_agent(folder)
        for _ in range(2):  # once more as it acts then: who asks elsewhere needs help elsewhere
            evidence = _gather(agent, self.data, self.split, self.tasks, self.budget)
            scale, offset = fit(evidence.ask, evidence.wanted)
            agent.habits = replace(agent.habits, ask_scale=scale, ask_offset=offset)
        networks: Any = agent.networks
        save_agent(
            self.out,
            networks,
            agent.habits,
            agent.vocabulary,
            agent.space,
            content["summary"],
            about=content.get("about"),
            calibration={
                "split": self.split,
                "decisions": len(evidence.ask),
                "set_bounds": {f"{error:g}": set_bound(evidence, error) for error in ERRORS},
            },
        )
        say(f"Fitted to {len(evidence.ask):,} decisions: log odds times {scale:.2f}, plus {offset:.2f}.")
        say(f"Wrote {self.out}.")


@dataclass(frozen=True)
class CheckCalibration:
    """The reliability diagram of an agent's probability that help is wanted, and what its sets cover.

    For example: helpanna agents reliability my_agent --data dataset --split test_seen
    """

    agent: Positional[str]
    """The agent's folder, or a name that `helpanna agents list` prints."""
    data: Path
    """The dataset folder."""
    split: str
    """A split that was not used to fit."""
    tasks: int | None = None
    """Only this many tasks, spread evenly over the split."""
    budget: int = 50
    """Time steps of an episode."""
    json: bool = False
    """Print the figures as JSON."""

    def run(self) -> None:
        """Runs the agent, prints."""
        check_installed("a trained agent", LEARNING)
        check_numbers(self, tasks=COUNTS, budget=TIME_STEPS)
        from helpanna.agents.names import agent_folder
        from helpanna.agents.store import load_agent
        from helpanna.evaluation.calibration import calibrated, expected_calibration_error, reliability

        agent = load_agent(agent_folder(self.agent))
        evidence = _gather(agent, self.data, self.split, self.tasks, self.budget)
        ask = calibrated(evidence.ask, agent.habits.ask_scale, agent.habits.ask_offset)
        error = expected_calibration_error(ask, evidence.wanted)
        before = expected_calibration_error(evidence.ask, evidence.wanted)
        bars = reliability(ask, evidence.wanted)
        sets = {rate: evidence.coverage(bound) for rate, bound in agent.set_bounds.items()}
        if self.json:
            print_json(
                {
                    "split": self.split,
                    "decisions": len(ask),
                    "calibration_error": error,
                    "calibration_error_of_networks": before,
                    "reliability": [vars(bar) for bar in bars],
                    "sets": {
                        rate: {"coverage": covered, "single": single}
                        for rate, (covered, single) in sets.items()
                    },
                }
            )
            return
        print_table(
            f"Is help wanted? {len(ask):,} decisions of {self.split}",
            ("decisions", "predicted %", "true %"),
            [(f"{bar.count:,}", f"{100 * bar.predicted:.1f}", f"{100 * bar.true:.1f}") for bar in bars],
        )
        print(f"Expected calibration error {100 * error:.1f} %; before calibration {100 * before:.1f} %.")
        if sets:
            print_table(
                "Conformal sets of actions",
                ("may miss %", "hold the right action %", "are of one action %"),
                [
                    (f"{100 * float(rate):g}", f"{100 * covered:.1f}", f"{100 * single:.1f}")
                    for rate, (covered, single) in sets.items()
                ],
            )


def _gather(agent: "TrainedAgent", data: Path, split: str, tasks: int | None, budget: int) -> "Evidence":
    from helpanna.assistance.names import make_assistant
    from helpanna.evaluation.calibration import gather
    from helpanna.evaluation.runner import spread
    from helpanna.tasks.dataset import load_split

    loaded = load_split(data, split)
    with progress() as report:
        return gather(
            loaded,
            agent,
            make_assistant(None, loaded),
            spread(len(loaded), tasks),
            budget,
            lambda done, total: report("episodes", done, total),
        )
