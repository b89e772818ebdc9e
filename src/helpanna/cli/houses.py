"""`helpanna worlds generate`, `contact-sheet` and `export`: houses made, looked at, taken elsewhere."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from tyro.conf import Positional

from helpanna.cli.checks import (
    HOUSE_PICTURES,
    HOUSE_PLANS,
    HOUSES,
    PICTURES,
    PIXELS,
    PROCESSES,
    SEEDS,
    check_installed,
    check_numbers,
)
from helpanna.cli.console import print_counts, progress, say
from helpanna.cli.engine_options import EngineGroup, EnginePart
from helpanna.files import check_output, check_output_folder
from helpanna.worlds.storage import load_atlas


@dataclass(frozen=True)
class Generate:
    """Furnished houses with rendered pictures; no licence needed.

    For example: helpanna worlds generate --houses 6 --kind small --out houses
    """

    out: Path
    """The atlas folder to write. After a stop the same command goes on from OUT.partial."""
    houses: int = 48
    """How many houses."""
    seed: int = 0
    """The same seed gives the same bytes."""
    kind: Literal["small", "town"] = "town"
    """small: one storey, about 30 locations; town: all sizes, one to three storeys."""
    no_pictures: bool = False
    """Leave out panoramas and their features; annotation features are always made."""
    width: int = 1024
    """Width of a panorama in pixels; the height is half of it."""
    workers: int = 2
    """Processes that render."""
    overwrite: bool = False
    """Replace the atlas if it exists."""
    json: bool = False
    """Print the figures as JSON."""
    where: EngineGroup = field(default_factory=EnginePart)

    def run(self) -> None:
        """Generates and says what came of it."""
        from helpanna.worlds.houses.generate import generate_atlas

        engine = self.where.chosen()
        check_output_folder(self.out, self.overwrite)
        check_numbers(self, houses=HOUSES, width=PIXELS, workers=PROCESSES, seed=SEEDS)
        check_installed("generating houses", HOUSE_PLANS if self.no_pictures else HOUSE_PICTURES)
        with progress() as report:
            generate_atlas(
                self.out,
                houses=self.houses,
                seed=self.seed,
                kind=self.kind,
                pictures=not self.no_pictures,
                width=self.width,
                workers=self.workers,
                overwrite=self.overwrite,
                on_progress=report,
                engine=engine,
            )
        print_counts(str(self.out), load_atlas(self.out).counts(), self.json)
        say(f"Wrote {self.out}.")


@dataclass(frozen=True)
class ContactSheet:
    """Many views of an atlas on one picture.

    For example: helpanna worlds contact-sheet houses --out sheet.png
    """

    atlas: Positional[Path]
    """The atlas folder; it must have panoramas."""
    out: Path
    """The .png file to write."""
    world: str | None = None
    """Only this building."""
    count: int = 24
    """How many views."""

    def run(self) -> None:
        """Draws."""
        from helpanna.worlds.contact_sheet import contact_sheet

        check_output(self.out)
        check_numbers(self, count=(1, 2_000))
        check_installed("a contact sheet", PICTURES)
        contact_sheet(load_atlas(self.atlas), self.out, self.world, self.count)
        say(f"Wrote {self.out}.")


@dataclass(frozen=True)
class Export:
    """A generated house as a .glb file for any 3-D viewer.

    For example: helpanna worlds export houses --world small-0-3 --out house.glb
    """

    atlas: Positional[Path]
    """The atlas folder."""
    world: str
    """The house."""
    out: Path
    """The .glb file to write."""

    def run(self) -> None:
        """Makes the house again and writes it."""
        from helpanna.worlds.houses.generate import make_house
        from helpanna.worlds.houses.gltf import write_glb

        check_output(self.out)
        check_installed("exporting a house", ("numba",))
        load_atlas(self.atlas).world_id(self.world)
        write_glb(make_house(self.world), self.out)
        say(f"Wrote {self.out}.")
