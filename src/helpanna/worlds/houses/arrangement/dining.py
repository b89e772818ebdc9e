"""Tables with chairs around them."""

from helpanna.worlds.houses.arrangement.groups import GAP, Member
from helpanna.worlds.houses.arrangement.pieces import NoSpaceError, ceiling
from helpanna.worlds.houses.arrangement.space import Space
from helpanna.worlds.houses.layout import Placed, Thing

# Width and depth of a table, how many sit at its front, back and each end, and whether it is at a wall.
_SIZES = (
    (2.0, 0.95, 3, 3, 1, False), (1.7, 0.9, 2, 2, 1, False), (1.6, 0.85, 2, 2, 0, False),
    (1.3, 0.8, 2, 2, 0, False), (1.0, 1.0, 1, 1, 1, False), (0.9, 0.9, 1, 1, 0, False),
    (1.2, 0.75, 2, 0, 0, True), (0.9, 0.7, 1, 0, 1, True), (0.8, 0.7, 0, 0, 1, True),
    (0.8, 0.65, 0, 0, 1, False), (0.8, 0.65, 1, 0, 0, True),
)  # fmt: skip


def dining_group(space: Space, most: int, need: bool) -> list[Placed] | None:
    """A table in the middle of the room with chairs around it, or at a wall where it is narrow; a lamp above.

    Args:
        space: the room.
        most: how many may sit there.
        need: whether the room must have it.

    Raises:
        NoSpaceError: it is needed and there is no place.
    """
    chair = space.make("dining chair")
    for width, depth, front, back, ends, at_wall in _SIZES:
        if front + back + 2 * ends > most:
            continue
        table = space.make("dining table", width=width, depth=depth)
        middle = GAP + table.size[1] / 2 if at_wall else 0.0
        group = [Member(table, y=middle), *_chairs(table, chair, front, back, ends, middle)]
        found = space.at_wall(*group, taste={"middle": 0.2}) if at_wall else space.on_floor(*group)
        if found:
            _lamp_over(space, found[0])
            return found
    if need:
        raise NoSpaceError("no place for a dining table")
    return None


def _chairs(table: Thing, chair: Thing, front: int, back: int, ends: int, middle: float) -> list[Member]:
    """The chairs of a table whose middle is that far from the wall; they face it."""
    width, depth = table.size[:2]
    reach = (depth + chair.size[1]) / 2 + 0.02
    members = []
    for count, way, turn in ((front, 1, 2), (back, -1, 0)):
        for i in range(count):
            x = ((i + 0.5) / count - 0.5) * (width - 0.1)
            members.append(Member(chair, x, middle + way * reach, turn))
    aside = (width + chair.size[1]) / 2 + 0.02
    if ends:
        members += [Member(chair, aside, middle, 1), Member(chair, -aside, middle, 3)]
    return members


def _lamp_over(space: Space, table: Placed) -> None:
    """A pendant lamp or a chandelier above the table, low enough to light it."""
    hanging = space.room.height - 1.6
    grand = space.style.name in ("classic", "mediterranean", "farmhouse") and space.chance(0.5)
    thing = space.make("chandelier" if grand else "pendant lamp", height=hanging)
    ceiling(space, thing, *table.position[:2])
