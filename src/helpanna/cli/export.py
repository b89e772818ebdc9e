"""`helpanna export`: trajectories for other people's evaluators."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tyro.conf import Positional

from helpanna.cli.console import say
from helpanna.errors import InputError
from helpanna.files import check_output


@dataclass(frozen=True)
class Export:
    """Writes trajectories as other people's evaluators read them.

    For example: helpanna export run.jsonl --format r2r --out submission.json
    """

    file: Positional[Path]
    """The trajectories: FILE.jsonl."""
    out: Path
    """The file to write; replaced if it exists."""
    format: Literal["r2r"] = "r2r"
    """r2r: what Room-to-Room's evaluators and their neighbours read, [{"instr_id", "trajectory"}, ...]."""
    data: Path | None = None
    """The dataset folder; by default the one that the file names."""

    def run(self) -> None:
        """Reads, checks, writes."""
        from helpanna.episodes.submission import read_submission, write_submission
        from helpanna.episodes.trajectory_file import named_dataset, read_header, read_trajectories
        from helpanna.tasks.dataset import load_split

        check_output(self.out)
        header = read_header(self.file)
        data = self.data or named_dataset(header)
        if data is None:
            raise InputError(f"the dataset of {self.file} is not where it says; give it with --data.")
        split = load_split(data, header["split"])
        trajectories = read_trajectories(self.file, split)
        write_submission(self.out, trajectories, split)
        read_submission(self.out, split)  # what we write must pass the check that others' files pass
        say(f"Wrote {self.out}: {len(trajectories):,} of the {len(split):,} tasks of {split.name}.")
