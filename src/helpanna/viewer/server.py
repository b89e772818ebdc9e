"""The page's server: static files of the package, and the library as JSON."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from fastapi import Depends, FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp

from helpanna.errors import InputError
from helpanna.viewer.annotate import Annotation
from helpanna.viewer.assist import Desk
from helpanna.viewer.export import page_of
from helpanna.viewer.files import KINDS, static_files
from helpanna.viewer.library import Library, NotThereError
from helpanna.viewer.live import Wish
from helpanna.viewer.people import add_annotate, add_assist, add_play
from helpanna.viewer.play import Games
from helpanna.viewer.safety import Guard


def make_app(library: Library, games: Games, token: str | None = None, agents: Sequence[str] = ()) -> ASGIApp:
    """The page as an ASGI application.

    Args:
        library: what it shows.
        games: of the people who play.
        token: what the browser must show; None where only this machine can reach it.
        agents: more agents that people can send, by name, besides the heuristics and those that come along.
    """
    app = FastAPI(title="helpanna", docs_url=None, redoc_url=None, openapi_url=None)
    files = static_files()

    @app.exception_handler(InputError)
    def bad_input(request: Request, error: InputError) -> JSONResponse:
        return JSONResponse({"error": str(error)}, 400)

    @app.exception_handler(RequestValidationError)
    def unreadable(request: Request, error: RequestValidationError) -> JSONResponse:
        return JSONResponse({"error": "That cannot be read."}, 422)  # and is not repeated

    @app.exception_handler(sqlite3.Error)
    def not_stored(request: Request, error: sqlite3.Error) -> JSONResponse:
        return JSONResponse({"error": f"This could not be stored ({error}); try again."}, 503)

    @app.exception_handler(NotThereError)
    def not_there(request: Request, error: NotThereError) -> JSONResponse:
        return JSONResponse({"error": "There is no such thing here."}, 404)

    @app.get("/")
    def index() -> Response:
        return _file(files, "index.html")

    @app.get("/static/{name:path}")
    def static(name: str) -> Response:
        return _file(files, name)

    @app.get("/api/contents")
    def contents() -> JSONResponse:
        return JSONResponse(library.contents())

    @app.get("/api/results/{result}/episodes")
    def episodes(result: int) -> JSONResponse:
        return JSONResponse(library.episodes(result))

    @app.get("/api/results/{result}/episodes/{task}")
    def episode(result: int, task: int) -> JSONResponse:
        return JSONResponse(library.episode(result, task))

    @app.get("/api/results/{result}/episodes/{task}/thoughts")
    def thoughts(result: int, task: int) -> JSONResponse:
        return JSONResponse(library.thoughts(result, task))

    @app.get("/api/results/{result}/episodes/{task}/film.gif")
    def gif(result: int, task: int) -> Response:
        return _saved(library.gif(result, task), "image/gif", f"task-{task}.gif")

    @app.get("/api/results/{result}/episodes/{task}/page.html")
    def page(result: int, task: int) -> Response:
        library.episode(result, task)  # or there is no such thing
        text = page_of(library, task)[0].encode(errors="replace")
        return _saved(text, "text/html; charset=utf-8", f"task-{task}.html")

    @app.get("/api/results/{result}/overview")
    def overview(result: int) -> JSONResponse:
        return JSONResponse(library.overview(result))

    @app.get("/api/results/{result}/calibration")
    def calibration(result: int) -> JSONResponse:
        return JSONResponse(library.calibration(result))

    @app.get("/api/results/{result}/heat/{building}")
    def heat(result: int, building: str) -> JSONResponse:
        return JSONResponse(library.heat(result, building))

    @app.get("/api/compare/{ours}/{theirs}")
    def compare(ours: int, theirs: int) -> JSONResponse:
        return JSONResponse(library.compare(ours, theirs))

    @app.get("/api/compare/{ours}/{theirs}/{task}")
    def parting(ours: int, theirs: int, task: int) -> JSONResponse:
        return JSONResponse(library.parting(ours, theirs, task))

    @app.get("/api/sources/{source}/plan/{building}")
    def plan(source: int, building: str) -> JSONResponse:
        return JSONResponse(library.plan(source, building))

    @app.get("/api/sources/{source}/around/{location}")
    def around(source: int, location: int) -> JSONResponse:
        return JSONResponse(library.around(source, location))

    @app.get("/api/sources/{source}/panorama/{location}")
    def panorama(source: int, location: int) -> Response:
        picture = library.panorama(source, location)
        return Response(picture, media_type="image/jpeg", headers={"Cache-Control": "private, max-age=3600"})

    _add_live(app, library)
    add_play(app, games)
    add_assist(app, Desk(games, agents))
    add_annotate(app, Annotation(games))
    return Guard(app, token)


def _add_live(app: FastAPI, library: Library) -> None:
    """Agents that act when somebody asks them to."""

    @app.get("/api/live")
    def choices() -> JSONResponse:
        return JSONResponse(library.live.choices())

    @app.get("/api/live/objects/{source}")
    def objects(source: int) -> JSONResponse:
        return JSONResponse(library.objects(source))

    @app.get("/api/live/episode")
    def episode(wish: Annotated[Wish, Depends()]) -> JSONResponse:
        return JSONResponse(library.act(wish))


def _saved(content: bytes, kind: str, name: str) -> Response:
    """A file that the browser saves."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=kind, headers=headers)


def _file(files: dict[str, bytes], name: str) -> Response:
    if name not in files:
        raise NotThereError
    return Response(files[name], media_type=KINDS[Path(name).suffix], headers={"Cache-Control": "no-cache"})
