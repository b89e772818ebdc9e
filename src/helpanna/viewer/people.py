"""What people may do on the page, as addresses: play, assist, annotate, follow."""

from typing import Annotated, Literal

from fastapi import FastAPI
from pydantic import BaseModel, Field
from starlette.responses import JSONResponse, Response

from helpanna.viewer.annotate import LONGEST_PATH, Annotation, How, System
from helpanna.viewer.assist import LONGEST_TEXT, Desk
from helpanna.viewer.play import Games
from helpanna.viewer.route_file import route_records

_Name = Annotated[str, Field(max_length=200)]
_Text = Annotated[str, Field(max_length=4 * LONGEST_TEXT)]
_Places = Annotated[list[int], Field(max_length=LONGEST_PATH)]


class _Begin(BaseModel):
    source: int
    task: int | None = None
    by_person: bool = False


class _Act(BaseModel):
    step: int
    ask: bool = False
    action: int = 0


class _Send(BaseModel):
    source: int
    agent: _Name
    task: int | None = None


class _Answer(BaseModel):
    step: int
    assistant: _Name
    words: _Text
    picture: int | None = None


class _Building(BaseModel):
    source: int
    building: _Name


class _Next(_Building):
    how: System
    guide: _Name


class _Path(_Building):
    path: _Places


class _Draft(_Path):
    text: _Text


class _Written(_Draft):
    how: How
    guide: _Name


class _Follow(BaseModel):
    source: int
    follower: _Name


def add_play(app: FastAPI, games: Games) -> None:
    """People as agents."""

    @app.post("/api/play")
    def begin(what: _Begin) -> JSONResponse:
        return JSONResponse({"game": games.begin(what.source, what.task, what.by_person).name})

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


def add_assist(app: FastAPI, desk: Desk) -> None:
    """People as assistants."""

    @app.get("/api/assist")
    def requests() -> JSONResponse:
        return JSONResponse({"requests": desk.requests(), "agents": list(desk.agents)})

    @app.post("/api/assist")
    def send(what: _Send) -> JSONResponse:
        return JSONResponse({"desk": desk.send(what.source, what.task, what.agent)})

    @app.get("/api/assist/{name}")
    def look(name: str) -> JSONResponse:
        return JSONResponse(desk.look(name))

    @app.post("/api/assist/{name}")
    def answer(name: str, what: _Answer) -> JSONResponse:
        return JSONResponse(desk.answer(name, what.step, what.assistant, what.words, what.picture))


def add_annotate(app: FastAPI, annotation: Annotation) -> None:
    """People as guides and followers."""

    @app.get("/api/annotate/{source}")
    def buildings(source: int) -> JSONResponse:
        return JSONResponse(annotation.buildings(source))

    @app.post("/api/annotate/next")
    def next_route(what: _Next) -> JSONResponse:
        return JSONResponse(annotation.next_route(what.source, what.building, what.how, what.guide))

    @app.post("/api/annotate/drawn")
    def drawn(what: _Path) -> JSONResponse:
        return JSONResponse(annotation.drawn(what.source, what.building, what.path))

    @app.post("/api/annotate/walk")
    def walk(what: _Path) -> JSONResponse:
        return JSONResponse(annotation.walk(what.source, what.building, what.path))

    @app.post("/api/annotate/advice")
    def advice(what: _Draft) -> JSONResponse:
        return JSONResponse(annotation.advice(what.source, what.building, what.path, what.text))

    @app.post("/api/annotate")
    def write(what: _Written) -> JSONResponse:
        number = annotation.write(what.source, what.building, what.path, what.how, what.guide, what.text)
        return JSONResponse({"id": number})

    @app.post("/api/follow")
    def follow(what: _Follow) -> JSONResponse:
        return JSONResponse({"game": annotation.follow(what.source, what.follower).name})

    @app.get("/api/routes.json")
    def routes(quality: Annotated[float | None, Field(ge=0, le=1)] = None) -> JSONResponse:
        name = {"Content-Disposition": 'attachment; filename="routes.json"'}
        return JSONResponse(route_records(annotation.store.instructions(), quality), headers=name)
