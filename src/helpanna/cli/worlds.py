"""`helpanna worlds`: buildings. Import them, add views, check, look."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from tyro.conf import Positional, subcommand

from helpanna.cli.checks import PLANS, check_installed
from helpanna.cli.console import print_counts, print_json, print_table, progress, say
from helpanna.cli.houses import ContactSheet, Export, Generate
from helpanna.cli.worlds_add import Add
from helpanna.cli.worlds_import import Import
from helpanna.files import check_output
from helpanna.worlds.storage import check_atlas, load_atlas


@dataclass(frozen=True)
class Info:
    """What an atlas holds.

    For example: helpanna worlds info atlas
    """

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
            captions = atlas.views.captions is not None
            pictures = {"views": views, "panoramas": atlas.views.has_panoramas, "captions": captions}
            print_json(figures | pictures | {"worlds": worlds})
            return
        print_table(str(self.atlas), list(worlds[0]), [list(world.values()) for world in worlds])
        print_counts("in all", atlas.counts(), as_json=False)
        if views:
            print_table("view features", ("name", "numbers a view"), list(views.items()))
        print(f"Panoramas: {'yes' if atlas.views.has_panoramas else 'no'}.")
        print(f"Captions: {'yes' if atlas.views.captions else 'no'}.")
        print(f"Source: {atlas.source}\nLicence: {atlas.licence}")


@dataclass(frozen=True)
class Locations:
    """The locations in the order of all arrays of an atlas: building, tab, location, one a line.

    For example: helpanna worlds locations atlas > locations.tsv
    """

    atlas: Positional[Path]
    """The atlas folder."""
    json: bool = False
    """Print them as one JSON list of [building, location]."""

    def run(self) -> None:
        """Prints them."""
        atlas = load_atlas(self.atlas)
        names = [
            (atlas.world_names[world], location)
            for world, location in zip(atlas.world_of.tolist(), atlas.location_names, strict=True)
        ]
        if self.json:
            print_json(names)
        else:
            print("\n".join("\t".join(name) for name in names))


@dataclass(frozen=True)
class Check:
    """Proves an atlas: every byte, every world, every table.

    For example: helpanna worlds check atlas
    """

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
    """Draws the floor plan: locations, ways, rooms, objects, per floor.

    For example: helpanna worlds show atlas --world small-0-3 --out plan.svg
    """

    atlas: Positional[Path]
    """The atlas folder."""
    out: Path
    """plan.svg or plan.png. Without --world each building gets a file of its own: plan-NAME.svg."""
    world: str | None = None
    """The building."""

    def run(self) -> None:
        """Draws."""
        from helpanna.worlds.plan import draw_plan, draw_plans

        check_output(self.out)
        check_installed("a floor plan", PLANS)
        atlas = load_atlas(self.atlas)
        if self.world is not None:
            draw_plan(atlas.world(self.world), self.out, outline=atlas.outlines.get(self.world))
            say(f"Wrote {self.out}.")
        else:
            worlds = [atlas.world(w) for w in range(atlas.world_count)]
            with progress() as report:
                done = draw_plans(worlds, self.out, lambda *n: report("plans", *n), atlas.outlines)
            say(f"Wrote {len(done)} plans beside {done[0]}.")


@dataclass(frozen=True)
class Worlds:
    """Buildings: generate, import, check, look at."""

    action: (
        Annotated[Generate, subcommand("generate")]
        | Annotated[Import, subcommand("import")]
        | Annotated[Add, subcommand("add")]
        | Annotated[Info, subcommand("info")]
        | Annotated[Locations, subcommand("locations")]
        | Annotated[Check, subcommand("check")]
        | Annotated[Show, subcommand("show")]
        | Annotated[ContactSheet, subcommand("contact-sheet")]
        | Annotated[Export, subcommand("export")]
    )

    def run(self) -> None:
        """Does it."""
        self.action.run()
