"""`helpanna score`: the metrics of stored trajectories, ours or other people's."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tyro.conf import Positional

from helpanna.cli.console import print_json, print_table, say
from helpanna.evaluation.bootstrap import Interval


@dataclass(frozen=True)
class Score:
    """Computes the metrics of a trajectory file once more; docs/trajectories.md describes such files."""

    file: Positional[Path]
    """The trajectories: FILE.jsonl."""
    data: Path | None = None
    """The dataset folder; by default the one that the file names."""
    seed: int = 0
    """Addresses the draws of the bootstrap intervals."""
    json: bool = False
    """Print the figures as JSON."""

    def run(self) -> None:
        """Reads, computes, prints."""
        from helpanna.episodes.trajectory_file import read_header, read_outcomes, read_trajectories
        from helpanna.evaluation.answers import answer_progress
        from helpanna.evaluation.bootstrap import intervals
        from helpanna.evaluation.metrics import evaluate, outcome_ratios
        from helpanna.tasks.dataset import load_split

        header = read_header(self.file)
        data = self.data or _named_dataset(header)
        if data is None:
            say("The dataset is not where the file says: only the metrics that need no more than the file.")
            outcomes = read_outcomes(self.file)
            figures = intervals(outcome_ratios(outcomes), self.seed)
            print_scores(header, len(outcomes), figures, {}, self.json)
            return
        split = load_split(data, header["split"])
        trajectories = read_trajectories(self.file, split)
        if len(trajectories) < len(split):
            say(f"The file holds {len(trajectories):,} of the {len(split):,} tasks of {split.name}.")
        figures = evaluate(split, trajectories, self.seed)
        print_scores(header, len(trajectories), figures, answer_progress(split, trajectories), self.json)


def _named_dataset(header: Mapping[str, Any]) -> Path | None:
    """The dataset that the file names, if it is there."""
    name = header.get("dataset")
    folder = Path(name) if isinstance(name, str) else None
    return folder if folder is not None and folder.is_dir() else None


def print_scores(
    header: Mapping[str, Any],
    episodes: int,
    figures: Mapping[str, Interval],
    answers: Mapping[str, int],
    as_json: bool,
) -> None:
    """All figures of some episodes, as tables or as one JSON object.

    Args:
        header: of the trajectory file: "agent" and "split" name the tables.
        episodes: how many there were.
        figures: see `evaluate`.
        answers: see `answer_progress`; empty where that is not known.
        as_json: print JSON instead of tables.
    """
    from helpanna.evaluation.bootstrap import to_json
    from helpanna.evaluation.tables import (
        ANSWERS_HEADER,
        BESIDE_HEADER,
        METRICS_HEADER,
        answer_rows,
        beside_paper_rows,
        metric_rows,
    )

    agent, split = str(header.get("agent") or "this agent"), str(header["split"])
    if as_json:
        print_json({**to_json(figures), "answer_progress": dict(answers), "episodes": episodes})
        return
    print_table(f"{agent} on {split}, {episodes:,} episodes", METRICS_HEADER, metric_rows(figures))
    if answers.get("answers"):
        print_table(f"{answers['answers']:,} answers", ANSWERS_HEADER, answer_rows(answers))
    if len(rows := beside_paper_rows(split, figures)) > 1:
        print_table("beside the paper's agents", BESIDE_HEADER, rows)
