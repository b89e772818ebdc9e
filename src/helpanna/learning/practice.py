"""Practice: datasets of any kind that an agent learns from beside its own.

They may be of other buildings, an atlas of generated houses beside real ones, as long as that atlas has the
same view features. What its own dataset keeps for evaluations stays unseen. Tasks and routes in buildings
that it has, but not in its training split, are left out of the practice, and so is what it says in a building
to others only.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from helpanna.errors import InputError
from helpanna.tasks.dataset import Dataset, load_dataset
from helpanna.tasks.split import Split
from helpanna.tasks.words import words

Said = set[tuple[str, str]]
"""Texts: the building's name, and the words without letter case and punctuation."""


def practice_splits(
    main: Dataset, train: Split, folders: Sequence[Path], say: Callable[[str], None] | None = None
) -> tuple[Split, ...]:
    """The training splits of practice datasets, on the atlas of the main one where they were built for it.

    Args:
        main: the dataset that the agent is trained for.
        train: its training split.
        folders: the practice datasets.
        say: told how much was left out of each.

    Raises:
        InputError: one has no training split, or nothing is left of it.
    """
    if not folders:
        return ()
    seen = set(_names(train, np.concatenate([train.start, train.routes.start])))
    others = [main.split(name) for name in main.names if name != "train"]
    known = set(train.atlas.world_names).union(*(split.atlas.world_names for split in others))
    kept = set[tuple[str, str]]().union(*map(_said, others)) - _said(train)
    allowed = _Allowed(frozenset(known - seen), kept)
    return tuple(_practice(main, train, folder, allowed, say) for folder in folders)


@dataclass(frozen=True)
class _Allowed:
    """What may be practised: not in these buildings, and not with what is kept for evaluations."""

    closed: frozenset[str]
    kept: Said

    def __call__(self, homes: Sequence[str], texts: Sequence[str]) -> NDArray[np.int64]:
        """Indices of what is said in a building, by name, that is allowed."""
        said = zip(homes, texts, strict=True)
        return np.flatnonzero(
            [home not in self.closed and (home, _plain(text)) not in self.kept for home, text in said]
        )


def _practice(
    main: Dataset, train: Split, folder: Path, allowed: _Allowed, say: Callable[[str], None] | None
) -> Split:
    dataset = load_dataset(folder)
    split = dataset.split("train")
    tasks = allowed(_names(split, split.start), [split.texts[number] for number in split.request])
    if not len(tasks):
        raise InputError(
            f"{main.folder} keeps the buildings or texts of all training tasks of {folder} for evaluations; "
            "choose another --practice."
        )
    if say is not None:
        say(f"Practice: {len(tasks):,} of {len(split):,} tasks of {folder}.")
    routes = split.routes
    told = allowed(_names(split, routes.start[routes.route_of]), routes.instructions)
    left = split.select(tasks, told)
    if dataset.atlas_fingerprint("train") == main.atlas_fingerprint("train"):
        return replace(left, atlas=train.atlas)  # one copy in memory
    return left


def _names(split: Split, locations: NDArray[np.integer]) -> list[str]:
    """The names of the buildings that locations are in."""
    return [split.atlas.world_names[world] for world in split.atlas.world_of[locations].tolist()]


def _said(split: Split) -> Said:
    return {(split.atlas.world_names[building], _plain(text)) for building, text in split.text_numbers}


def _plain(text: str) -> str:
    return " ".join(words(text))
