"""`helpanna worlds add recognised`: what pictures show, in words."""

from dataclasses import dataclass
from pathlib import Path

from tyro.conf import Positional

from helpanna.agents.names import agent_folder
from helpanna.cli.console import progress, say
from helpanna.cli.worlds_captions import fitted_worlds
from helpanna.errors import InputError
from helpanna.worlds.storage import load_atlas


@dataclass(frozen=True)
class AddRecognised:
    """What can be told from pictures: view features, and the words in sight, without annotations.

    For example: helpanna worlds add recognised town --fit-on town-tasks

    A head is fitted to the annotations of the buildings of --fit-on: which words name something in sight of a
    view. It reads view features of pictures, so that other buildings need no annotations.
    """

    atlas: Positional[Path]
    """The atlas to add them to."""
    fit_on: tuple[str, ...] = ()
    """The buildings that the head is fitted to: a dataset's folder (those of its train split), names of
    buildings, or all."""
    unseen: tuple[str, ...] = ()
    """Buildings that nothing is fitted to, whatever --fit-on says."""
    reads: str = "efficientnet"
    """The view features that the head reads."""
    features_like: str | None = None
    """Fit nothing, but recognise what this agent does: a name that `helpanna agents list` prints, an agent's
    folder, or an atlas it was trained on."""

    def run(self) -> None:
        """Adds features and words."""
        from helpanna.worlds.recognition import space_of_agent, write_recognised
        from helpanna.worlds.recognition_fit import Fitted, fit_recognition

        if (self.features_like is None) == (not self.fit_on):
            raise InputError("say what the head is fitted to, by one of --fit-on and --features-like.")
        atlas = load_atlas(self.atlas)
        with progress() as report:
            if self.features_like is not None:
                fitted = Fitted(space_of_agent(agent_folder(self.features_like)), {})
            else:
                worlds = fitted_worlds(atlas, self.fit_on, self.unseen)
                fitted = fit_recognition(atlas, worlds, atlas.views.get(self.reads), report)
            write_recognised(self.atlas, fitted.space, report, fitted.own)
        words = len(fitted.space.words)
        say(f"Added recognised and words in sight to {self.atlas}: {words} words can be told.")
