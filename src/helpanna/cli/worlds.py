"""`helpanna worlds`: buildings. Import them, add views, check, look."""

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from tyro.conf import Positional, subcommand

from helpanna.cli.console import print_counts, print_json, print_table, progress, say
from helpanna.cli.houses import ContactSheet, Export, Generate
from helpanna.worlds.storage import check_atlas, load_atlas


@dataclass(frozen=True)
class Import:
    """Real buildings from their publishers' files."""

    publisher: Positional[Literal["matterport"]]
    """Whose buildings they are."""
    source: Path
    """The folder with connectivity/, and what else there is: reverie_bbox.tar.gz or BBox/,
    house_region_to_panorama.json, .house files."""
    out: Path
    """The atlas folder to write."""
    worlds: tuple[str, ...] = ()
    """Only these buildings."""
    objects: Literal["auto", "reverie", "house", "none"] = "auto"
    """Where objects come from; auto takes what is there, REVERIE's boxes first."""
    no_annotations: bool = False
    """Leave out the view features made from the annotations."""
    features_like: Path | None = None
    """An atlas in whose feature space the annotation features are made."""
    overwrite: bool = False
    """Replace the atlas if it exists."""
    json: bool = False
    """Print the figures as JSON."""

    def run(self) -> None:
        """Imports and says what came of it."""
        from helpanna.worlds.matterport.importer import import_matterport

        with progress() as report:
            done = import_matterport(
                self.source,
                self.out,
                worlds=self.worlds,
                objects=self.objects,
                annotations=not self.no_annotations,
                features_like=self.features_like,
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
class AddAnnotations:
    """View features from the object annotations."""

    atlas: Positional[Path]
    """The atlas to add them to."""
    like: Path | None = None
    """An atlas in whose feature space they are made, or an agent that is to see them: its folder, or the name
    of one that comes with the package."""
    name: str = "annotations"
    """What they are called in the atlas."""

    def run(self) -> None:
        """Adds the features."""
        from helpanna.agents.names import MODELS, packaged_agents
        from helpanna.worlds.annotations import write_annotation_features

        like = MODELS / str(self.like) if str(self.like) in packaged_agents() else self.like
        with progress() as report:
            write_annotation_features(self.atlas, like, lambda *n: report("features", *n), self.name)
        say(f"Added {self.name} to {self.atlas}.")


@dataclass(frozen=True)
class AddResnet:
    """ResNet-152 features from the publisher's TSV file, read as a stream."""

    atlas: Positional[Path]
    """The atlas to add them to."""
    tsv: Path
    """ResNet-152-imagenet.tsv, plain or .gz."""

    def run(self) -> None:
        """Adds the features."""
        from helpanna.worlds.matterport.resnet import import_resnet

        with progress() as report:
            import_resnet(self.atlas, self.tsv, on_progress=lambda *n: report("bytes", *n))
        say(f"Added resnet to {self.atlas}.")


@dataclass(frozen=True)
class AddSkyboxes:
    """Panoramas from Matterport's skybox images."""

    atlas: Positional[Path]
    """The atlas to add them to."""
    source: Path
    """The folder with <scan>/matterport_skybox_images/."""
    connectivity: Path
    """The folder with the <scan>_connectivity.json files: the cameras' orientation."""
    width: int = 2048
    """Width of a panorama in pixels; the height is half of it."""

    def run(self) -> None:
        """Adds the panoramas."""
        from helpanna.worlds.matterport.importer import camera_rotations
        from helpanna.worlds.matterport.skybox import import_skyboxes

        rotations = camera_rotations(load_atlas(self.atlas), self.connectivity)
        with progress() as report:
            import_skyboxes(
                self.atlas,
                self.source,
                rotations,
                width=self.width,
                height=self.width // 2,
                on_progress=lambda *n: report("panoramas", *n),
            )
        say(f"Added panoramas to {self.atlas}.")


@dataclass(frozen=True)
class Add:
    """Adds what the agents see to an atlas."""

    what: (
        Annotated[AddAnnotations, subcommand("annotations")]
        | Annotated[AddResnet, subcommand("resnet")]
        | Annotated[AddSkyboxes, subcommand("skyboxes")]
    )

    def run(self) -> None:
        """Adds it."""
        self.what.run()


@dataclass(frozen=True)
class Info:
    """What an atlas holds."""

    atlas: Positional[Path]
    """The atlas folder."""
    json: bool = False
    """Print the figures as JSON."""

    def run(self) -> None:
        """Prints counts, a line a building, and the views."""
        atlas = load_atlas(self.atlas)
        worlds = [
            {
                "world": world.name,
                "locations": world.location_count,
                "edges": len(world.edges),
                "floors": int(world.floors.max()) + 1,
                "rooms": len(world.rooms),
                "objects": len(world.object_names),
            }
            for world in map(atlas.world, range(atlas.world_count))
        ]
        views = {name: features.size for name, features in sorted(atlas.views.features.items())}
        if self.json:
            figures = {"source": atlas.source, "licence": atlas.licence, "counts": atlas.counts()}
            pictures = {"views": views, "panoramas": atlas.views.has_panoramas}
            print_json(figures | pictures | {"worlds": worlds})
            return
        print_table(str(self.atlas), list(worlds[0]), [list(world.values()) for world in worlds])
        print_counts("in all", atlas.counts(), as_json=False)
        if views:
            print_table("view features", ("name", "numbers a view"), list(views.items()))
        print(f"Panoramas: {'yes' if atlas.views.has_panoramas else 'no'}.")
        print(f"Source: {atlas.source}\nLicence: {atlas.licence}")


@dataclass(frozen=True)
class Check:
    """Proves an atlas: every byte, every world, every table."""

    atlas: Positional[Path]
    """The atlas folder."""
    json: bool = False
    """Print the figures as JSON."""

    def run(self) -> None:
        """Checks; bad atlases end with status 2."""
        atlas = check_atlas(self.atlas)
        print_counts(f"{self.atlas} is sound", atlas.counts(), self.json)


@dataclass(frozen=True)
class Show:
    """Draws the floor plan: locations, ways, rooms, objects, per floor."""

    atlas: Positional[Path]
    """The atlas folder."""
    out: Path
    """plan.svg or plan.png. Without --world each building gets a file of its own: plan-NAME.svg."""
    world: str | None = None
    """The building."""

    def run(self) -> None:
        """Draws."""
        from helpanna.worlds.plan import draw_plan, draw_plans

        atlas = load_atlas(self.atlas)
        if self.world is not None:
            draw_plan(atlas.world(self.world), self.out)
            say(f"Wrote {self.out}.")
        else:
            worlds = [atlas.world(w) for w in range(atlas.world_count)]
            with progress() as report:
                done = draw_plans(worlds, self.out, on_progress=lambda *n: report("plans", *n))
            say(f"Wrote {len(done)} plans beside {done[0]}.")


@dataclass(frozen=True)
class Worlds:
    """Buildings: generate, import, check, look at."""

    action: (
        Annotated[Generate, subcommand("generate")]
        | Annotated[Import, subcommand("import")]
        | Annotated[Add, subcommand("add")]
        | Annotated[Info, subcommand("info")]
        | Annotated[Check, subcommand("check")]
        | Annotated[Show, subcommand("show")]
        | Annotated[ContactSheet, subcommand("contact-sheet")]
        | Annotated[Export, subcommand("export")]
    )

    def run(self) -> None:
        """Does it."""
        self.action.run()
