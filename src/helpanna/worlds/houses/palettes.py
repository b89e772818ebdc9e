"""The colours of each style, as people write them: sRGB in hexadecimal, the most typical first."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Recipe:
    """What a style is mixed from; each text is a list of colours.

    Attributes:
        floor, bed_floor: what most rooms' and bedrooms' floors are made of, in `floors` and `bed_floors`.
        tiles: of wet rooms.
        window: lower and upper edge of a usual window (metres), and its share of an outer wall.
        plank, tile: widths in metres.
    """

    floor: Literal["planks", "tile", "stone", "carpet"]
    floors: str
    bed_floor: Literal["planks", "tile", "carpet"]
    bed_floors: str
    tiles: str
    walls: str
    bold_walls: str
    trims: str
    woods: str
    dark_woods: str
    fabrics: str
    accents: str
    metals: str
    ceramics: str
    stones: str
    leathers: str
    paints: str
    window: tuple[float, float, float]
    plank: float = 0.14
    tile: float = 0.3
    ceiling: str = "f4f2ec"
    gloss: float = 0.2


RECIPES: dict[str, Recipe] = {
    "scandinavian": Recipe(
        floor="planks", floors="d9c3a0 cdb48e e2d2b8",
        bed_floor="planks", bed_floors="d9c3a0 e2d2b8",
        tiles="e6e6e2 c9cfd2 b9c4c4", walls="f2f0ea ebe9e4 e4e6e4",
        bold_walls="b7c4c4 c8bfae 9fb0b0 d8c4b4", trims="f5f4f0 efece4",
        woods="d8b98a cfae7e e0c8a0", dark_woods="8a6a48 6b5540",
        fabrics="b9b8b2 d8d5cc 8f9a9e c9c2b4",
        accents="4f6f7a d0a24a b5635a 6f8570",
        metals="1f1f20 b8b6b0 c8a468", ceramics="f4f3ef e0ddd4 c7d0d2",
        stones="e8e6e0 cfccc4", leathers="b08a5c 8a5f3c",
        paints="f2f1ec d4d9d6 aebfbf", window=(0.75, 2.15, 0.5),
    ),
    "farmhouse": Recipe(
        floor="planks", floors="9a6f45 a97d50 86603c",
        bed_floor="planks", bed_floors="a97d50 8f6640",
        tiles="c9a98a b5654a d8cbb4", walls="efe6d2 e9dcc0 e2dccb",
        bold_walls="a9b08e c7a58a 8fa0a4 d6b98a", trims="f0e8d6 7f8f7a e6dcc4",
        woods="a5743f b58550 94683c", dark_woods="5a3d26 4a3220",
        fabrics="c9b48f a34f3f 7d8a6a b8a890",
        accents="8f2f2a 3f5a7a c08a3a 5f6f4a",
        metals="3a3530 a8793a 6f6a64", ceramics="f0e8d8 d6c4a4 8fa3b0",
        stones="c4bcae 8c8478", leathers="7a4a2a 93603a",
        paints="e8dfc8 8a9a86 5f7480", window=(0.9, 1.95, 0.34),
        plank=0.2, ceiling="efe8d8",
    ),
    "mid-century": Recipe(
        floor="planks", floors="8a5a34 9a683e 7c4f2e",
        bed_floor="carpet", bed_floors="b8a58a 8f8a6a c48f5f",
        tiles="d8c8a8 6f9a94 d98f4f e0dccc", walls="eee6d4 e6dcc6 f0ece0",
        bold_walls="c98a3a 4f7f7a 9a9a5a b5583a", trims="6f4526 e8dfcc",
        woods="8f5a30 9c6538 7f4e28", dark_woods="4a2c18 5c3820",
        fabrics="b5893a 4f6f6a a85a34 7f8a5a",
        accents="d9772f 2f6f74 c9a63a 8f3f34",
        metals="b08d57 c9c9c6 2a2a2a", ceramics="efe6d2 d97f3f 3f7f7f",
        stones="d9d2c4 5a564f", leathers="5a3420 a05f30",
        paints="e8e0cc c98f3f 4f7a74", window=(0.6, 2.25, 0.58),
        gloss=0.3,
    ),
    "industrial loft": Recipe(
        floor="stone", floors="8f8d88 9c9a94 7d7c79",
        bed_floor="planks", bed_floors="6f4d33 7f5a3c",
        tiles="3c3d3f 8f9090 c4c2bd", walls="c9c5be b5b1aa d6d3cd",
        bold_walls="8a4a36 4a4d50 9c5a42 6a6c6c", trims="2a2a2b 3a3836",
        woods="7a5535 8f6740 6a4a30", dark_woods="3a2a1e 2c221a",
        fabrics="5a5a5a 7d756a 4a5560 8f8a80",
        accents="a8552f c48a2f 3f4f5a 6f2f2a",
        metals="1d1d1e 4a4a4c 8f5f3a", ceramics="d8d6d0 4a4a4a 8f8f8c",
        stones="6f6e6b 3a3a3a", leathers="5f3820 3c2618 8a5530",
        paints="2f3032 6f7274 a8a6a0", window=(0.6, 2.4, 0.62),
        tile=0.6, ceiling="d8d5cf",
    ),
    "mediterranean": Recipe(
        floor="tile", floors="b8683f c47a50 a85a36",
        bed_floor="tile", bed_floors="c88a62 b8683f",
        tiles="2f6f9a e8dcc0 3f8f8a d9a84f", walls="f4e9d2 f0dfba f2ece0",
        bold_walls="e0b070 c9744f 5f8fb0 d8c08a", trims="3f6f9a 7a4f2e f0e6d0",
        woods="8f5f34 a8733f 7f5230", dark_woods="4f2f1a 5f3c22",
        fabrics="e6d6b4 3f7fa8 c9a06a d8d0c0",
        accents="1f5f94 d9a12f c4552f 3f7f5f",
        metals="2a2622 b08d4f 6f6a60", ceramics="f2e8d4 2f6f9f d9a84f",
        stones="e0d0b0 c9b08a", leathers="9a5f30 6f4020",
        paints="f0e4c8 3f7fa0 6f8f6a", window=(0.8, 2.05, 0.4),
        tile=0.4, ceiling="f6efe0",
    ),
    "classic": Recipe(
        floor="planks", floors="6f452a 7c5032 5f3a22",
        bed_floor="carpet", bed_floors="a8433c 3f4f6f b8a888 5f6f52",
        tiles="f0eee8 2a2a2c d8d0c0", walls="e8dfc4 dccfb0 e6e2d4",
        bold_walls="6f2f34 2f4a3c 34486a 9a7a4a", trims="f4efe2 6a4026",
        woods="6a3a20 7a4628 5c3018", dark_woods="3a1e10 2e180e",
        fabrics="8f2f34 2f4a6a b09a6a 4a5f44",
        accents="c9a24a 6a1f2a 1f3a5f 3f5f3a",
        metals="b5923f 9a9a98 4a3a20", ceramics="f4f0e4 2f4a7a e6d4a4",
        stones="e8e4da 2f4038", leathers="4a2216 2a1a12 6f3a20",
        paints="f0eada 3a5044 2f3f54", window=(0.7, 2.2, 0.36),
        plank=0.1, gloss=0.35,
    ),
    "minimalist": Recipe(
        floor="tile", floors="d4d2cd c4c3c0 e0deda",
        bed_floor="planks", bed_floors="c4b49c b8a88f",
        tiles="f0f0ee d0d0ce 5a5b5c", walls="f4f4f2 ecebe8 f0efec",
        bold_walls="d4d0c8 b8b8b6 3f4042", trims="f6f6f4 2f2f30",
        woods="c8b394 b8a284", dark_woods="4a4038 5a5048",
        fabrics="d6d4ce 9a9a98 5f6062 e8e6e0",
        accents="2f2f31 b0a898 7f8a8c",
        metals="c6c7c8 2a2a2b", ceramics="f8f8f6 3a3a3a",
        stones="f0efec b8b8b6 3f3f40", leathers="2c2a28 d8d0c4",
        paints="f6f6f4 d8d8d6 4a4b4c", window=(0.45, 2.35, 0.6),
        tile=0.6, ceiling="f7f7f5", gloss=0.4,
    ),
    "coastal": Recipe(
        floor="planks", floors="c4b8a4 b5a890 d2c8b4",
        bed_floor="carpet", bed_floors="d6cbb4 b4c4c8 e0dace",
        tiles="a8c8d0 f2f2ee 6fa0b0", walls="f4f4f0 e4ecec eef0e6",
        bold_walls="8fb8c8 a8ccc0 e8d8b4 5f8fa8", trims="fafaf6 eef2f0",
        woods="c9b494 d6c4a6 b89f7c", dark_woods="7a6a58 5f6f7a",
        fabrics="dfe4e4 6f9fb4 e4d8c0 a8bcc0",
        accents="2f5f8f e0785f 5fb0a8 e8c46a",
        metals="b8bcc0 c8a870 4a5a64", ceramics="f6f6f2 8fc0cc 2f6f9a",
        stones="e8e4d8 b4c0c0", leathers="a8825a c8b090",
        paints="f4f6f4 9fc4d0 d8e0d0", window=(0.7, 2.2, 0.52),
        plank=0.18,
    ),
}  # fmt: skip
