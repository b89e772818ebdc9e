"""`helpanna tasks build --kind ...`: datasets of the neighbouring problems."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from helpanna.cli.console import print_json, print_table, say
from helpanna.errors import InputError

if TYPE_CHECKING:
    from helpanna.cli.tasks import Build
    from helpanna.tasks.errands import Errand
    from helpanna.tasks.sampling import PathRange
    from helpanna.tasks.split import Split
    from helpanna.worlds.atlas import Atlas

Errands = dict[str, list["Errand"]]


def build_kind(options: "Build") -> None:
    """Builds, writes, and says what came of it."""
    from helpanna.tasks.dataset import save_dataset
    from helpanna.tasks.errands import ErrandSettings, errand_splits
    from helpanna.tasks.kinds import kind_of
    from helpanna.worlds.storage import load_atlas

    if len(options.worlds) != 1:
        raise InputError(f"--kind {options.kind} takes one atlas, not {len(options.worlds)}.")
    for option in ("objects", "unseen_instructions", "eval_only", "narrated"):
        if getattr(options, option):
            raise InputError(f"--{option.replace('_', '-')} is for --kind hanna; leave it out.")
    atlas = load_atlas(options.worlds[0])
    settings = ErrandSettings(
        seed=options.seed,
        exclude=options.exclude,
        unseen=options.unseen,
        unseen_count=options.unseen_count or 0,
        test_unseen_count=options.test_unseen_count,
        sizes=options.sizes,
    )
    errands = _SOURCES[options.kind](options, atlas)
    splits = errand_splits(kind_of(options.kind), atlas, errands, settings)
    kept = {key: value for key, value in asdict(settings).items() if key != "seed"}
    save_dataset(
        options.out,
        splits,
        [(atlas, options.worlds[0])],
        seed=options.seed,
        paths=_path_range(splits),
        settings={
            **kept,
            "route_system": None if options.routes else options.route_system,
            "history": options.history,
            "supervision": options.supervision,
        },
        overwrite=options.overwrite,
    )
    print_split_counts(options.out, splits, options.json)
    say(f"Wrote {options.out}.")


def print_split_counts(out: Path, splits: Mapping[str, "Split"], as_json: bool) -> None:
    """What each split holds, as a table or as one JSON object."""
    from helpanna.tasks.dataset import SPLITS, split_counts

    figures = {name: split_counts(splits[name]) for name in SPLITS if name in splits}
    if as_json:
        print_json({"splits": figures})
        return
    header = [name.replace("_", " ") for name in next(iter(figures.values()))]
    rows = [[name, *counts.values()] for name, counts in figures.items()]
    print_table(str(out), ("split", *header), rows)


def print_kind_stats(folder: Path, kind: str, figures: Mapping[str, Any], as_json: bool) -> None:
    """The figures of a dataset of another kind than HANNA's, which the paper says nothing of."""
    if as_json:
        print_json(figures)
        return
    rows = [
        [
            name,
            *(split[key] for key in ("buildings", "tasks", "requests", "request_words")),
            *(split[key]["mean"] for key in ("metres", "path_locations")),
        ]
        for name, split in figures["splits"].items()
    ]
    header = ("split", "buildings", "tasks", "requests", "words", "metres", "locations on the way")
    print_table(f"{folder}, tasks of the kind {kind}", header, rows)


def _path_range(splits: Mapping[str, "Split"]) -> "PathRange":
    """How many locations the described paths have."""
    from helpanna.tasks.sampling import PathRange

    counts = [
        (split.references.path >= 0).sum(axis=1) for split in splits.values() if split.references is not None
    ]
    return PathRange(int(min(c.min() for c in counts)), int(max(c.max() for c in counts)))


def _room_to_room(options: "Build", atlas: "Atlas") -> Errands:
    """The tasks of Room-to-Room files, or of routes that narrators describe."""
    from helpanna.assistance.route_systems import make_routes
    from helpanna.tasks.room_to_room import other_buildings, read_room_to_room
    from helpanna.tasks.room_to_room_tasks import follow_errands, route_errands, split_of_file

    if not options.routes:
        return route_errands(make_routes(options.route_system, atlas, options.seed), options.seed)
    errands: Errands = {}
    for file in options.routes:
        descriptions = read_room_to_room([file])
        errands.setdefault(split_of_file(file), []).extend(follow_errands(atlas, descriptions))
        if others := other_buildings(descriptions, [atlas]):
            say(
                f"{file}: {others.total()} paths are in {len(others)} buildings that the atlas does not have."
            )
    return errands


def _room_for_room(options: "Build", atlas: "Atlas") -> Errands:
    """Paths of Room-to-Room, joined two by two."""
    from helpanna.tasks.room_to_room_tasks import joined_errands

    return {name: joined_errands(atlas, part) for name, part in _room_to_room(options, atlas).items()}


def _reverie(options: "Build", atlas: "Atlas") -> Errands:
    """The tasks of REVERIE files, or scripted ones."""
    from helpanna.tasks.reverie_tasks import point_errands, read_reverie
    from helpanna.tasks.scripted import scripted_requests

    if not options.routes:
        return scripted_requests(atlas, options.seed)
    return _of_files(options, lambda file: point_errands(atlas, read_reverie(file)))


def _dialogues(options: "Build", atlas: "Atlas") -> Errands:
    """The tasks of files of dialogues, or scripted ones."""
    from helpanna.tasks.dialogue_tasks import dialogue_errands, read_dialogues
    from helpanna.tasks.scripted import scripted_dialogues

    if not options.routes:
        return scripted_dialogues(atlas, options.seed, options.history, options.supervision)

    def read(file: Path) -> list["Errand"]:
        return dialogue_errands(atlas, read_dialogues(file), options.history, options.supervision)

    return _of_files(options, read)


def _rooms(options: "Build", atlas: "Atlas") -> Errands:
    """Tasks that are drawn: objects in kinds of rooms."""
    from helpanna.tasks.room_tasks import room_errands
    from helpanna.tasks.sampling import PathRange

    if options.routes:
        raise InputError("--kind vnla draws its tasks from the buildings themselves; leave out --routes.")
    return room_errands(atlas, options.seed, PathRange())


def _of_files(options: "Build", read: Callable[[Path], list["Errand"]]) -> Errands:
    from helpanna.tasks.room_to_room_tasks import split_of_file

    errands: Errands = {}
    for file in options.routes:
        errands.setdefault(split_of_file(file), []).extend(read(file))
    return errands


_SOURCES: Mapping[str, Callable[["Build", "Atlas"], Mapping[str, Sequence["Errand"]]]] = {
    "r2r": _room_to_room,
    "r4r": _room_for_room,
    "reverie": _reverie,
    "ndh": _dialogues,
    "vnla": _rooms,
}
