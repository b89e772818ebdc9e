"""Practice: datasets of any kind that an agent learns from beside its own.

What its own dataset keeps for evaluations stays unseen. Tasks and routes in buildings that are not those of
its training split are left out of the practice, and so is what it says in a building to others only.
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

Said = set[tuple[int, str]]
"""Texts: the building, and the words without letter case and punctuation."""


def practice_splits(
    main: Dataset, train: Split, folders: Sequence[Path], say: Callable[[str], None] | None = None
) -> tuple[Split, ...]:
    """The training splits of practice datasets, on the atlas of the main one.

    Args:
        main: the dataset that the agent is trained for.
        train: its training split.
        folders: the practice datasets.
        say: told how much was left out of each.

    Raises:
        InputError: one has no training split, is built for other buildings, or nothing is left of it.
    """
    if not folders:
        return ()
    seen = np.unique(train.atlas.world_of[np.concatenate([train.start, train.routes.start])])
    others = [_said(main.split(name)) for name in main.names if name != "train"]
    allowed = _Allowed(seen, set[tuple[int, str]]().union(*others) - _said(train))
    return tuple(_practice(main, train, folder, allowed, say) for folder in folders)


@dataclass(frozen=True)
class _Allowed:
    """What may be practised: in these buildings, and not with what is kept for evaluations."""

    buildings: NDArray[np.integer]
    kept: Said

    def __call__(self, building: NDArray[np.integer], texts: Sequence[str]) -> NDArray[np.int64]:
        """Indices of what is said in a building that is allowed."""
        said = zip(building.tolist(), texts, strict=True)
        fresh = np.array([(home, _plain(text)) not in self.kept for home, text in said], dtype=bool)
        return np.flatnonzero(np.isin(building, self.buildings) & fresh)


def _practice(
    main: Dataset, train: Split, folder: Path, allowed: _Allowed, say: Callable[[str], None] | None
) -> Split:
    dataset = load_dataset(folder)
    split = dataset.split("train")
    if dataset.atlas_fingerprint("train") != main.atlas_fingerprint("train"):
        raise InputError(
            f"the practice dataset {folder} was built for other buildings than {main.folder}; build both "
            "from one atlas."
        )
    home = split.atlas.world_of[split.start]
    tasks = allowed(home, [split.texts[number] for number in split.request])
    if not len(tasks):
        raise InputError(
            f"{main.folder} keeps the buildings or texts of all training tasks of {folder} for evaluations; "
            "choose another --practice."
        )
    if say is not None:
        say(f"Practice: {len(tasks):,} of {len(split):,} tasks of {folder}.")
    routes = split.routes
    told = allowed(split.atlas.world_of[routes.start[routes.route_of]], routes.instructions)
    return replace(split.select(tasks, told), atlas=train.atlas)


def _said(split: Split) -> Said:
    return {(building, _plain(text)) for building, text in split.text_numbers}


def _plain(text: str) -> str:
    return " ".join(words(text))
