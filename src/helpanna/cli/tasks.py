"""`helpanna tasks`: requests, goals, splits. Build a dataset, check it, look at its figures."""

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from tyro.conf import Positional, subcommand

from helpanna.cli.checks import COUNTS, SEEDS, check_numbers
from helpanna.cli.console import print_counts, print_json, print_table, say
from helpanna.cli.tasks_kinds import build_kind, print_kind_stats, print_split_counts
from helpanna.errors import InputError
from helpanna.files import check_output_folder
from helpanna.tasks.kinds import HANNA

_MOST_TASKS = 10**7
_BESIDE = ("buildings", "tasks", "instructions")
"""What the paper's table of splits has too."""
_WHOLE = {
    "object_types": "types of objects sought",
    "vocabulary": "words in training texts",
    "edge_metres": "metres between adjacent places",
    "locations_per_building": "locations in a building",
    "routes_per_building": "routes in a building",
    "instructions_per_building": "instructions in a building",
}


@dataclass(frozen=True)
class Build:
    """A dataset from buildings and routes in them, described by people or by narrators.

    For example: helpanna tasks build --worlds houses --out dataset --unseen-count 1 --sizes train 1000
    or: helpanna tasks build --kind r2r --worlds atlas --routes R2R_train.json R2R_val_seen.json --out r2r
    """

    worlds: tuple[Path, ...]
    """The atlas, and perhaps a second one, whose buildings are test_unseen."""
    out: Path
    """The dataset folder to write."""
    kind: Literal["hanna", "r2r", "r4r", "reverie", "ndh", "vnla"] = "hanna"
    """What is asked: find an object with ANNA's help (hanna), follow an instruction (r2r), or two that are
    joined (r4r), go to an object and name it (reverie), go on as a dialogue says (ndh),
    or find an object in a kind of room (vnla)."""
    routes: tuple[Path, ...] = ()
    """Room-to-Room files: R2R_train.json, R2R_val_seen.json, ...; without them routes are made. Other kinds
    than hanna take their own files (REVERIE_train.json, NDH_train.json, ...), each for the split that it is
    named after."""
    history: Literal["target", "last_answer", "last_exchange", "all"] = "all"
    """With ndh: how much of the dialogue is told, besides what is sought."""
    supervision: Literal["oracle", "navigator", "mixed"] = "mixed"
    """With ndh: whose path is the reference: the planner's, the walker's, or the walker's where it comes by
    the end of the planner's."""
    route_system: Literal["random", "lemma"] = "random"
    """Without --routes: random paths like Room-to-Room's, or those of the paper's Lemma 1."""
    narrated: int = 0
    """This many more routes in each training building, described by narrators; evaluation splits stay as they
    are."""
    objects: Path | None = None
    """A list of the object types that may be sought, one name a line; all by default."""
    exclude: tuple[str, ...] = ()
    """Buildings to leave out."""
    unseen: tuple[str, ...] = ()
    """The buildings of val_unseen; drawn by seed if none are named."""
    unseen_count: int | None = None
    """How many to draw; by default 7, and none for other kinds than hanna."""
    unseen_instructions: int | None = None
    """Draw buildings with exactly this many instructions in all; the paper's seven have 2103."""
    test_unseen_count: int = 0
    """How many other buildings of the same atlas to draw for test_unseen."""
    seed: int = 0
    """All draws follow from it."""
    sizes: dict[str, int] = field(default_factory=dict)
    """Tasks a split: train 1000 val_seen 100 ...; those not named are as in the paper, and for other kinds
    than hanna all that there are."""
    eval_only: Literal["val_unseen", "test_unseen"] | None = None
    """Make one evaluation split of all buildings, none to train in."""
    overwrite: bool = False
    """Replace the dataset if it exists."""
    json: bool = False
    """Print the figures as JSON."""

    def run(self) -> None:
        """Builds, writes, and says what came of it."""
        from helpanna.assistance.route_systems import add_narrated, make_routes
        from helpanna.tasks.build import BuildSettings, build_splits
        from helpanna.tasks.dataset import save_dataset
        from helpanna.tasks.room_to_room import build_routes, other_buildings, read_room_to_room
        from helpanna.worlds.storage import load_atlas

        if not 1 <= len(self.worlds) <= 2:
            raise InputError(f"--worlds takes one atlas or two, not {len(self.worlds)}.")
        check_output_folder(self.out, self.overwrite)
        check_numbers(
            self,
            seed=SEEDS,
            unseen_count=(0, 10**6),
            test_unseen_count=(0, 10**6),
            unseen_instructions=COUNTS,
            narrated=(0, 10**4),
        )
        for name, size in self.sizes.items():
            if not 0 <= size <= _MOST_TASKS:
                raise InputError(f"--sizes {name} is {size}; give a number from 0 to {_MOST_TASKS}.")
        if self.kind != HANNA.name:
            build_kind(self)
            return
        settings = BuildSettings(
            seed=self.seed,
            exclude=self.exclude,
            unseen=self.unseen,
            unseen_count=7 if self.unseen_count is None else self.unseen_count,
            unseen_instructions=self.unseen_instructions,
            test_unseen_count=self.test_unseen_count,
            sizes=self.sizes,
            eval_only=self.eval_only,
        )
        types = _read_list(self.objects) if self.objects else None
        atlases = [load_atlas(folder) for folder in self.worlds]
        descriptions = read_room_to_room(self.routes)
        buildings = {name for atlas in atlases for name in atlas.world_names}
        if self.routes and not any(path.scan in buildings for path in descriptions):
            files = ", ".join(map(str, self.routes))
            raise InputError(
                f"none of the {len(descriptions)} paths of {files} is in a building of --worlds; name others."
            )
        homes = [
            (
                atlas,
                build_routes(atlas, descriptions)
                if self.routes
                else make_routes(self.route_system, atlas, self.seed),
            )
            for atlas in atlases
        ]
        splits = build_splits(homes, types, settings)
        if self.narrated and "train" not in splits:
            raise InputError("--narrated adds routes to train in, and there is no train split; leave it out.")
        if self.narrated:
            splits = add_narrated(splits, self.narrated, self.seed)
        kept = {key: value for key, value in asdict(settings).items() if key not in ("seed", "paths")}
        save_dataset(
            self.out,
            splits,
            list(zip(atlases, self.worlds, strict=True)),
            seed=settings.seed,
            paths=settings.paths,
            settings=kept
            | {"object_types": types, "route_system": None if self.routes else self.route_system}
            | {"narrated": self.narrated},
            overwrite=self.overwrite,
        )
        print_split_counts(self.out, splits, self.json)
        for name, split in splits.items():
            if len(split) < settings.size(name):
                say(
                    f"{name} has {len(split)} tasks instead of {settings.size(name)}: the data allow no more."
                )
        if others := other_buildings(descriptions, atlases):
            say(f"{others.total()} paths are in {len(others)} buildings that the atlas does not have.")
        if types is not None:
            known = {name for atlas in atlases for name in atlas.type_names}
            if strange := [name for name in types if name not in known]:
                say(
                    f"{len(strange)} of {len(types)} object types occur in no building: {', '.join(strange)}."
                )
        say(f"Wrote {self.out}.")


