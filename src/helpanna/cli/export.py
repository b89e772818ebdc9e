"""`helpanna export`: trajectories for other people's evaluators, and routes that people described."""

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tyro.conf import Positional

from helpanna.cli.checks import check_numbers
from helpanna.cli.console import say
from helpanna.errors import InputError
from helpanna.files import check_output, write_json


@dataclass(frozen=True)
class Export:
    """Writes trajectories as other people's evaluators read them, or what guides wrote as a route file.

    For example: helpanna export run.jsonl --format r2r --out submission.json
    or: helpanna export people/people.sqlite --format routes --out routes.json
    """

    file: Positional[Path]
    """The trajectories: FILE.jsonl. For routes: people.sqlite of the folder that `helpanna view` wrote."""
    out: Path
    """The file to write; replaced if it exists."""
    format: Literal["r2r", "routes"] = "r2r"
    """r2r: what Room-to-Room's evaluators and their neighbours read, [{"instr_id", "trajectory"}, ...].
    routes: what `helpanna tasks build --routes` takes."""
    data: Path | None = None
    """The dataset folder; by default the one that the file names."""
    quality: float | None = None
    """With routes: leave out instructions by which a smaller share of their followers arrived (0 to 1), or
    that nobody has followed. By default all are kept."""

    def run(self) -> None:
        """Reads, checks, writes."""
        check_numbers(self, quality=(0, 1))
        if self.format == "routes":
            self._export_routes()
        else:
            self._export_trajectories()

    def _export_routes(self) -> None:
        from helpanna.viewer.route_file import route_records
        from helpanna.viewer.store import Store

        check_output(self.out)
        if not self.file.is_file():
            raise InputError(f"{self.file} does not exist; name people.sqlite of the folder --people.")
        with closing(Store(self.file)) as store:
            written = store.instructions()
        records = route_records(written, self.quality)
        kept = sum(len(record["instructions"]) for record in records)
        if not kept:
            raise InputError(
                f"none of the {len(written)} instructions of {self.file} is to be kept; "
                "write some on the page, or ask for less --quality."
            )
        write_json(self.out, records)
        say(f"Wrote {self.out}: {kept:,} of {len(written):,} instructions of {len(records):,} routes.")

    def _export_trajectories(self) -> None:
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
