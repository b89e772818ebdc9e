"""The page's server: static files of the package, and the library as JSON."""

from pathlib import Path
from typing import Literal

from fastapi import FastAPI
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp

from helpanna.errors import InputError
from helpanna.viewer.files import KINDS, static_files
from helpanna.viewer.library import Library, NotThereError
from helpanna.viewer.play import Games
from helpanna.viewer.safety import Guard


class _Begin(BaseModel):
    source: int
    task: int | None = None


class _Act(BaseModel):
    step: int
    ask: bool = False
    action: int = 0


def make_app(library: Library, games: Games, token: str | None = None) -> ASGIApp:
    """The page as an ASGI application.

    Args:
        library: what it shows.
        games: of the people who play.
        token: what the browser must show; None where only this machine can reach it.
    """
    app = FastAPI(title="helpanna", docs_url=None, redoc_url=None, openapi_url=None)
    files = static_files()

    @app.exception_handler(InputError)
    def bad_input(request: Request, error: InputError) -> JSONResponse:
        return JSONResponse({"error": str(error)}, 400)

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

    @app.get("/api/results/{result}/overview")
    def overview(result: int) -> JSONResponse:
        return JSONResponse(library.overview(result))

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

    _add_games(app, games)
    return Guard(app, token)


def _add_games(app: FastAPI, games: Games) -> None:
    @app.post("/api/play")
    def begin(what: _Begin) -> JSONResponse:
        return JSONResponse({"game": games.begin(what.source, what.task)})

    @app.get("/api/play/{game}")
    def state(game: str) -> JSONResponse:
        return JSONResponse(games.state(game))

    @app.post("/api/play/{game}")
    def act(game: str, what: _Act) -> JSONResponse:
        return JSONResponse(games.act(game, what.step, what.ask, what.action))

    @app.get("/api/play/{game}/around/{what}")
    def around(game: str, what: Literal["here", "target"]) -> JSONResponse:
        return JSONResponse(games.around(game, what == "target"))

    @app.get("/api/play/{game}/panorama/{what}")
    def panorama(game: str, what: Literal["here", "target"]) -> Response:
        return Response(games.panorama(game, what == "target"), media_type="image/jpeg")


def _file(files: dict[str, bytes], name: str) -> Response:
    if name not in files:
        raise NotThereError
    return Response(files[name], media_type=KINDS[Path(name).suffix], headers={"Cache-Control": "no-cache"})
