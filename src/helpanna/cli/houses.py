"""`helpanna worlds contact-sheet` and `export`: looking at buildings and taking them elsewhere."""

from dataclasses import dataclass
from pathlib import Path

from tyro.conf import Positional

from helpanna.cli.console import say
from helpanna.worlds.storage import load_atlas


@dataclass(frozen=True)
class ContactSheet:
    """Many views of an atlas on one picture."""

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

        contact_sheet(load_atlas(self.atlas), self.out, self.world, self.count)
        say(f"Wrote {self.out}.")
