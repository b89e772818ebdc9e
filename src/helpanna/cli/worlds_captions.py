"""`helpanna worlds add captions`: what is said of the photographs; `... add words`: the words in sight."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tyro.conf import Positional

from helpanna.agents.names import agent_folder
from helpanna.cli.console import progress, say
from helpanna.errors import InputError
from helpanna.tasks.dataset import load_split, split_worlds
from helpanna.worlds.atlas import Atlas
from helpanna.worlds.storage import load_atlas


@dataclass(frozen=True)
class AddCaptions:
    """Captions of the photographs, and view features from them.

    For example: helpanna worlds add captions atlas --fit-on dataset

    Two kinds of features are made: `captions`, and `sight`, which has annotations and kinds of rooms beside
    them. With the encoder minilm they are called `captions_minilm` and `sight_minilm`. What is fitted (words,
    weights, directions) is fitted to the buildings of --fit-on alone.
    """

    atlas: Positional[Path]
    """The atlas to add them to."""
    source: Path | None = None
    """The folder or tar.gz with <scan>.json; not needed if the atlas has the captions already."""
    described: bool = False
    """Nobody has captioned the pictures: say what the annotations know of each view, as captions would."""
    fit_on: tuple[str, ...] = ()
    """The buildings that the features are fitted to: a dataset's folder (those of its train split), names of
    buildings, or all."""
    unseen: tuple[str, ...] = ()
    """Buildings that nothing is fitted to, whatever --fit-on says."""
    encoder: Literal["words", "minilm"] = "words"
    """words: which words a caption has. minilm: what the sentence encoder all-MiniLM-L6-v2 makes of it
    (helpanna[language]; ten to twenty minutes for the real buildings, kept in the user's cache)."""
    features_like: str | None = None
    """Fit nothing, but make them such that this agent understands them: a name that `helpanna agents list`
    prints, an agent's folder, or an atlas it was trained on."""
    text_only: bool = False
    """Add the captions and no features."""

    def run(self) -> None:
        """Adds captions and features."""
        from helpanna.narration.described import write_described
        from helpanna.worlds.matterport.captions import import_captions
        from helpanna.worlds.sight_features import SightSpace, captions_of, spaces_like, write_sight

        if not self.text_only and (self.features_like is None) == (not self.fit_on):
            raise InputError("say what the features are fitted to, by one of --fit-on and --features-like.")
        if self.described and self.source is not None:
            raise InputError("--described and --source both say what is seen; leave one of them out.")
        atlas = load_atlas(self.atlas)
        worlds = fitted_worlds(atlas, self.fit_on, self.unseen)
        spaces = [] if self.features_like is None else spaces_like(agent_folder(self.features_like))
        if self.features_like is not None and not spaces:
            raise InputError(f"{self.features_like} sees no captions; name another by --features-like.")
        if self.source is not None or self.described:
            source = self.source
            count = write_described(self.atlas) if source is None else import_captions(self.atlas, source)
            say(f"Added {count} captions to {self.atlas}.")
            atlas = load_atlas(self.atlas)
        captions_of(atlas)
        if self.text_only:
            return
        with progress() as report:
            spaces = spaces or [SightSpace.fit(atlas, worlds, self.encoder, report)]
            names = [name for space in spaces for name in write_sight(self.atlas, space, report)]
        say(f"Added {' and '.join(names)} to {self.atlas}.")


@dataclass(frozen=True)
class AddWords:
    """Which words name something in sight of each view, from captions, objects and kinds of rooms.

    Agents trained with --words-in-sight need them. For example: helpanna worlds add words atlas
    """

    atlas: Positional[Path]
    """The atlas to add them to; captions first, if there are any."""

    def run(self) -> None:
        """Adds the words."""
        from helpanna.worlds.words_of_views import write_words_in_sight

        with progress() as report:
            count = write_words_in_sight(self.atlas, lambda *n: report("words", *n))
        say(f"Added words in sight to {self.atlas}: {count} different words.")


def fitted_worlds(atlas: Atlas, fit_on: tuple[str, ...], unseen: tuple[str, ...]) -> list[int]:
    """The buildings to fit features to."""
    left_out = {atlas.world_id(name) for name in unseen}
    worlds: set[int] = set()
    for name in fit_on:
        if name == "all":
            worlds |= set(range(atlas.world_count))
        elif name not in atlas.world_names and Path(name).is_dir():
            worlds |= {atlas.world_id(world) for world in split_worlds(load_split(name, "train"))}
        else:
            worlds.add(atlas.world_id(name))
    if fit_on and not worlds - left_out:
        raise InputError("--unseen leaves no building to fit features to; name more by --fit-on.")
    return sorted(worlds - left_out)
