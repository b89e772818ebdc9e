"""A page that tells episodes in pictures: the plan with the way taken, what was seen, what ANNA said."""

import html
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from helpanna.episodes.texts import OWN_WORDS
from helpanna.episodes.trajectory import NO_ANSWER, NO_TARGET, Trajectories
from helpanna.files import atomic_file
from helpanna.tasks.routes import NO_ROUTE
from helpanna.tasks.split import Split
from helpanna.worlds.geometry import HEADINGS
from helpanna.worlds.panoramas import encode
from helpanna.worlds.plan import draw_plan

FOLD = 4
"""From this number on, steps back and forth between two places are folded into one line."""

STYLE = """
body { font: 16px/1.5 sans-serif; color: #222; max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.6rem }
h2 { font-size: 1.25rem; margin-top: 3rem; border-top: 1px solid #ddd; padding-top: 1.5rem }
p { max-width: 46rem }
table { border-collapse: collapse; margin: 1rem 0 }
td, th { padding: .25rem .8rem; text-align: right; border-bottom: 1px solid #eee; vertical-align: top }
td.words, th.words { text-align: left }
.number { white-space: nowrap }
img { max-width: 100%; border-radius: 4px }
.plan { border: 1px solid #eee; max-height: 80vh }
.views { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: .8rem }
.views { margin-top: 1rem }
figure { margin: 0 }
figcaption { font-size: .85rem; color: #555 }
blockquote { margin: 1rem 0; padding: .6rem 1rem; background: #fdf3e1; border-left: 4px solid #c88a2d }
.fold { align-self: center; text-align: center; color: #555 }
.good { color: #1a7a3c }
.bad { color: #b3261e }
"""


def write_story(
    folder: Path,
    title: str,
    split: Split,
    trajectories: Trajectories,
    episodes: Sequence[int],
    top: Sequence[str] = (),
) -> Path:
    """Writes `index.html` and its pictures into a folder; pictures of an earlier page there are removed.

    Args:
        folder: where to write.
        title: the page's heading.
        split: the tasks.
        trajectories: what happened.
        episodes: which of them to tell.
        top: what stands above the episodes: see `paragraph` and `table`.
    """
    stories = [
        _Story(folder, split, trajectories, episode, f"episode{number}")
        for number, episode in enumerate(episodes)
    ]
    told = [story.tell() for story in stories]
    page = (
        f'<!doctype html>\n<html lang="en"><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width"><title>{html.escape(title)}</title>'
        f"<style>{STYLE}</style>\n<h1>{html.escape(title)}</h1>\n" + "\n".join([*top, *told]) + "\n</html>\n"
    )
    path = folder / "index.html"
    with atomic_file(path) as temporary:
        temporary.write_text(page, encoding="utf-8")
    written = {name for story in stories for name in story.written}
    for picture in (*folder.glob("episode*-*.jpg"), *folder.glob("episode*-plan.svg")):
        if picture.name not in written:
            picture.unlink()
    return path


def tell_episodes(
    folder: Path, split: Split, trajectories: Trajectories, episodes: Sequence[int]
) -> list[str]:
    """Episodes as parts of a page; their pictures are written into a folder."""
    return [
        _Story(folder, split, trajectories, episode, f"episode{number}").tell()
        for number, episode in enumerate(episodes)
    ]


def paragraph(text: str) -> str:
    """A paragraph of the page."""
    return f"<p>{html.escape(text)}</p>"


def table(header: Sequence[str], rows: Sequence[Sequence[str]], words: int = 1) -> str:
    """A table of the page; the first columns, `words` of them, hold words, the others numbers."""

    def line(tag: str, cells: Sequence[str]) -> str:
        return "".join(
            f'<{tag} class="{"words" if i < words else "number"}">{html.escape(cell)}</{tag}>'
            for i, cell in enumerate(cells)
        )

    body = "".join(f"<tr>{line('td', row)}</tr>" for row in rows)
    return f"<table><tr>{line('th', header)}</tr>{body}</table>"


