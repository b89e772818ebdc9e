"""`helpanna score`: the metrics of stored trajectories, ours or other people's."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
from tyro.conf import Positional

from helpanna.cli.checks import SEEDS, check_numbers
from helpanna.cli.console import print_json, print_table, say
from helpanna.episodes.conditions import USUAL_LOST, Lost
from helpanna.errors import InputError
from helpanna.evaluation.bootstrap import Interval, Ratio, Sample, differences, intervals
from helpanna.tasks.kinds import HANNA

if TYPE_CHECKING:
    from helpanna.episodes.trajectory import Trajectories
    from helpanna.tasks.split import Split


@dataclass(frozen=True)
class Score:
    """Computes the metrics of trajectory files once more; docs/trajectories.md describes such files.

    For example: helpanna score run.jsonl
    """

    files: Positional[tuple[Path, ...]]
    """The trajectories: FILE.jsonl, or with --data FILE.json in Room-to-Room's format. Several files are runs
    of one agent with other seeds: their figures are taken together, and the intervals say how much they would
    differ with other seeds, too."""
    against: tuple[Path, ...] = ()
    """Other trajectories of the same split: prints the difference on the tasks that both have."""
    data: Path | None = None
    """The dataset folder; by default the one that the file names."""
    lost: Lost | None = None
    """The reading of the condition lost; by default the one that the file names, by which the agent was
    taught, else the published code's."""
    seed: int = 0
    """Addresses the draws of the bootstrap intervals."""
    json: bool = False
    """Print the figures as JSON."""

    def run(self) -> None:
        """Reads, computes, prints."""
        check_numbers(self, seed=SEEDS)
        if not self.files:
            raise InputError("name a trajectory file: helpanna score FILE.jsonl.")
        ours = _read(self.files, self.data, self.lost)
        figures = intervals(ours.ratios, ours.sample, self.seed)
        if not self.against:
            print_scores(ours.header, ours.sample, figures, ours.answers, self.json)
            return
        theirs = _read(self.against, self.data, self.lost)
        if ours.header["split"] != theirs.header["split"]:
            raise InputError(
                f"{self.files[0]} is about {ours.header['split']} and {self.against[0]} about "
                f"{theirs.header['split']}; compare results on the same split."
            )
        self._print_differences(ours, theirs, figures)

    def _print_differences(
        self, ours: "_Result", theirs: "_Result", our_figures: Mapping[str, Interval]
    ) -> None:
        from helpanna.evaluation.bootstrap import to_json
        from helpanna.evaluation.tables import DIFFERENCES_HEADER, difference_rows

        both = len(np.intersect1d(ours.sample.task, theirs.sample.task))
        if not both:
            raise InputError(f"{self.files[0]} and {self.against[0]} have no task in common.")
        change = differences(ours.ratios, ours.sample, theirs.ratios, theirs.sample, self.seed)
        if self.json:
            print_json({"differences": to_json(change), "tasks": both})
            return
        print_table(
            f"A: {_agent(ours.header)}, B: {_agent(theirs.header)}, on {ours.header['split']}",
            DIFFERENCES_HEADER,
            difference_rows(our_figures, intervals(theirs.ratios, theirs.sample, self.seed), change),
            f"A - B on the {both:,} tasks that both have, shares in percentage points.",
        )


@dataclass(frozen=True, eq=False)
class _Result:
    """What one or several files hold: the header of the first, and the episodes of all."""

    header: Mapping[str, Any]
    ratios: Mapping[str, Ratio]
    sample: Sample
    answers: Mapping[str, int]


def _read(files: Sequence[Path], data: Path | None, lost: Lost | None) -> _Result:
    """The files taken together, each a run."""
    results = [_read_one(file, data, lost, run) for run, file in enumerate(files)]
    first = results[0]
    for file, other in zip(files, results, strict=True):
        if other.header["split"] != first.header["split"]:
            raise InputError(f"{file} is about {other.header['split']}, {files[0]} is not; score them apart.")
    names = [name for name in first.ratios if all(name in result.ratios for result in results)]
    ratios = {
        name: Ratio(
            np.concatenate([result.ratios[name].numerator for result in results]),
            np.concatenate([result.ratios[name].denominator for result in results]),
        )
        for name in names
    }
    samples = [result.sample for result in results]
    sample = Sample(
        *(np.concatenate([getattr(s, part) for s in samples]) for part in ("building", "task", "run"))
    )
    answers = {kind: sum(result.answers.get(kind, 0) for result in results) for kind in first.answers}
    return _Result(first.header, ratios, sample, answers)


