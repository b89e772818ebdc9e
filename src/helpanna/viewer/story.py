"""A page that tells episodes in pictures: the plan with the way taken, what was seen, what ANNA said."""

import html
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from helpanna.episodes.trajectory import Trajectories
from helpanna.files import atomic_file
from helpanna.tasks.goals import EPS_SUCCESS
from helpanna.tasks.split import Split
from helpanna.worlds.geometry import HEADINGS
from helpanna.worlds.panoramas import encode
from helpanna.worlds.plan import draw_plan

_STYLE = """
body { font: 16px/1.5 sans-serif; color: #222; max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.6rem }
h2 { font-size: 1.25rem; margin-top: 3rem; border-top: 1px solid #ddd; padding-top: 1.5rem }
table { border-collapse: collapse }
td, th { padding: .25rem .8rem; text-align: right; border-bottom: 1px solid #eee }
td:first-child, th:first-child { text-align: left }
img { max-width: 100%; border-radius: 4px }
.plan { border: 1px solid #eee }
.views { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: .8rem }
figure { margin: 0 }
figcaption { font-size: .85rem; color: #555 }
blockquote { margin: 1rem 0; padding: .6rem 1rem; background: #fdf3e1; border-left: 4px solid #c88a2d }
.good { color: #1a7a3c }
.bad { color: #b3261e }
"""


def write_story(
    folder: Path,
    title: str,
    split: Split,
    trajectories: Trajectories,
    episodes: Sequence[int],
    header: Sequence[str] = (),
    rows: Sequence[Sequence[str]] = (),
) -> Path:
    """Writes `index.html` and its pictures into a folder.

    Args:
        folder: where to write.
        title: the page's heading.
        split: the tasks.
        trajectories: what happened.
        episodes: which of them to tell.
        header: the columns of a table of figures at the top of the page.
        rows: its rows.
    """
    parts = [_table(header, rows)] if rows else []
    for number, episode in enumerate(episodes):
        parts.append(_Story(folder, split, trajectories, episode, f"episode{number}").tell())
    page = (
        f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{html.escape(title)}</title>'
        f"<style>{_STYLE}</style>\n<h1>{html.escape(title)}</h1>\n" + "\n".join(parts) + "\n</html>\n"
    )
    path = folder / "index.html"
    with atomic_file(path) as temporary:
        temporary.write_text(page, encoding="utf-8")
    return path


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{html.escape(cell)}</th>" for cell in header)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><tr>{head}</tr>{body}</table>"


class _Story:
    """One episode as HTML; its pictures are written beside the page."""

    def __init__(
        self, folder: Path, split: Split, trajectories: Trajectories, episode: int, name: str
    ) -> None:
        self.folder, self.split, self.name = folder, split, name
        self.trip = trajectories.select(np.array([episode]))
        self.task = int(self.trip.task[0])
        self.length = int(self.trip.length[0])
        self.atlas = split.atlas
        self.world = int(self.atlas.world_of[self.trip.location[0, 0]])

    def tell(self) -> str:
        """Draws the pictures and returns the text around them."""
        goal_set = int(self.split.goal_set[self.task])
        left = float(self.split.goal_sets.distance_from(goal_set, int(self.trip.final[0])))
        found = left <= EPS_SUCCESS
        asked = int(self.trip.asked[0].sum())
        verdict = "found it" if found else f"ended {left:.1f} m from the nearest"
        request = html.escape(self.split.texts[goal_set])
        return "\n".join(
            [
                f"<h2>“{request}” in {html.escape(self.atlas.world_names[self.world])}: "
                f'<span class="{"good" if found else "bad"}">{verdict}</span></h2>',
                f"<p>{self.length} steps, {asked} {'request' if asked == 1 else 'requests'}, "
                f"{float(self.trip.metres[0]):.1f} m.</p>",
                self._plan(),
                *self._steps(),
            ]
        )

    def _plan(self) -> str:
        first = self.atlas.locations(self.world).start
        walk = [int(v) - first for v in self.trip.location[0, : self.length + 1]]
        kept = [v for i, v in enumerate(walk) if i == 0 or v != walk[i - 1]]
        file = f"{self.name}-plan.svg"
        draw_plan(self.atlas.world(self.world), self.folder / file, [("the way taken", kept)])
        return f'<p><img class="plan" src="{file}" alt="the floor plan with the way taken"></p>'

    def _steps(self) -> list[str]:
        """What was seen and said, in turn."""
        parts, views = [], []
        for t in range(self.length):
            location, view = int(self.trip.location[0, t]), int(self.trip.view[0, t])
            views.append(self._view(location, view, f"step {t + 1}"))
            if self.trip.asked[0, t]:
                parts += [self._grid(views), self._message(t)]
                views = []
        views.append(self._view(int(self.trip.final[0]), int(self.trip.view[0, self.length]), "the end"))
        return [*parts, self._grid(views)]

    def _message(self, t: int) -> str:
        instruction = html.escape(self.split.texts[int(self.trip.instruction[0, t])])
        departure = int(self.trip.departure[0, t])
        level = HEADINGS + int(self.trip.view[0, t + 1]) % HEADINGS
        picture = self._view(departure, level, "where to leave the route")
        return f"<blockquote><b>ANNA:</b> {instruction}{self._grid([picture])}</blockquote>"

    def _view(self, location: int, view: int, caption: str) -> str:
        if not self.atlas.views.has_panoramas:
            return ""
        file = f"{self.name}-{location}-{view}.jpg"
        if not (self.folder / file).exists():
            (self.folder / file).write_bytes(encode(self.atlas.views.render_view(location, view)))
        return f'<figure><img src="{file}" alt="{caption}"><figcaption>{caption}</figcaption></figure>'

    @staticmethod
    def _grid(views: list[str]) -> str:
        return f'<div class="views">{"".join(views)}</div>' if any(views) else ""