class _Story:
    """One episode as HTML; its pictures are written beside the page.

    Attributes:
        written: the names of the pictures.
    """

    def __init__(
        self, folder: Path, split: Split, trajectories: Trajectories, episode: int, name: str
    ) -> None:
        self.folder, self.split, self.name = folder, split, name
        self.trip = trajectories.select(np.array([episode]))
        self.task = int(self.trip.task[0])
        self.length = int(self.trip.length[0])
        self.atlas = split.atlas
        self.world = int(self.atlas.world_of[self.trip.location[0, 0]])
        self.goal_set = int(split.goal_set[self.task])
        self.written: set[str] = set()

    def tell(self) -> str:
        """Draws the pictures and returns the text around them."""
        left = float(self.split.goal_sets.distance_from(self.goal_set, int(self.trip.final[0])))
        found = left <= self.split.kind.success_metres
        asked = int(self.trip.asked[0].sum())
        stopped = not self.trip.asked[0, self.length - 1] and self.trip.action[0, self.length - 1] == 0
        verdict = (
            "found it" if found else f"{'stopped' if stopped else 'was'} {left:.1f} m from the nearest one"
        )
        request = html.escape(self.split.texts[self.split.request[self.task]])
        times = {0: "It never asked", 1: "It asked once"}.get(asked, f"It asked {asked} times")
        ending = "stopped by itself" if stopped else "ran out of time"
        metres = float(self.trip.metres[0])
        return "\n".join(
            [
                f"<h2>“{request}” in {html.escape(self.atlas.world_names[self.world])}: "
                f'<span class="{"good" if found else "bad"}">{verdict}</span></h2>',
                f"<p>{times}, walked {metres:.1f} m in {self.length} steps and {ending}.</p>",
                self._plan(),
                *self._steps(),
            ]
        )

    def _plan(self) -> str:
        first = self.atlas.locations(self.world).start
        walk = [int(v) - first for v in self.trip.location[0, : self.length + 1]]
        kept = [v for i, v in enumerate(walk) if i == 0 or v != walk[i - 1]]
        asked = sorted({walk[t] for t in np.flatnonzero(self.trip.asked[0])})
        goals = [int(v) - first for v in self.split.goal_sets.members[self.goal_set]]
        file = f"{self.name}-plan.svg"
        draw_plan(
            self.atlas.world(self.world),
            self.folder / file,
            [("the way taken, from the ring on", kept)],
            [
                ("goal", "what is sought can be seen from here", goals),
                ("request", "help was requested", asked),
                ("end", "the end", walk[-1:]),
            ],
            self.atlas.outlines.get(self.atlas.world_names[self.world]),
        )
        self.written.add(file)
        return f'<div><img class="plan" src="{file}" alt="the floor plan with the way taken"></div>'

    def _steps(self) -> list[str]:
        """What was seen and said, in turn."""
        parts, views = [], []
        folded = 0
        for t in range(self.length):
            if self._back_and_forth(t):
                folded += 1
            else:
                views += self._unfold(t, folded)
                folded = 0
                views.append(self._step(t))
            if self.trip.asked[0, t]:
                parts += [self._grid(views), self._message(t)]
                views = []
        views += self._unfold(self.length, folded)
        views.append(self._view(int(self.trip.final[0]), int(self.trip.view[0, self.length]), "the end"))
        return [*parts, self._grid(views)]

    def _back_and_forth(self, t: int) -> bool:
        """Whether step t is one of many in which the agent only returns to where it was two steps ago."""
        location, segment = self.trip.location[0], self.trip.segment[0]
        quiet = not self.trip.asked[0, t] and t >= 2 and segment[t] == segment[t - 2]
        return bool(quiet and location[t] == location[t - 2] and location[t] != location[t - 1])

    def _unfold(self, t: int, folded: int) -> list[str]:
        """What stands for the steps back and forth before step t: one line for many, else the steps."""
        if folded < FOLD:
            return [self._step(s) for s in range(t - folded, t)]
        if not self.atlas.views.has_panoramas:
            return []
        return [f'<div class="fold">… {folded} more steps back and forth between two places …</div>']

    def _step(self, t: int) -> str:
        return self._view(int(self.trip.location[0, t]), int(self.trip.view[0, t]), f"step {t + 1}")

    def _message(self, t: int) -> str:
        text, departure = int(self.trip.instruction[0, t]), int(self.trip.departure[0, t])
        if text == NO_ANSWER:
            return "<blockquote>No answer.</blockquote>"
        level = HEADINGS + int(self.trip.view[0, t + 1]) % HEADINGS
        named = int(self.trip.route[0, t]) != NO_ROUTE
        caption = "where to leave the route" if named else "where to go"
        pictures = [self._view(departure, level, caption)] if departure != NO_TARGET else []
        speaker = "ANNA" if named and text < OWN_WORDS else "Assistant"
        words = html.escape(self.trip.words(self.split, text))
        return f"<blockquote><b>{speaker}:</b> {words}{self._grid(pictures)}</blockquote>"

    def _view(self, location: int, view: int, caption: str) -> str:
        if not self.atlas.views.has_panoramas:
            return ""
        file = f"{self.name}-{location}-{view}.jpg"
        if file not in self.written:  # never one of an earlier page, which may show another house
            with atomic_file(self.folder / file) as temporary:
                temporary.write_bytes(encode(self.atlas.views.render_view(location, view)))
            self.written.add(file)
        return f'<figure><img src="{file}" alt="{caption}"><figcaption>{caption}</figcaption></figure>'

    @staticmethod
    def _grid(views: list[str]) -> str:
        return f'<div class="views">{"".join(views)}</div>' if any(views) else ""
