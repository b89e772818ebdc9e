"""Route instructions for any walk in any building, each by a narrator with habits of their own."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from helpanna.errors import InputError
from helpanna.narration import endings, nouns
from helpanna.narration.claims import Claim, Clause, Unit
from helpanna.narration.clauses import tell
from helpanna.narration.facts import Walk
from helpanna.narration.path_facts import narrate
from helpanna.narration.slips import misspelt
from helpanna.narration.surroundings import Surroundings
from helpanna.narration.voice import Narrator, Voice
from helpanna.randomness import generator
from helpanna.worlds.world import World

NARRATORS = (
    Narrator(
        "plain", landmarks=0.5, goals=0.45, openers=("then", "next", "from there"),
        begins=("start by", "first"),
    ),
    Narrator(
        "terse", landmarks=0.15, goals=0.15, rooms=0.7, slight=0.05, turns=0.65, idle=0.05, metres=0.0,
        leads=0.05, straight=0.05, start=0.0, places=0.0, joins=0.5, opening=0.0, patience=22,
    ),
    Narrator(
        "chatty", landmarks=0.5, goals=0.45, slight=0.1, turns=0.6, idle=0.1, notes=0.15, start=0.12,
        leads=0.25, places=0.35, joins=0.25, after=0.2, patience=38,
        openers=(
            "then", "now", "from there", "after that", "okay, now", "at this point", "from here", "so",
            "once you have done that", "here", "after this", "alright, now",
        ),
        opening=0.25,
        addresses=(
            "you'll want to", "you want to", "you will", "you'll", "you need to", "go ahead and", "just",
            "you should", "you are going to", "please", "you can", "simply", "make sure to", "you have to",
            "you're going to", "be sure to", "you must", "I want you to",
        ),
        addressing=0.35, arriving=0.4,
    ),
    Narrator(
        "landmarks", landmarks=0.75, goals=0.75, rooms=0.5, slight=0.05, turns=0.4, idle=0.05, leads=0.3,
        start=0.25, places=0.3, notes=0.05, after=0.1, openers=("then", "next", "from there", "now"),
    ),
    Narrator(
        "directions", landmarks=0.1, goals=0.1, rooms=0.6, slight=0.6, turns=1.0, straight=0.45, idle=0.3,
        metres=0.15, leads=0.1, joins=0.3, openers=("then", "next", "after that", "now"), opening=0.2,
        begins=("start by", "begin by", "first", "to start"),
    ),
    Narrator(
        "steps", landmarks=0.45, goals=0.4, slight=0.15, turns=0.75, idle=0.15, leads=0.45, places=0.2,
        joins=0.2,
        openers=(
            "then", "next", "after that", "from there", "now", "afterwards", "following that",
            "at that point", "after doing that", "from that point",
        ),
        opening=0.4, after=0.2,
        begins=("start by", "begin by", "first", "start off by", "to begin", "begin your journey by"),
        ends=("finally", "lastly", "then", "and finally", "then finally"),
    ),
    Narrator(
        "rooms", landmarks=0.25, goals=0.35, rooms=1.0, slight=0.05, turns=0.45, idle=0.05, leads=0.15,
        joins=0.45, notes=0.05, after=0.15, addresses=("please", "just", "go and"), addressing=0.05,
    ),
    Narrator(
        "sloppy", landmarks=0.45, goals=0.4, slight=0.1, turns=0.75, straight=0.2, idle=0.15, leads=0.2,
        joins=0.6, opening=0.2, sloppy=True, openers=("then", "and then", "next", "now"), after=0.05,
        addresses=("just", "you gotta", "u need to", "please", "you wanna"), addressing=0.1,
    ),
)  # fmt: skip
_WORDS_A_LEG = 8
_HASTE = (1.0, 0.6, 0.3, 0.1)
"""How much of their usual chances narrators leave to what can be left out, if a walk takes too many words."""


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
        """Instructions for one path by several different narrators.

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
            said.append(self._told(walk, narrator, rng))
        return said

    def _told(self, walk: Walk, narrator: Narrator, rng: np.random.Generator) -> Instruction:
        """What a narrator says at first; if that is longer than they like, the same in fewer words."""
        patience = narrator.patience * math.exp(0.35 * float(rng.standard_normal()))
        told: list[Instruction] = []
        hurry = min(int(_WORDS_A_LEG * len(walk.legs) / patience), len(_HASTE) - 2)
        for haste in _HASTE[hurry:]:
            units = tell(Voice(self.around, walk, narrator.in_haste(haste), rng))
            told.append(_worded(units, narrator, rng))
            if told[-1].text.count(" ") < patience:
                return told[-1]
        return min(told, key=lambda instruction: len(instruction.text))


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
    """One sentence; perhaps with words before it that say when or in what mood it is to be done."""
    texts = [clause.text for unit in units for clause in unit.clauses]
    if units[0].statement:
        return _joined(texts, rng)
    lead = units[0].lead.text if units[0].lead else ""
    if not lead and len(texts) > 1 and rng.random() < narrator.after:
        # "Once you leave the kitchen, turn left."
        lead = _after(texts[0], rng)
        texts = texts[1:] if lead else texts
    text = _joined(texts, rng)
    if rng.random() < narrator.addressing:
        address = _pick(narrator.addresses, rng)
        if text.split()[0] not in address and not text.startswith("immediately"):
            text = f"{address} {text}"
    if lead:
        return f"{lead}, {text}"
    if not goes_on and narrator.begins and rng.random() < 0.5:
        begin = _pick(narrator.begins, rng)
        return _begun(begin, text, single=len(texts) == 1)
    if goes_on and ends and len(units) == 1:
        # One does not stop "from there".
        return f"{_pick(narrator.ends, rng)} {text}" if rng.random() < narrator.opening else text
    if goes_on and rng.random() < narrator.opening:
        opener = _pick(narrator.openers, rng)
        if "then" in opener and "then" in text:
            return text
        return f"{opener} {text}" if opener in ("then", "now", "and then") else f"{opener}, {text}"
    return text


def _pick(options: Sequence[str], rng: np.random.Generator) -> str:
    return options[int(rng.random() * len(options))]


def _after(text: str, rng: np.random.Generator) -> str:
    """What one has done, before one does the next thing; nothing if the verb does not allow it."""
    gerund = nouns.gerund(text) if text.startswith(endings.DONE) else ""
    return _pick(endings.AFTER, rng).format(gerund=gerund, clause=text) if gerund else ""


def _begun(begin: str, text: str, single: bool) -> str:
    """The first sentence: start by turning left; first, turn left."""
    if not begin.endswith("by"):
        return f"{begin}, {text}"
    gerund = nouns.gerund(text) if single else ""
    return f"{begin} {gerund}" if gerund else text


def _joined(texts: list[str], rng: np.random.Generator) -> str:
    """Clauses in one sentence; no second "and" where one can do without."""
    joined = texts[0]
    for i, text in enumerate(texts[1:], start=1):
        plain = " and " not in joined and " and " not in text
        gerund = nouns.gerund(text)
        if i < len(texts) - 1:
            joined += f", {text}"
        elif len(texts) == 2 and gerund and rng.random() < 0.08:
            joined += f"{_pick(endings.BEFORE, rng)} {gerund}"
        elif plain:
            # One does not stop "from there".
            joined += f"{_pick(endings.JOINS if gerund else endings.PLAIN_JOINS, rng)} {text}"
        else:
            joined += f"{_pick((', then', ' then', ', and then'), rng)} {text}"
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
    text = re.sub(r" and (and|then) ", r" \1 ", text) + ("." if rng.random() < 0.4 else "")
    return misspelt(text, rng)
