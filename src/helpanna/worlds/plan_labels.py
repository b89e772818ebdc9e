"""Room for labels: where a text can stand on a floor plan without covering another or a mark."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Box = tuple[float, float, float, float]
"""Left, bottom, right, top."""

_MARK_RADIUS = 1.8  # points
# Where a label may stand beside its mark, best first: right, left, above, below, and the corners.
_SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1))


@dataclass
class LabelSpace:
    """What is taken on one panel, in points (1/72 inch) from its lower left corner.

    Attributes:
        size: [2] the panel's width and height.
        marks: [., 2] points no label may cover.
        lines: [., 2] points along lines that labels cover only where there is no better place.
        boxes: the labels so far.
    """

    size: Floats
    marks: Floats
    lines: Floats
    boxes: list[Box] = field(default_factory=list)

    def place(self, boxes: Iterable[Box]) -> Box | None:
        """Takes the first box that covers nothing, else the first that covers lines only."""
        second: Box | None = None
        for box in boxes:
            if not self._free(box):
                continue
            if not _covers(box, self.lines):
                self.boxes.append(box)
                return box
            second = second or box
        if second:
            self.boxes.append(second)
        return second

    def _free(self, box: Box) -> bool:
        left, bottom, right, top = box
        if left < 0 or bottom < 0 or right > self.size[0] or top > self.size[1]:
            return False
        apart = all(left > r or right < l or bottom > t or top < b for l, b, r, t in self.boxes)  # noqa: E741
        return apart and not _covers(box, self.marks, _MARK_RADIUS)


def _covers(box: Box, points: Floats, radius: float = 0) -> bool:
    left, bottom, right, top = box[0] - radius, box[1] - radius, box[2] + radius, box[3] + radius
    x, y = points.T
    return bool(np.any((x > left) & (x < right) & (y > bottom) & (y < top)))


def boxes_around(centres: Floats, size: tuple[float, float]) -> list[Box]:
    """Boxes of this size (width, height) around the centres [., 2]."""
    half = np.array(size) / 2
    return [tuple(corners) for corners in np.hstack([centres - half, centres + half]).tolist()]


def boxes_beside(mark: Floats, size: tuple[float, float]) -> list[Box]:
    """Boxes of this size on all sides of a mark, best first."""
    return boxes_around(mark + np.array(_SIDES) * (np.array(size) / 2 + _MARK_RADIUS + 0.1), size)


def printable(text: str) -> str:
    """The text without characters that cannot be shown, or would break a line or an SVG file."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def text_size(text: str, size: float, weight: str = "normal") -> tuple[float, float]:
    """Width and height of a text in points, with a little air around it."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(family="DejaVu Sans", size=size, weight=weight)
    lines = text.split("\n")
    widths = [text_to_path.get_text_width_height_descent(line, font, ismath=False)[0] for line in lines]
    return max(widths) + 0.4 * size, 1.2 * size * len(lines)
