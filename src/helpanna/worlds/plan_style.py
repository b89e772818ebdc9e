"""How a floor plan looks: colours, sizes and marks, the same on the plan and in its legend."""

from collections.abc import Sequence
from typing import Any, Literal

PlanPath = tuple[str, Sequence[int]]
"""A label, and the locations (indices of the world) of a walk."""
PlanMark = tuple[Literal["goal", "request", "end"], str, Sequence[int]]
"""What kind of mark, a label, and the locations that it stands at."""

POINTS = 72
"""In an inch."""

# Paul Tol's "bright" scheme, which colour-blind people can tell apart.
PATH_COLOURS = ("#4477AA", "#EE6677", "#228833", "#AA3377", "#CCBB44", "#66CCEE")
INK, MUTED, OBJECT_INK = "#222222", "#777777", "#7A2E16"
NAME_SIZE, KIND_SIZE, OBJECT_SIZE = 13.0, 7.0, 5.0  # points

# What the legend shows, in the style it has on the plan.
MARK = {"linestyle": "none", "markeredgewidth": 0}
LOCATION = {**MARK, "marker": "o", "markersize": 3.2, "color": "#3A3A3A"}
OBJECT = {**MARK, "marker": "D", "markersize": 2.6, "color": "#C8502B"}
EDGE = {"color": "#A6A6A6", "linewidth": 0.6}
STAIRS = {"color": "#5A5A5A", "linewidth": 0.8, "dashes": (3, 2)}
UP = {**MARK, "marker": "^", "markersize": 5, "color": "#5A5A5A"}
DOWN = {**UP, "marker": "v"}
START = {"marker": "o", "markersize": 7, "markerfacecolor": "none", "markeredgewidth": 1.6, "markevery": [0]}
OUTLINED = {"linestyle": "none", "markeredgecolor": "white", "markeredgewidth": 0.8}
MARKS: dict[str, dict[str, Any]] = {
    "goal": {**OUTLINED, "marker": "*", "markersize": 15, "color": "#DDAA33"},
    "request": {**OUTLINED, "marker": "P", "markersize": 9, "color": "#AA3377"},
    "end": {**OUTLINED, "marker": "X", "markersize": 9, "color": "#BB2222"},
}


def path_colour(i: int) -> str:
    """The colour of the walk with this number."""
    return PATH_COLOURS[i % len(PATH_COLOURS)]
