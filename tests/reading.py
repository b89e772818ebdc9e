"""Reads route instructions: what the words say must be claimed, and what is claimed must be said."""

import re
from collections import Counter

from helpanna.narration.nouns import names_of, room_names
from helpanna.tasks.words import words

NUMBERS = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
]  # fmt: skip
ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
METRES = {"meters": 1, "feet": 0.3048, "yards": 0.9144, "steps": 0.75}

SLIPS = {  # what hasty people write for it
    "past": "passed", "through": "thru throught", "until": "untill til unitl", "straight": "strait",
    "forward": "foward froward", "stairs": "stiars", "immediately": "immediatly", "your": "ur",
    "entrance": "enterance", "toward": "tward", "to": "too", "then": "than", "you": "u", "the": "teh",
    "dining": "dinning", "kitchen": "kithcen", "with": "wiht", "pillar": "piller", "cabinet": "cabnet",
    "refrigerator": "refridgerator", "front": "fornt",
}  # fmt: skip
SPLIT = ("hall way", "door way", "in to", "up stairs", "down stairs", "bath room")

CONNECTIVES = frozenset(
    words(
        """and then next now finally lastly first start off by begin beginning to from there here that this
        after afterwards following before prior upon once when as soon at point which you you'll you're want
        will need should are going have must can i go ahead just please simply make be sure okay alright so
        done doing your journey gotta wanna u"""
    )
)
"""Words between clauses: they say nothing about the walk."""

STAIRS = (
    r"(the |this |these )?(few |short set of )?(flight of |set of )?"
    r"(stairs|staircase|stair case|stairway|steps)"
)
NEUTRAL = re.compile(r"\bright (?=in front|next to|by|beside|near|inside|outside)")


def directions(text):
    """The direction words of a clause, as the kinds and sides that must be claimed."""
    text = NEUTRAL.sub("", text)
    found = {("side", side) for side in ("left", "right") if re.search(rf"\b{side}\b", text)}
    if re.search(
        r"\bslight|\bveer\b|(?<!teddy )(?<!stuffed )\bbear (left|right|to)\b|\bangle to"
        r"|\bturn a (little|bit|little bit) to",
        text,
    ):
        found.add(("degree", "slight"))
    if re.search(r"\bsharp|\bhard\b", text):
        found.add(("degree", "sharp"))
    if re.search(r"\baround\b|\bu turn\b|\b180\b|\babout face\b|\b(other|opposite) (way|direction)\b", text):
        found.add(("degree", "around"))
    ahead = r"\bstraight\b(?! ahead of you)|\bforwards?\b|(?<!straight )\bahead\b(?! of you)"
    if re.search(ahead, text):
        found.add(("straight", ""))
    flight = r"(a|one) (floor|level|flight( of stairs)?)"
    if re.search(
        rf"\bup ({STAIRS}|{flight})|\bupstairs\b|\bclimb\b(?! down)|\bascend|\bmount\b|\bscale th"
        rf"|{STAIRS} up\b|\bupper (floor|level)\b|floor above",
        text,
    ) and not re.search(rf"\bdescend|\bdown {STAIRS}|{STAIRS} down", text):
        found.add(("stairs", "up"))
    if re.search(
        rf"\bdown ({STAIRS}|{flight})|\bdownstairs\b|\bdescend|{STAIRS} down\b|lower (floor|level)"
        r"|floor below",
        text,
    ):
        found.add(("stairs", "down"))
    return found


def claimed_directions(claims):
    found = set()
    for c in claims:
        if c.kind == "turn":
            *degree, side = c.side.split(" ")
            found |= {("degree", d) for d in degree}
            found.add(("degree", "around") if side == "around" else ("side", side))
        elif c.side in ("left", "right"):
            found.add(("side", c.side))
        elif c.kind == "straight":
            found.add(("straight", ""))
        elif c.kind in ("up", "down"):
            found.add(("stairs", c.kind))
    return found


