"""What is drawn of walls, doors, windows and stairs, and where."""

import numpy as np
import pytest

from helpanna.worlds.outlines import OpeningOutline, Outline, RoomOutline, StairOutline
from helpanna.worlds.wall_shapes import Shape, wall_shapes

OUTLINE = Outline(
    rooms=(
        RoomOutline(0, 0, (0, 0, 4, 3)),
        RoomOutline(1, 0, (4.2, 0, 8, 3)),
        RoomOutline(2, 1, (0, 0, 4, 3)),
    ),
    openings=(
        OpeningOutline("door", 0, (4.0, 1, 4.2, 2), leaf=(4.2, 1.96, 5.2, 2.0)),
        OpeningOutline("door", 0, (1, -0.2, 2, 0)),
        OpeningOutline("window", 0, (5, 3, 7, 3.2)),
        OpeningOutline("passage", 1, (4.0, 0, 4.2, 1)),
    ),
    stairs=(StairOutline(0, (0, 1, 1, 3), "south", 5),),
    wall=0.2,
)


def of(floor: int, kind: str) -> list[Shape]:
    return [shape for shape in wall_shapes(OUTLINE, floor) if shape.kind == kind]


def test_walls_surround_the_rooms_of_a_storey() -> None:
    assert [shape.room for shape in of(0, "room")] == [0, 1] and [s.room for s in of(1, "room")] == [2]
    assert of(0, "wall")[0].points == ((-0.2, -0.2), (4.2, -0.2), (4.2, 3.2), (-0.2, 3.2))
    kinds = [shape.kind for shape in wall_shapes(OUTLINE, 0)]
    assert kinds.index("wall") < kinds.index("room") < kinds.index("gap")


def test_an_open_door_has_a_leaf_and_the_curve_in_which_it_turns() -> None:
    leaf, shut = of(0, "door")
    assert leaf.points == ((4.2, 1.98), (5.2, 1.98))
    assert shut.points == ((1, -0.1), (2, -0.1))
    (swing,) = of(0, "swing")
    hinge, tip = np.array(leaf.points)
    assert swing.points[0] == pytest.approx(tuple(tip))
    assert np.linalg.norm(np.array(swing.points) - hinge, axis=1) == pytest.approx(1.0)
    assert swing.points[-1] == pytest.approx((4.2, 0.98))  # shut, it lies across the hole


def test_windows_have_glass_and_passages_only_a_gap() -> None:
    assert of(0, "glass")[0].points[0] == (5, 3) and of(0, "pane")[0].points == ((5, 3.1), (7, 3.1))
    assert len(of(0, "gap")) == 2 and len(of(1, "gap")) == 1 and not of(1, "door")


def test_stairs_are_drawn_on_both_storeys_and_point_up() -> None:
    for floor, below in ((0, False), (1, True)):
        treads = of(floor, "tread")
        assert [tread.points[0][1] for tread in treads] == [1, 1.5, 2, 2.5, 3]
        (up,) = of(floor, "up")
        assert up.points == ((0.5, 3), (0.5, 1))
        assert all(shape.below == below for shape in (*treads, *of(floor, "flight"), up))
