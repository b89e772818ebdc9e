"""The folder of a training run: what is learned from what, kept in `run.json` with a checksum."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

from helpanna.errors import InputError
from helpanna.files import check_name_for_weights, check_output_folder, leftovers, locked, sha256
from helpanna.learning.settings import TrainingSettings
from helpanna.manifest import read_signed, write_signed

SCHEMA = "helpanna.run/2"
CHECKPOINT = "checkpoint.safetensors"
_RUN = "run.json"
_AGAIN = "start the run again"


def check_new_run(run: Path) -> None:
    """Refuses a folder in which no run can begin; what a killed process left there does not matter."""
    check_name_for_weights(run)
    if (run / _RUN).is_file():
        raise InputError(f"{run} is a run already; go on with --resume {run}, or choose another.")
    if not run.is_dir():
        check_output_folder(run)
    elif set(run.iterdir()) - set(leftovers(run)):
        raise InputError(f"{run} is not empty; choose another --out.")


def read_run(run: Path, data: Path | None, practice: Sequence[Path] = ()) -> dict[str, Any]:
    """What a run was begun with.

    Args:
        run: its folder.
        data: where its dataset is now; None for where it was.
        practice: where its practice datasets are now, in their order; none for where they were.

    Raises:
        InputError: it is no run, or one of its datasets is gone or another.
    """
    path = run / _RUN
    if not path.is_file():
        raise InputError(f"{run} is no run (it has no {_RUN}); start one with --data and --out.")
    described = read_signed(path, SCHEMA, _AGAIN)
    # Settings that are newer than the run are as they were before there was a choice: their defaults.
    settings = set(described.get("settings", {}))
    if not settings or not settings <= {f.name for f in fields(TrainingSettings)}:
        raise InputError(f"{path} is not of this version; start the run again.")
    found = described | _found(run, described, data, "--data")
    practised = described.get("practice", [])
    if practice and len(practice) != len(practised):
        raise InputError(
            f"--practice names {len(practice)} datasets, but {run} was begun with {len(practised)}; name "
            "those, in their order, or leave it out."
        )
    places: Sequence[Path | None] = practice or [None] * len(practised)
    entries = zip(practised, places, strict=True)
    again = [_found(run, entry, place, "--practice") for entry, place in entries]
    return found | ({"practice": again} if again else {})


def _found(run: Path, entry: Mapping[str, str], moved: Path | None, option: str) -> dict[str, str]:
    """A dataset of a run, where it is now."""
    dataset = moved or Path(entry["data"])
    if not (dataset / "manifest.json").is_file():
        raise InputError(f"the dataset of {run} is not {dataset}; say where it is with {option}.")
    if fingerprint(dataset) != entry["fingerprint"]:
        raise InputError(
            f"{dataset} is not the dataset of {run}; name that with {option}, or start the run again."
        )
    return {"data": str(dataset.resolve()), "fingerprint": entry["fingerprint"]}


def fingerprint(dataset: Path) -> str:
    """A checksum over a dataset, wherever it is: its manifest has those of all its files."""
    return sha256(dataset / "manifest.json")


@contextmanager
def at_work(run: Path, described: Mapping[str, Any], begins: bool) -> Iterator[None]:
    """Keeps the run to this process and writes what it is begun with.

    Raises:
        InputError: another process trains there, or has begun there in the meantime.
    """
    run.mkdir(parents=True, exist_ok=True)
    with locked(run):
        if begins:
            check_new_run(run)
        if begins or read_signed(run / _RUN, SCHEMA, _AGAIN) != described:
            write_signed(run / _RUN, described)
        yield