def _read_one(file: Path, data: Path | None, lost: Lost | None, run: int) -> _Result:
    from helpanna.episodes.submission import is_submission
    from helpanna.episodes.trajectory_file import named_dataset, read_header, read_outcomes, read_trajectories
    from helpanna.evaluation.metrics import outcome_ratios, sample_of
    from helpanna.tasks.dataset import load_split

    if is_submission(file):
        return _read_submission(file, data, run)
    header = read_header(file)
    data = data or named_dataset(header)
    if data is None:
        say("The dataset is not where the file says: only the metrics that need no more than the file.")
        outcomes = read_outcomes(file)
        return _Result(header, outcome_ratios(outcomes), sample_of(outcomes, run), {})
    split = load_split(data, header["split"])
    return _result(header, split, read_trajectories(file, split), lost or _named_lost(file, header), run)


def _read_submission(file: Path, data: Path | None, run: int) -> "_Result":
    """A file in Room-to-Room's format."""
    from helpanna.episodes.submission import read_submission, split_named_by
    from helpanna.tasks.dataset import load_dataset

    if data is None:
        raise InputError(f"{file} does not say what its tasks are; give the dataset with --data.")
    dataset = load_dataset(data)
    split = split_named_by(file, {name: dataset.split(name) for name in dataset.names})
    header = {"split": split.name, "kind": split.kind.name, "agent": file.stem}
    return _result(header, split, read_submission(file, split), USUAL_LOST, run)


def _result(
    header: Mapping[str, Any], split: "Split", trajectories: "Trajectories", lost: Lost, run: int
) -> "_Result":
    from helpanna.episodes.outcomes import outcomes_of
    from helpanna.evaluation.answers import answer_progress
    from helpanna.evaluation.metrics import ratios_of, sample_of

    if len(trajectories) < len(split):
        say(f"The file holds {len(trajectories):,} of the {len(split):,} tasks of {split.name}.")
    return _Result(
        {**header, "buildings": split.atlas.source},
        ratios_of(split, trajectories, lost),
        sample_of(outcomes_of(split, trajectories), run),
        answer_progress(split, trajectories),
    )


def _named_lost(file: Path, header: Mapping[str, Any]) -> Lost:
    """The reading of `lost` that the file names."""
    lost: Lost = header.get("lost", USUAL_LOST)
    if lost not in get_args(Lost):
        readings = " or ".join(get_args(Lost))
        raise InputError(f'{file} line 1: "lost" must be {readings}; correct the header or give --lost.')
    return lost


def _agent(header: Mapping[str, Any]) -> str:
    return str(header.get("agent") or "this agent")


def print_scores(
    header: Mapping[str, Any],
    sample: Sample,
    figures: Mapping[str, Interval],
    answers: Mapping[str, int],
    as_json: bool,
) -> None:
    """All figures of some episodes, as tables or as one JSON object.

    Args:
        header: of the trajectory file: "agent" and "split" name the tables, and "buildings" says where the
            buildings come from.
        sample: the episodes.
        figures: see `evaluate`.
        answers: see `answer_progress`; empty where that is not known.
        as_json: print JSON instead of tables.
    """
    from helpanna.evaluation.bootstrap import to_json
    from helpanna.evaluation.paper import comparable, paper_figures
    from helpanna.evaluation.tables import (
        ANSWERS_HEADER,
        BESIDE_HEADER,
        INTERVALS,
        METRICS_HEADER,
        answer_rows,
        beside_paper_rows,
        condition_rows,
        metric_rows,
    )

    split, episodes = str(header["split"]), len(sample.task)
    buildings, runs = len(np.unique(sample.building)), len(np.unique(sample.run))
    if as_json:
        print_json(
            {
                **to_json(figures),
                "answer_progress": dict(answers),
                "episodes": episodes,
                "buildings": buildings,
                "runs": runs,
            }
        )
        return
    where = f"{buildings:,} building{'s' if buildings != 1 else ''}"
    title = f"{_agent(header)} on {split}, {episodes:,} episodes in {where}"
    title += f", {runs} runs" if runs > 1 else ""
    print_table(title, METRICS_HEADER, metric_rows(figures), INTERVALS)
    if rows := condition_rows(figures):
        print_table("conditions, where help could be requested", METRICS_HEADER, rows)
    if answers.get("answers"):
        print_table(f"{answers['answers']:,} answers", ANSWERS_HEADER, answer_rows(answers))
    if not paper_figures(split) or header.get("kind", HANNA.name) != HANNA.name:
        return
    if comparable(str(header.get("buildings", ""))):
        print_table("beside the paper's agents", BESIDE_HEADER, beside_paper_rows(split, figures))
    else:
        print("Not comparable with the paper's figures: those are for Matterport3D's buildings.")
