"""`helpanna worlds add`: what agents and people see in an atlas."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from tyro.conf import Positional, subcommand

from helpanna.agents.names import agent_folder
from helpanna.cli.checks import PICTURES, PIXELS, check_installed, check_numbers
from helpanna.cli.console import progress, say
from helpanna.cli.worlds_captions import AddCaptions, AddWords
from helpanna.cli.worlds_recognised import AddRecognised
from helpanna.errors import InputError
from helpanna.worlds.storage import load_atlas


@dataclass(frozen=True)
class AddAnnotations:
    """View features from the object annotations; no pictures needed.

    For example: helpanna worlds add annotations atlas --features-like paper-matterport
    """

    atlas: Positional[Path]
    """The atlas to add them to."""
    features_like: str | None = None
    """Make them such that this agent understands them: a name that `helpanna agents list` prints, an agent's
    folder, or an atlas it was trained on."""
    name: str | None = None
    """What they are called in the atlas: annotations by default, annotations_AGENT where there are some."""

    def run(self) -> None:
        """Adds the features."""
        from helpanna.worlds.annotations import NAME, write_annotation_features

        like = None if self.features_like is None else agent_folder(self.features_like)
        name = self.name or NAME
        if self.name is None and like is not None and NAME in load_atlas(self.atlas).views.features:
            name = f"{NAME}_{re.sub(r'[^A-Za-z0-9_]', '_', like.resolve().name)}"
        with progress() as report:
            write_annotation_features(self.atlas, like, lambda *n: report("features", *n), name)
        say(f"Added {name} to {self.atlas}.")


@dataclass(frozen=True)
class AddFeatures:
    """View features of your own from a NumPy file.

    For example: helpanna worlds add features atlas --name clip --file clip.npy --space "CLIP ViT-B/32"
    """

    atlas: Positional[Path]
    """The atlas to add them to."""
    name: str
    """What they are called in the atlas: letters, digits, underscores."""
    file: Path
    """A .npy file with floats [locations, 36, D], locations in the order of `helpanna worlds locations`,
    views as docs/atlas.md numbers them. Stored as float16."""
    space: str = ""
    """What the numbers are: network, weights, layer. Features of equal description and size can be exchanged;
    the name stands for it by default."""
    features_like: str | None = None
    """Instead of --space: they are what this agent sees, of the same network and layer. A name that `helpanna
    agents list` prints, an agent's folder, or an atlas with features of this name."""

    def run(self) -> None:
        """Adds the features."""
        from helpanna.worlds.feature_files import add_feature_file

        if self.space and self.features_like:
            raise InputError("--space and --features-like both say what the numbers are; give one of them.")
        like = agent_folder(self.features_like) if self.features_like else None
        size = add_feature_file(self.atlas, self.file, self.name, self.space, like)
        say(f"Added {self.name} to {self.atlas}: {size} numbers a view.")


@dataclass(frozen=True)
class AddResnet:
    """ResNet-152 features from the publisher's TSV file, read as a stream.

    For example: helpanna worlds add resnet atlas --tsv ResNet-152-imagenet.tsv
    """

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
    """Panoramas from Matterport's skybox images.

    For example: helpanna worlds add skyboxes atlas --source v1/scans --connectivity DIR/connectivity
    """

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

        check_numbers(self, width=PIXELS)
        check_installed("adding skyboxes", PICTURES)
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
    """What agents see, added to an atlas."""

    what: (
        Annotated[AddAnnotations, subcommand("annotations")]
        | Annotated[AddCaptions, subcommand("captions")]
        | Annotated[AddFeatures, subcommand("features")]
        | Annotated[AddRecognised, subcommand("recognised")]
        | Annotated[AddResnet, subcommand("resnet")]
        | Annotated[AddSkyboxes, subcommand("skyboxes")]
        | Annotated[AddWords, subcommand("words")]
    )

    def run(self) -> None:
        """Adds it."""
        self.what.run()
