"""Route instructions for any walk in any building, each by a narrator with habits of their own."""

import re
from dataclasses import dataclass

import numpy as np

from helpanna.assistance import nouns
from helpanna.assistance.claims import Claim, Clause, Unit
from helpanna.assistance.clauses import tell
from helpanna.assistance.narration import narrate
from helpanna.assistance.surroundings import Surroundings
from helpanna.assistance.voice import Narrator, Voice
from helpanna.errors import InputError
from helpanna.randomness import generator
from helpanna.worlds.world import World

NARRATORS = (
    Narrator("plain"),
    Narrator(
        "terse", landmarks=0.15, goals=0.15, rooms=0.7, slight=0.05, turns=0.65, idle=0.05, metres=0.0,
        leads=0.05, straight=0.05, start=0.0, places=0.0, joins=0.5, opening=0.0,
    ),
    Narrator(
        "chatty", landmarks=0.4, goals=0.35, slight=0.1, turns=0.6, idle=0.1, notes=0.12, start=0.12,
        leads=0.25, places=0.35, joins=0.25, openers=("then", "now", "from there", "after that"),
        opening=0.2,
        addresses=(
            "you'll want to", "you want to", "you will", "you'll", "you need to", "go ahead and",
            "you should", "you are going to",
        ),
        addressing=0.3, arriving=0.35,
    ),
    Narrator(
        "landmarks", landmarks=0.75, goals=0.75, rooms=0.5, slight=0.05, turns=0.4, idle=0.05, leads=0.3,
        start=0.25, places=0.3,
    ),
    Narrator(
        "directions", landmarks=0.1, goals=0.1, rooms=0.6, slight=0.6, turns=1.0, straight=0.45, idle=0.3,
        metres=0.15, leads=0.1, joins=0.3, openers=("then", "next"),
    ),
    Narrator(
        "steps", landmarks=0.35, slight=0.15, turns=0.75, idle=0.15, leads=0.45, places=0.2, joins=0.2,
        openers=("then", "next", "after that", "from there", "now"), opening=0.35,
        begins=("start by", "begin by"),
    ),
    Narrator(
        "rooms", landmarks=0.25, goals=0.35, rooms=1.0, slight=0.05, turns=0.45, idle=0.05, leads=0.15,
        joins=0.45,
    ),
    Narrator(
        "sloppy", landmarks=0.35, slight=0.1, turns=0.75, straight=0.2, idle=0.15, leads=0.2, joins=0.6,
        opening=0.2, sloppy=True,
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Instruction:
    """What a narrator says of a walk.

    Attributes:
        text: the instruction.
        narrator: who speaks.
        clauses: the text's pieces in order, each with the claims behind it.
    """

    text: str
    narrator: str
    clauses: tuple[Clause, ...]

    @property
    def claims(self) -> tuple[Claim, ...]:
        """All that is claimed."""
        return tuple(claim for clause in self.clauses for claim in clause.claims)


@dataclass(frozen=True)
class Writer:
    """Writes instructions in one building."""

    around: Surroundings
    seed: int = 0

    def write(self, path: tuple[int, ...], view: int, count: int = 3) -> list[Instruction]:
        """Instructions for one path by so many different narrators.

        Args:
            path: adjacent locations of the building.
            view: where the camera looks at the start.
            count: how many, at most one for each of `NARRATORS`.
        """
        if not 0 <= count <= len(NARRATORS):
            raise InputError(f"there are {len(NARRATORS)} narrators; ask for no more instructions than that.")
        name = self.around.world.name
        walk = narrate(self.around, path, view)
        chosen = generator(self.seed, f"narrators of {name}", view, *path).permutation(len(NARRATORS))
        said: list[Instruction] = []
        for which in chosen[:count]:
            narrator = NARRATORS[which]
            rng = generator(self.seed, f"instruction in {name} by {narrator.name}", view, *path)
            units = tell(Voice(self.around, walk, narrator.on(walk), rng))
            said.append(_worded(units, narrator, rng))
        return said


def write_instructions(
    world: World, path: tuple[int, ...], view: int, count: int = 3, seed: int = 0
) -> list[str]:
    """What `count` people would say of one path; for many paths of a building, keep a `Writer`."""
    return [said.text for said in Writer(Surroundings(world), seed).write(path, view, count)]


def _worded(units: list[Unit], narrator: Narrator, rng: np.random.Generator) -> Instruction:
    """The text: units joined to sentences, sentences begun and ended."""
    groups: list[list[Unit]] = []
    for unit in units:
        size = sum(len(other.clauses) for other in groups[-1]) if groups else 9
        fits = not unit.lead and not unit.statement and size + len(unit.clauses) <= 3
        if fits and not groups[-1][-1].statement and rng.random() < narrator.joins:
            groups[-1].append(unit)
        else:
            groups.append([unit])
    clauses = [piece for unit in units for piece in (unit.lead, *unit.clauses) if piece]
    last = len(groups) - 1
    sentences = [_sentence(group, narrator, rng, i > 0, i == last) for i, group in enumerate(groups)]
    return Instruction(_punctuated(sentences, narrator, rng), narrator.name, tuple(clauses))


def _sentence(
    units: list[Unit], narrator: Narrator, rng: np.random.Generator, goes_on: bool, ends: bool
) -> str:
    text = _joined([clause.text for unit in units for clause in unit.clauses], rng)
    if units[0].statement:
        return text
    if rng.random() < narrator.addressing:
        address = narrator.addresses[rng.integers(len(narrator.addresses))]
        if not (address.startswith("go") and text.startswith("go")):
            text = f"{address} {text}"
    single = sum(len(unit.clauses) for unit in units) == 1 and nouns.gerund(text)
    if single and not goes_on and narrator.begins and rng.random() < 0.6:
        text = f"{narrator.begins[rng.integers(len(narrator.begins))]} {nouns.gerund(text)}"
    if units[0].lead:
        return f"{units[0].lead.text}, {text}"
    if goes_on and rng.random() < narrator.opening:
        opener = narrator.openers[rng.integers(len(narrator.openers))]
        # One does not stop "from there".
        if ends and len(units) == 1:
            opener = "then"
        if opener == "then" and "then" in text:
            return text
        return f"{opener} {text}" if opener in ("then", "now") else f"{opener}, {text}"
    return text


def _joined(texts: list[str], rng: np.random.Generator) -> str:
    """Clauses in one sentence; no second "and" where one can do without."""
    joined = texts[0]
    for i, text in enumerate(texts[1:], start=1):
        last = i == len(texts) - 1
        plain = " and " not in joined and " and " not in text
        draw = rng.random()
        if not last and len(texts) > 2:
            joined += f", {text}"
        elif plain and draw < 0.7:
            joined += f" and {text}"
        elif plain and draw < 0.85:
            joined += f" and then {text}"
        else:
            joined += f", then {text}"
    return joined


def _punctuated(sentences: list[str], narrator: Narrator, rng: np.random.Generator) -> str:
    if not narrator.sloppy:
        return " ".join(f"{sentence[0].upper()}{sentence[1:]}." for sentence in sentences)
    stop = (". ", " ", ", ", " and ")[rng.integers(4)]
    text = stop.join(sentences)
    if rng.random() < 0.7:
        text = text.replace(",", "")
    if rng.random() < 0.5:
        text = text[0].upper() + text[1:]
    return re.sub(r" and (and|then) ", r" \1 ", text) + ("." if rng.random() < 0.4 else "")
