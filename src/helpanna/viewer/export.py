"""The page as one HTML file, with its data and pictures inside: to send, to put on the web, to keep.

The modules stand in the file as text and become addresses of their own when it is opened; the page then asks
`stored` for what it would ask the server.
"""

import base64
import hashlib
import json
import re
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path
from typing import Any

from helpanna.errors import InputError
from helpanna.files import atomic_file
from helpanna.viewer.files import static_files
from helpanna.viewer.library import Library

MOST_EPISODES = 500
MOST_PICTURES = 48 * 2**20
"""Bytes of pictures in a page; where there are more, panoramas are drawn."""

_NOTHING = "no open result has such an episode with its dataset at hand; name others."
_START = """
const sources = JSON.parse(document.getElementById("modules").textContent);
const addresses = {};
for (const [name, source] of sources) {
  const text = source.replace(/from "\\.\\/([^"]+)"/g, (whole, other) => `from "${addresses[other]}"`);
  addresses[name] = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
}
import(addresses["main.js"]);
"""


def export_page(library: Library, out: Path, task: int | None = None) -> bool:
    """Writes the page of a library, see `page_of`.

    Returns:
        whether photographs are in it; False where there are none, or too many.
    """
    page, pictures = page_of(library, task)
    with atomic_file(out) as temporary:
        temporary.write_text(page, encoding="utf-8", errors="replace")  # names of files
    return pictures


def export_gif(library: Library, out: Path, task: int) -> None:
    """Writes the film of a task as a GIF file: of the first result that has it."""
    for number, result in enumerate(library.results):
        if task in result and result.source is not None:
            gif = library.gif(number, task)
            with atomic_file(out) as temporary:
                temporary.write_bytes(gif)
            return
    raise InputError(_NOTHING)


def page_of(library: Library, task: int | None = None) -> tuple[str, bool]:
    """One HTML file with all episodes, or the one of a task in each result; and whether it has photographs.

    Raises:
        InputError: there is nothing to show, or too much.
    """
    tasks = [
        [t for t in result.column("task") if task in (None, t)] if result.source is not None else []
        for result in library.results
    ]
    count = sum(map(len, tasks))
    if not count:
        raise InputError(_NOTHING)
    if count > MOST_EPISODES:
        raise InputError(
            f"{count:,} episodes are more than the {MOST_EPISODES} that a page holds; choose one with --task."
        )
    data, pictures = _collect(library, tasks)
    if task is None:
        pages = ["watch", "overview", *(["compare"] if len(library.results) > 1 else [])]
        data |= _figures(library)
    else:
        pages = ["watch"]
    stored = {"pages": pages, "data": data, "pictures": pictures}
    return _page(stored), bool(pictures)


def _collect(library: Library, tasks: list[list[int]]) -> tuple[dict[str, Any], dict[str, str]]:
    """What the films ask for: answers and pictures by address."""
    data: dict[str, Any] = {"/api/contents": library.contents()}
    places: set[tuple[int, int]] = set()
    for r, chosen in enumerate(tasks):
        table, kept = library.episodes(r), set(chosen)
        rows = [i for i, task in enumerate(table["task"]) if task in kept]
        data[f"/api/results/{r}/episodes"] = {
            name: [column[i] for i in rows] for name, column in table.items()
        }
        source = library.source_of(r)
        if source is None:
            continue
        for task, thoughts in library.live.all_thoughts(r, chosen).items():
            data[f"/api/results/{r}/episodes/{task}/thoughts"] = thoughts
        for task in chosen:
            episode = library.episode(r, task)
            plan = library.plan(source, episode["world"])
            data[f"/api/results/{r}/episodes/{task}"] = episode
            data[f"/api/sources/{source}/plan/{_encoded(episode['world'])}"] = plan
            shown = [step["answer"]["departure"] for step in episode["steps"] if step["answer"]]
            seen = {*episode["places"], *(place for place in shown if place is not None)}
            places |= {(source, plan["first"] + place) for place in seen}
    pictures = _pictures(library, places)
    for source, place in places:
        if f"/api/sources/{source}/panorama/{place}" not in pictures:
            data[f"/api/sources/{source}/around/{place}"] = library.around(source, place)
    return data, pictures


def _pictures(library: Library, places: Iterable[tuple[int, int]]) -> dict[str, str]:
    found: dict[str, str] = {}
    total = 0
    for source, place in sorted(places):
        if library.source(source).split.atlas.views.has_panoramas:
            picture = library.panorama(source, place)
            total += len(picture)
            if total > MOST_PICTURES:
                return {}
            text = base64.b64encode(picture).decode()
            found[f"/api/sources/{source}/panorama/{place}"] = f"data:image/jpeg;base64,{text}"
    return found


def _figures(library: Library) -> dict[str, Any]:
    """What Overview and Compare ask for."""
    data: dict[str, Any] = {}
    for r, result in enumerate(library.results):
        data[f"/api/results/{r}/overview"] = library.overview(r)
        source = library.source_of(r)
        if source is None:
            continue
        data[f"/api/results/{r}/calibration"] = library.calibration(r)
        for building in set(result.column("building")):
            name = _encoded(building)
            data[f"/api/results/{r}/heat/{name}"] = library.heat(r, building)
            data[f"/api/sources/{source}/plan/{name}"] = library.plan(source, building)
    for pair in combinations(range(len(library.results)), 2):
        for a, b in (pair, pair[::-1]):
            try:
                data[f"/api/compare/{a}/{b}"] = library.compare(a, b)
            except InputError:
                continue  # of different splits: the page says that it is not there
    return data


def _encoded(name: str) -> str:
    """As the browser's `encodeURIComponent` has it."""
    from urllib.parse import quote

    return quote(name, safe="!*'()~")


def _page(stored: dict[str, Any]) -> str:
    files = {name: content.decode() for name, content in static_files().items()}
    style = files["style.css"]
    policy = (
        f"default-src 'none'; script-src {_hash(_START)} blob:; style-src {_hash(style)}; img-src data: blob:"
    )
    head = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f"<title>helpanna</title>\n<style>{style}</style>\n</head>\n"
    )
    body = (
        '<body>\n<header id="top"></header>\n<main id="main" tabindex="-1"></main>\n'
        f'<script type="application/json" id="stored">{_json(stored)}</script>\n'
        f'<script type="application/json" id="modules">{_json(_modules(files))}</script>\n'
        f'<script type="module">{_START}</script>\n</body>\n</html>\n'
    )
    return head + body


def _modules(files: dict[str, str]) -> list[tuple[str, str]]:
    """The modules of the page, each after those that it imports."""
    ordered: dict[str, str] = {}

    def visit(name: str) -> None:
        for other in re.findall(r'from "\./([^"]+)"', files[name]):
            if other not in ordered:
                visit(other)
        ordered.setdefault(name, files[name])

    visit("main.js")
    return list(ordered.items())


def _json(value: Any) -> str:
    """JSON that can stand in a page: no text in it can end the script that holds it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
