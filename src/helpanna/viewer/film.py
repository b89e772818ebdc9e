"""An episode as a moving picture: what the agent saw, its way on the plan, what it was told and did."""

import io
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from helpanna.errors import InputError
from helpanna.tasks.split import Split

PACE = 1100
"""Milliseconds a step."""
_LAST = 3000
_VIEW = (480, 360)
_PLAN = (400, 360)
_MARGIN, _TOP, _FOOT = 16, 46, 108
_INK, _MUTED, _GROUND, _LINE = "#22262b", "#5b6470", "#faf8f4", "#c9c4b8"
_TRAIL, _ROUTE, _GOAL, _BAD = "#1f6f8b", "#b45f06", "#17693a", "#b3261e"
_FILLS = {"wall": "#4a4a4a", "gap": "#ffffff", "glass": "#bfe3f2"}
_LINES = {"door": "#8a5a2b", "tread": "#9a9a9a", "flight": "#9a9a9a"}

Json = dict[str, Any]
Point = tuple[float, float]


def episode_gif(split: Split, plan: Json, episode: Json, who: str) -> bytes:
    """The film of an episode as a GIF file, which every program can show.

    Args:
        split: where it took place; its pictures are shown if it has any.
        plan: of the building, see `plan_of`.
        episode: see `episode_of`.
        who: what to call the agent.
    """
    # Each frame has colours of its own.
    frames = [frame.quantize(256, dither=0) for frame in _frames(split, plan, episode, who)]
    return _film(frames, "GIF", optimize=False)


def episode_webp(split: Split, plan: Json, episode: Json, who: str) -> bytes:
    """The same as a WebP file, a fifth of the size, which every browser can show."""
    return _film(_frames(split, plan, episode, who), "WEBP", quality=80)


def _frames(split: Split, plan: Json, episode: Json, who: str) -> list[Any]:
    return [_Frame(split, plan, episode, who, t).draw() for t in range(len(episode["steps"]) + 1)]


def _film(frames: Sequence[Any], kind: str, **options: Any) -> bytes:
    file = io.BytesIO()
    pace = [PACE] * (len(frames) - 1) + [_LAST]
    frames[0].save(file, kind, save_all=True, append_images=frames[1:], duration=pace, loop=0, **options)
    return file.getvalue()


