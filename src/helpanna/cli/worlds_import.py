"""`helpanna worlds import`: buildings from other people's files, or one's own."""

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from tyro.conf import Positional, subcommand

from helpanna.agents.names import agent_folder
from helpanna.cli.console import print_counts, print_json, progress, say
from helpanna.errors import InputError
from helpanna.files import check_output_folder


@dataclass(frozen=True)
class ImportMatterport:
    """Matterport3D's buildings from their publishers' files.

    For example: helpanna worlds import matterport --source DIR --out atlas
    """

    source: Path
    """The folder with connectivity/, and what else there is: reverie_bbox.tar.gz or BBox/,
    house_region_to_panorama.json, .house files, captions.tar.gz or captions/. Captions are kept as text;
    `helpanna worlds add captions` makes view features of them, fitted to training buildings."""
    out: Path
    """The atlas folder to write."""
    worlds: tuple[str, ...] = ()
    """Only these buildings."""
    objects: Literal["auto", "reverie", "house", "none"] = "auto"
    """Where objects come from; auto takes what is there, REVERIE's boxes first."""
    no_annotations: bool = False
    """Leave out the view features made from the annotations."""
    features_like: str | None = None
    """Make them such that this agent understands them: a name that `helpanna agents list` prints, an agent's
    folder, or an atlas it was trained on."""
    overwrite: bool = False
    """Replace the atlas if it exists."""
    json: bool = False
    """Print the figures as JSON."""

    def run(self) -> None:
        """Imports and says what came of it."""
        from helpanna.worlds.matterport.importer import import_matterport

        check_output_folder(self.out, self.overwrite)
        with progress() as report:
            done = import_matterport(
                self.source,
                self.out,
                worlds=self.worlds,
                objects=self.objects,
                annotations=not self.no_annotations,
                features_like=None if self.features_like is None else agent_folder(self.features_like),
                overwrite=self.overwrite,
                on_progress=report,
            )
        if self.json:
            print_json(dataclasses.asdict(done))
        else:
            print_counts(str(self.out), done.counts, as_json=False)
            for name, count in done.unreachable.items():
                say(f"{name}: {count} locations cannot be reached from the rest; no task will use them.")
            if done.unseen_objects:
                say(f"{done.unseen_objects} annotated objects show in no view and are left out.")
        say(f"Wrote {self.out}.")


@dataclass(frozen=True)
class ImportOwn:
    """Your own buildings, one JSON file each: positions, ways, things, rooms (docs/atlas.md).

    For example: helpanna worlds import own lab.json home.json --out atlas --features-like paper-matterport
    """

    files: Positional[tuple[Path, ...]]
    """The buildings' files."""
    out: Path
    """The atlas folder to write."""
    source: str = "own buildings"
    """Where the buildings come from, kept in the atlas."""
    licence: str = "not stated"
    """Their terms of use, kept in the atlas."""
    features_like: str | None = None
    """Make the view features such that this agent understands them: a name that `helpanna agents list`
    prints, an agent's folder, or an atlas it was trained on."""
    overwrite: bool = False
    """Replace the atlas if it exists."""
    json: bool = False
    """Print the figures as JSON."""

    def run(self) -> None:
        """Imports and says what came of it."""
        from helpanna.files import atomic_folder
        from helpanna.worlds.annotations import write_annotation_features
        from helpanna.worlds.atlas import build_atlas
        from helpanna.worlds.own_file import read_world
        from helpanna.worlds.storage import write_atlas

        if not self.files:
            raise InputError("there are no buildings to import; name at least one JSON file.")
        check_output_folder(self.out, self.overwrite)
        atlas = build_atlas([read_world(path) for path in self.files], self.source, self.licence)
        with atomic_folder(self.out, self.overwrite) as temporary:
            write_atlas(atlas, temporary)
            like = None if self.features_like is None else agent_folder(self.features_like)
            write_annotation_features(temporary, like)
        print_counts(str(self.out), atlas.counts(), self.json)
        say(f"Wrote {self.out}.")


@dataclass(frozen=True)
class Import:
    """Buildings from Matterport3D's publishers, or your own."""

    whose: Annotated[ImportMatterport, subcommand("matterport")] | Annotated[ImportOwn, subcommand("own")]

    def run(self) -> None:
        """Imports them."""
        self.whose.run()
