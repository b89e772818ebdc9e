"""How instructions are worded: their lengths, and how many different words and word sequences they use."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from helpanna.narration.narrators import NARRATORS, Writer
from helpanna.narration.surroundings import surroundings_of
from helpanna.randomness import generator
from helpanna.tasks.dataset import Dataset
from helpanna.tasks.words import words


def wording_figures(texts: Sequence[str], budget: int | None = None) -> dict[str, float]:
    """Figures of some texts.

    Args:
        texts: what was said.
        budget: count different words among this many, taken from texts in random order: the more is said,
            the less of it is new, so that texts are compared at the same number of words.
    """
    told = [words(text) for text in texts]
    lengths = np.array([len(said) for said in told])
    order = generator(0, "order of texts").permutation(len(told))
    fits = np.cumsum(lengths[order]) <= (budget or lengths.sum())
    counted = [told[i] for i in order[fits]]
    tokens = sum(map(len, counted))
    types = {word for said in counted for word in said}
    return {
        "instructions": len(told),
        "mean length": round(float(lengths.mean()), 2),
        "spread of length": round(float(lengths.std()), 2),
        "words counted": tokens,
        "different words": len(types),
        "type/token ratio": round(len(types) / tokens, 5),
        "different pairs": len({pair for said in counted for pair in pairwise(said)}),
        "different triples": len(
            {three for said in counted for three in zip(said, said[1:], said[2:], strict=False)}
        ),
    }


def compare_wording(people: Sequence[str], narrators: Sequence[str]) -> dict[str, dict[str, float]]:
    """Figures of what people and narrators say, at the same number of words."""
    budget = min(sum(len(words(text)) for text in texts) for texts in (people, narrators))
    return {
        "people": wording_figures(people, budget),
        "narrators": wording_figures(narrators, budget),
    }


def told_again(dataset: Dataset, routes: int, seed: int = 0) -> tuple[list[str], list[str]]:
    """The instructions of some routes of a dataset, and what narrators say of the same paths.

    Args:
        dataset: the dataset.
        routes: of how many routes at most, evenly spaced.
        seed: of the narrators.
    """
    said: dict[tuple[str, int, tuple[int, ...]], dict[str, None]] = {}
    writers: dict[str, Writer] = {}
    for name in dataset.names:
        split = dataset.split(name)
        starts = split.routes.instruction_start
        for route, path in enumerate(split.routes.path):
            places = path[path >= 0]
            world = int(split.atlas.world_of[places[0]])
            building = split.atlas.world_names[world]
            local = tuple((places - split.atlas.world_start[world]).tolist())
            texts = split.routes.instructions[starts[route] : starts[route + 1]]
            key = building, int(split.routes.view[route]), local
            said.setdefault(key, {}).update(dict.fromkeys(texts))
            if building not in writers:
                writers[building] = Writer(surroundings_of(split.atlas, world), seed)
    keys = list(said)
    chosen = keys[:: max(1, -(-len(keys) // routes))]
    people: list[str] = []
    narrators: list[str] = []
    for building, view, walk in chosen:
        heard = list(said[building, view, walk])[: len(NARRATORS)]
        people += heard
        narrators += [told.text for told in writers[building].write(walk, view, len(heard))]
    return people, narrators