class _Frame:
    """One step as a picture."""

    def __init__(self, split: Split, plan: Json, episode: Json, who: str, t: int) -> None:
        self.split, self.plan, self.episode, self.who, self.t = split, plan, episode, who, t
        self.step = episode["steps"][t] if t < len(episode["steps"]) else None
        self.pictures = split.atlas.views.has_panoramas
        left = _VIEW[0] + _MARGIN if self.pictures else 0
        self.plan_at = (_MARGIN + left, _TOP)
        self.plan_size = _PLAN if self.pictures else (_VIEW[0] + _PLAN[0], _PLAN[1])
        size = (2 * _MARGIN + left + self.plan_size[0], _TOP + _PLAN[1] + _FOOT)
        self.image = _pillow().new("RGB", size, _GROUND)
        self.pen = _drawing()(self.image)

    def draw(self) -> Any:
        self._print(_MARGIN, 14, f"“{self.episode['request']}”", 18, bold=True)
        self.pen.text(
            (self.image.width - _MARGIN, 16), self.who[:60], fill=_MUTED, font=_font(13), anchor="ra"
        )
        if self.pictures:
            self._draw_view()
        self._draw_plan()
        self._draw_words()
        return self.image

    def _print(self, x: float, y: float, text: str, size: int, fill: str = _INK, bold: bool = False) -> None:
        self.pen.text((x, y), text, fill=fill, font=_font(size, bold))

    def _draw_view(self) -> None:
        place, view = self.episode["places"][self.t], self.episode["views"][self.t]
        seen = self.split.atlas.views.render_view(self.plan["first"] + place, view)
        self.image.paste(_pillow().fromarray(seen).resize(_VIEW), (_MARGIN, _TOP))

    def _draw_words(self) -> None:
        y = _TOP + _PLAN[1] + 10
        if self.step is None:
            found = self.episode["success"]
            left = self.episode["final_distance"]
            verdict = "Found." if found else "Not found."
            if left is not None:
                verdict += f" {left:.1f} m from the nearest goal."
            self._print(_MARGIN, y, verdict, 17, _GOAL if found else _BAD, bold=True)
            return
        on_route = self.step["on_route"]
        self._print(_MARGIN, y, f"step {self.t}: {self._deed()}", 14, _MUTED)
        said = f"{'ANNA: ' if on_route else ''}“{self.step['words']}”"
        width = self.image.width - 2 * _MARGIN
        for k, line in enumerate(_wrapped(said, _font(15), width)[:4]):
            self._print(_MARGIN, y + 20 + 19 * k, line, 15, _ROUTE if on_route else _INK)

    def _deed(self) -> str:
        assert self.step is not None  # noqa: S101  # nothing is done at the end
        if self.step["asked"]:
            return "asks for help"
        if self.step["action"] == 0:
            return "leaves the route" if self.step["on_route"] else "stops"
        return f"walks {self.step['actions'][self.step['action']][3]:.1f} m"

    def _draw_plan(self) -> None:
        west, south, east, north = self.plan["bounds"]
        wide, high = self.plan_size
        scale = min(wide / (east - west), high / (north - south))
        x0 = self.plan_at[0] + (wide - scale * (east - west)) / 2
        y0 = self.plan_at[1] + (high - scale * (north - south)) / 2

        def at(point: Sequence[float]) -> Point:
            return x0 + (point[0] - west) * scale, y0 + (north - point[1]) * scale

        places, walk = self.plan["places"], self.episode["places"]
        floor = places[walk[self.t]][2]
        storey = next(one for one in self.plan["floors"] if one["floor"] == floor)
        self._draw_storey(storey, at)
        here = [at(place) for place in places]
        on = [place[2] == floor for place in places]
        for a, b in self.plan["edges"]:
            if on[a] and on[b]:
                self.pen.line([here[a], here[b]], fill=_LINE)
        route = _heard(self.episode, self.t)
        for path, colour, width in ((route, _ROUTE, 3), (walk[: self.t + 1], _TRAIL, 4)):
            for a, b in pairwise(path):
                if on[a] or on[b]:
                    self.pen.line([here[a], here[b]], fill=colour, width=width)
        asked = {walk[t] for t, step in enumerate(self.episode["steps"][: self.t + 1]) if step["asked"]}
        for marked, letter, colour in ((self.episode["goals"], "★", _GOAL), (asked, "?", _ROUTE)):
            for place in marked:
                if on[place]:
                    self._mark(here[place], letter, colour)
        self._draw_agent(here[walk[self.t]], self.episode["views"][self.t] % 12 * 30)

    def _draw_storey(self, storey: Json, at: Any) -> None:
        for kind, points in storey["walls"]:
            if kind == "wall":
                self.pen.polygon([at(p) for p in points], fill=_FILLS[kind])
        for room in storey["rooms"]:
            for outline in room["outlines"]:
                self.pen.polygon([at(p) for p in outline], fill=room["colour"])
        for kind, points in storey["walls"]:
            shape = kind.split()[0]
            if shape in ("gap", "glass"):
                self.pen.polygon([at(p) for p in points], fill=_FILLS[shape])
            elif shape in _LINES:
                self.pen.line([at(p) for p in points], fill=_LINES[shape], width=2 if shape == "door" else 1)

    def _mark(self, at: Point, letter: str, colour: str) -> None:
        x, y = at
        self.pen.ellipse((x - 8, y - 8, x + 8, y + 8), fill=colour)
        self.pen.text((x, y), letter, fill="#ffffff", font=_font(11, bold=True), anchor="mm")

    def _draw_agent(self, at: Point, heading: float) -> None:
        x, y = at
        first = heading - 90 - 28  # Pillow counts from the east, clockwise
        self.pen.pieslice((x - 26, y - 26, x + 26, y + 26), first, first + 56, fill="#8db9c9")
        self.pen.ellipse((x - 7, y - 7, x + 7, y + 7), fill=_TRAIL, outline="#ffffff", width=2)


def _heard(episode: Json, t: int) -> list[int]:
    """The route of the last answer, until it is left."""
    for step in reversed(episode["steps"][: t + 1]):
        if step["answer"]:
            return step["answer"]["route"] or []
        if not step["on_route"]:
            return []
    return []


def _wrapped(text: str, font: Any, width: float) -> list[str]:
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if font.getlength(longer) <= width or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


@lru_cache(maxsize=16)
def _font(size: int, bold: bool = False) -> Any:
    import matplotlib
    from PIL import ImageFont

    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return ImageFont.truetype(str(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / name), size)


def _pillow() -> Any:
    try:
        from PIL import Image
    except ImportError:
        need = 'a GIF needs Pillow and matplotlib; install them with pip install "helpanna[view]".'
        raise InputError(need) from None
    return Image


def _drawing() -> Any:
    from PIL import ImageDraw

    return ImageDraw.Draw