def _read_list(path: Path) -> list[str]:
    """The lines of a text file, without empty ones."""
    try:
        lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is not a list of object types ({error}); name a text file.") from None
    names = [line for line in dict.fromkeys(lines) if line]
    if not names:
        raise InputError(f"{path} names no object type; write one on each line.")
    return names


@dataclass(frozen=True)
class Check:
    """Proves a dataset: every byte, every task and route, and that nothing is in two splits.

    For example: helpanna tasks check dataset
    """

    dataset: Positional[Path]
    """The dataset folder."""
    json: bool = False
    """Print the figures as JSON."""

    def run(self) -> None:
        """Checks; bad datasets end with status 2."""
        from helpanna.tasks.check import check_dataset

        dataset = check_dataset(self.dataset)
        counts = {
            f"{name} {what}": dataset.manifest["splits"][name][what]
            for name in dataset.names
            for what in ("tasks", "instructions")
        }
        print_counts(f"{self.dataset} is sound", counts, self.json)


@dataclass(frozen=True)
class Stats:
    """The figures of a dataset, beside the paper's.

    For example: helpanna tasks stats dataset
    """

    dataset: Positional[Path]
    """The dataset folder."""
    narrators: int = 0
    """Let narrators describe this many of its routes too, and compare their words with the instructions'."""
    json: bool = False
    """Print the figures as JSON."""

    def run(self) -> None:
        """Prints them."""
        from helpanna.tasks.dataset import load_dataset
        from helpanna.tasks.stats import PAPER, PAPER_SPLITS, dataset_figures
        from helpanna.tasks.wording import compare_wording, told_again

        check_numbers(self, narrators=(0, 10**6))
        dataset = load_dataset(self.dataset)
        if dataset.kind is not HANNA:
            if self.narrators:
                raise InputError("--narrators compares instructions of routes, and this dataset has none.")
            print_kind_stats(self.dataset, dataset.kind.name, dataset_figures(dataset), self.json)
            return
        figures = dataset_figures(dataset)
        if self.narrators:
            figures["wording"] = compare_wording(*told_again(dataset, self.narrators))
        if self.json:
            paper = {"splits": PAPER_SPLITS, "whole": PAPER}
            print_json(figures | {"paper": paper})
            return
        splits, whole = figures["splits"], figures["whole"]
        print_table(
            f"{self.dataset} (in brackets: the paper's)",
            ("split", *_BESIDE),
            [
                [
                    name,
                    *(
                        f"{split[key]:,} ({paper:,})"
                        for key, paper in zip(_BESIDE, PAPER_SPLITS[name], strict=True)
                    ),
                ]
                for name, split in splits.items()
            ],
        )
        print_table(
            "what there is to find, and where help is",
            ("split", "routes", "object types", "metres to a goal", "places with help", "starts with help"),
            [
                [
                    name,
                    split["routes"],
                    split["object_types"],
                    split["metres"]["mean"],
                    f"{split['attended_locations']:.1%}",
                    f"{split['attended_starts']:.1%}",
                ]
                for name, split in splits.items()
            ],
        )
        lengths = sorted({int(n) for split in splits.values() for n in split["path_histogram"]})
        print_table(
            "tasks by the number of locations on the shortest path",
            ("locations", *splits),
            [
                *(
                    [
                        str(n),
                        *(f"{s['path_histogram'].get(str(n), 0) / s['tasks']:.1%}" for s in splits.values()),
                    ]
                    for n in lengths
                ),
                ["on average", *(str(split["path_locations"]["mean"]) for split in splits.values())],
            ],
        )
        rows = [
            (_WHOLE.get(name, name.replace("_", " ")), str(value), str(PAPER.get(name, "")))
            for name, value in whole.items()
        ]
        counted = (
            "The paper calls its 211 routes: it is 12,873 instructions of seen buildings, over 61 buildings."
        )
        print_table("in all", ("", "here", "paper"), rows, counted)
        if self.narrators:
            people, ours = (figures["wording"][who] for who in ("people", "narrators"))
            print_table(
                "instructions of the same paths",
                ("", "dataset", "narrators", "share"),
                [
                    [name, value, ours[name], f"{ours[name] / value:.0%}" if value else ""]
                    for name, value in people.items()
                ],
            )


@dataclass(frozen=True)
class Tasks:
    """Datasets: build, check, look at."""

    action: (
        Annotated[Build, subcommand("build")]
        | Annotated[Check, subcommand("check")]
        | Annotated[Stats, subcommand("stats")]
    )

    def run(self) -> None:
        """Does it."""
        self.action.run()