# Words that say something, and the claims of which one must stand behind them; "stop near" is stop's side.
CUES = {
    r"\b(large|larger|big|bigger|huge|oversized|good sized|spacious)\b": "large spacious",
    r"\b(small|smaller|tiny)\b(?! steps)|\blittle (?!way|bit|past|to\b)\w": "small",
    r"\b(nearest|closest|nearer|closer)\b": "nearest",
    r"(?<!not )(?<!as )\bfar (?!end)|\b(farthest|furthest|farther|most distant)\b": "farthest",
    r"\babove (the|a|an) |\bover (the|a|an) ": "above",
    r"\b(under|below|beneath|underneath) (the|a|an) ": "below",
    r"\bon the (left |right )?wall\b": "wall",
    r"\b(long|narrow|lengthy)\b": "long",
    r"\bimmediate(ly)?\b|\bquick(ly)?\b|\bat once\b": "soon",
    r"\b(floor|level)\b": "up down",
    r"\b(top|bottom)\b": "landing up down stop-top stop-bottom",
    r"\blanding\b": "landing stop-landing",
    r"\b(facing(?! away| the opposite)|looking at)\b": "start stop-front stop-door",
    r"\bin front of (the|a|an|some) ": "stop-front stop-door",
    r"\b(between|either side)\b": "between stop-between",
    r"\b(past|pass(?! through)|passing|passed)\b": "pass passdoor stop-past stop-inside inside",
    r"\b(keeping|leaving|passing) (the|a|an|some|two|both|several)\b": "pass leave stop-past stop-outside",
    r"\btowards?\b|\bdirection of\b": "toward",
    r"\baway from\b": "away start",
    r"\b(until|till|as far as)\b": "reach",
    r"\b(out of|exit|leave|vacate|depart|emerge|retreat)\b": "leave doorway stop-outside",
    r"\binto\b|\bonto\b": "enter stop-inside stop-door",
    r"\benter\b": "enter doorway stop-inside stop-door inside",
    r"\b(through|across|cross)\b": "doorway enter along inside stop-inside stop-door",
    r"\b(along|down) the (?!stair|step|flight|set of|short|few)": "along",
    r"\bend of\b|\bends\b": "end stop-end",
    r"\b(door|doorway|entryway|opening)\b": "doorway passdoor inside stop-inside stop-outside stop-door",
    r"\bnext to|\bbeside\b|\balongside\b": "by stop-next stop-door pass",
    r"\b(meters|yards|paces)\b": "metres straight",
}


def text_faults(ground, instruction):
    """What the text says and the claims do not, or the other way round."""
    faults = []
    spoken = spelt(instruction)
    place = 0
    for clause in instruction.clauses:
        said = words(
            clause.text if instruction.narrator != "sloppy" else clause.text.replace("a u turn", "a uturn")
        )
        span = next((i for i in range(place, len(spoken)) if _is_at(spoken[i : i + len(said)], said)), None)
        assert span is not None, (clause.text, instruction.text)
        if strange := [word for word in spoken[place:span] if word not in CONNECTIVES]:
            faults.append((f"{strange} between clauses", clause))
        place = span + len(said)
        faults += _clause_faults(ground, clause)
    if not any(c.kind == "stop" for c in instruction.clauses[-1].claims):
        faults.append(("no stopping place", instruction.clauses[-1]))
    if place != len(spoken):
        faults.append(("words after the end", instruction.clauses[-1]))
    last = words(re.split(r"\.\s+", instruction.text.strip())[-1])
    if len(last) < len(words(instruction.clauses[-1].text)):
        faults.append(("last sentence", instruction.clauses[-1]))
    return faults


def spelt(instruction):
    """The words of the text; those of a sloppy narrator as they were meant."""
    if instruction.narrator != "sloppy":
        return words(instruction.text)
    text = instruction.text.lower()
    for pair in SPLIT:
        text = re.sub(rf"\b{pair}\b", pair.replace(" ", ""), text)
    meant = {word for clause in instruction.clauses for word in words(clause.text)} | CONNECTIVES
    verbs = {words(clause.text)[0] for clause in instruction.clauses}
    meant |= {"uturn"} | {form for verb in verbs for form in _forms(verb)}
    return [_meant(word, meant) for word in words(re.sub(r"\ba u turn\b", "a uturn", text))]


def _meant(word, known):
    slips = [right for right, wrong in SLIPS.items() if word in wrong.split() and right in known]
    if word in known and not slips:
        return word
    near = [other for other in known if _slipped(other, word)]
    return (slips or near or [word])[0]


def _slipped(right, wrong):
    """Whether one letter is missing, twice, or has changed places with its neighbour."""
    if abs(len(right) - len(wrong)) > 1 or min(len(right), len(wrong)) < 4 or right[0] != wrong[0]:
        return False
    shorter, longer = sorted((right, wrong), key=len)
    if len(shorter) < len(longer):
        return any(longer[:i] + longer[i + 1 :] == shorter for i in range(len(longer)))
    off = [i for i in range(len(right)) if right[i] != wrong[i]]
    return len(off) == 2 and off[1] == off[0] + 1 and sorted(right) == sorted(wrong)


def _is_at(spoken, said):
    """Whether the clause is spoken here, perhaps as in "start by turning"."""
    if len(spoken) != len(said):
        return False
    return spoken[0] in _forms(said[0]) and spoken[1:] == said[1:]


def _forms(verb):
    stem = verb[:-1] if verb.endswith("e") else verb + verb[-1] if verb in ("step", "get") else verb
    return (verb, stem + "ing")


def _clause_faults(ground, clause):
    claims, faults = clause.claims, []
    if directions(clause.text) != claimed_directions(claims):
        faults.append(("directions", clause))
    kinds = {c.kind for c in claims} | {f"{c.kind}-{c.side}" for c in claims}
    kinds |= {f"stop-{c.side}" for c in claims if c.kind == "stop"}
    bare = _without_names(ground, clause)
    for cue, behind in CUES.items():
        if re.search(cue, bare) and not kinds.intersection(behind.split()):
            faults.append((f"{cue} is not claimed", clause))
    if not all(
        (_distances_fit(clause), _counts_fit(ground.world, clause, bare), _angles_fit(ground, clause))
    ):
        faults.append(("number", clause))
    for c in claims:
        if c.kind in ("up", "down") and re.search(r"\b(floor|level)\b", bare):
            faults += [("storey", clause)] if abs(ground.at[c.until][2] - ground.at[c.step][2]) < 2.3 else []
    return faults + _unclaimed_names(ground, clause)


def _distances_fit(clause):
    found = re.search(
        r"(?:about|roughly|approximately|maybe|some) (\w+) (meters|feet|yards|steps)", clause.text
    )
    if not found:
        return True
    number = NUMBERS.index(found[1]) if found[1] in NUMBERS else int(found[1])
    metres = number * METRES[found[2]]
    return any(c.kind == "metres" and abs(metres - c.number) < 0.8 for c in clause.claims)


def _counts_fit(world, clause, bare):
    """Whether as many things are passed as are counted, and the doorway has that number."""
    things = {c.thing for c in clause.claims if c.kind == "pass"}
    passed = {len(things), *Counter(world.object_types[thing] for thing in things).values()}
    if re.search(r"\b(both|pair of|couple of(?! (steps|feet|paces|yards)))\b", bare) and 2 not in passed:
        return False
    if re.search(r"\b(several|group of|number of)\b", bare) and max(passed) < 3:
        return False
    if not any(c.kind == "metres" for c in clause.claims):
        counted = [NUMBERS.index(word) for word in words(bare) if word in NUMBERS[2:]]
        if not passed.issuperset(counted) and "step or two" not in bare:
            return False
    order = {n + 1 for n, word in enumerate(ORDINALS) if re.search(rf"\b{word}\b", bare)}
    order |= {int(n) for n in re.findall(r"\b(\d+)(?:st|nd|rd|th)\b", bare)}
    return order == {c.number for c in clause.claims if c.kind == "ordinal"}


def _angles_fit(ground, clause):
    if not re.search(r"\b90\b|\bninety\b|\bquarter\b", clause.text):
        return True
    turns = [c for c in clause.claims if c.kind == "turn"]
    angles = [abs(sum(ground.changes[c.step : c.until + 1])) for c in turns]
    return bool(angles) and all(75 < angle < 105 or 75 < 360 - angle < 105 for angle in angles)


def _names(ground, clause):
    """What the clause may name: the things it claims, the rooms it claims."""
    world = ground.world
    things = [t for c in clause.claims for t in (c.thing, c.other) if t >= 0]
    named = {name for t in things for name in names_of(world.object_types[t])}
    kinds = {ground.kinds[c.room] for c in clause.claims if c.room >= 0}
    return named, {name for kind in kinds for name in room_names(kind)} | {"entrance"}


def _without_names(ground, clause):
    """The text without what it claims, the longest name first: a "kitchen cabinet" is no kitchen."""
    named, known = _names(ground, clause)
    text = clause.text
    for c in clause.claims:
        if c.kind == "glimpse":  # what is named is how the caption begins
            caption = ground.captions[ground.path[c.step]][1][int(c.number)].split()
            begins = [" ".join(caption[:n]) for n in range(len(caption), 1, -1)]
            text = text.replace(next(words for words in begins if words in text), "thing")
    for name in sorted(named, key=len, reverse=True):
        text = re.sub(rf"\b{name}(e?s)?\b|\b{name[:-1]}(ies|ves)\b", "thing", text)
        first, of, rest = name.partition(" of ")
        text = re.sub(rf"\b{first}s{of}{rest}\b", "thing", text) if of else text
    for name in sorted(known - {"entrance"}, key=len, reverse=True):
        text = re.sub(rf"\b{name}\b", "place", text)
    return text


def _unclaimed_names(ground, clause):
    """Things and rooms that the clause names but does not claim."""
    world, text = ground.world, _without_names(ground, clause)
    known = _names(ground, clause)[1]
    unclaimed = [
        *(rf"\b(the|a|an|some) (\w+ )?{n}\b" for kind in set(world.object_types) for n in names_of(kind)),
        *(rf"\bthe (\w+ )?{n}\b" for kind in ground.kinds for n in room_names(kind) if n not in known),
    ]
    return [(f"{pattern} is not claimed", clause) for pattern in unclaimed if re.search(pattern, text)]


def grammar_faults(text):
    """Mistakes that no careful narrator makes."""
    lower = text.lower()
    patterns = [
        r"\ba [aeo](?!ne )", r"\ban [^aeiou]", r"\b(\w+) \1\b", r"  ", r" [.,]", r"[.,]{2}", r"\{|\}", r",$",
        r"\b(a|an|the) (a|an|the|some)\b", r"\band (and|until|towards?|away)\b", r"\bthen (then|and)\b",
        r"\bone (meters|feet|yards|steps)\b", r"[()\[\]|]", r"\bthe (both|this|these)\b",
    ]  # fmt: skip
    return [pattern for pattern in patterns if re.search(pattern, lower)]
