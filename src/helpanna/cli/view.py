"""`helpanna view`: results as a page in the browser."""

import socket
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from secrets import token_urlsafe

from tyro.conf import Positional

from helpanna.cli.checks import PAGE, PLANS, check_installed, check_numbers
from helpanna.cli.console import say
from helpanna.errors import InputError
from helpanna.files import check_output

_PORTS = (0, 65_535)
_PATIENCE = (1, 86_400)
_EXPORTED = (".html", ".htm", ".gif")


@dataclass(frozen=True)
class View:
    """Opens a page: watch, compare, see where agents get lost, run agents; play, assist, annotate.

    For example: helpanna view run.jsonl
    or, to describe routes in your own buildings: helpanna view --worlds atlas
    """

    files: Positional[tuple[Path, ...]] = ()
    """The results: FILE.jsonl, as `helpanna evaluate` writes them (docs/trajectories.md)."""
    data: Path | None = None
    """The dataset folder; by default the one that each file names. Needed to play without a result."""
    worlds: tuple[Path, ...] = ()
    """Atlases without tasks: buildings to annotate routes in."""
    people: Path = Path("people")
    """The folder where all that people do is stored: people.sqlite, and finished games as
    human-SPLIT.jsonl."""
    patience: float = 300
    """How many seconds a request waits for the answer of a person who assists; then there is no answer."""
    agents: tuple[str, ...] = ()
    """More agents that can be run on the page and assisted by people, by name or folder, besides the
    heuristics, those that come with the package, and (to be run) those that made the results."""
    host: str = "127.0.0.1"
    """The address to listen at. Any other than this machine's own asks visitors for a token, which is part of
    the address that is printed."""
    port: int = 8000
    """The port; 0 for any free one."""
    no_browser: bool = False
    """Only print the address."""
    task: int | None = None
    """Begin with the episode of this task; with --export, only this episode."""
    at: str = ""
    """Begin at this place of the page: what stands after # in the address, for example /overview/0."""
    export: Path | None = None
    """Write a file in place of serving the page: PAGE.html, one HTML file with everything inside; or
    FILM.gif, the episode of --task as a moving picture."""

    def run(self) -> None:
        """Serves until Ctrl-C."""
        check_numbers(self, port=_PORTS, patience=_PATIENCE)
        check_installed("the page", PAGE if self.export is None else PLANS)
        if not self.files and self.data is None and not self.worlds:
            raise InputError(
                "name a result file to watch, a dataset to play in (--data DATASET), or buildings to "
                "annotate (--worlds ATLAS)."
            )
        if self.export is not None:
            check_output(self.export)
            self._export(self.export)
        else:
            self._serve()

    def _export(self, out: Path) -> None:
        from helpanna.viewer.export import export_gif, export_page
        from helpanna.viewer.library import Library

        if out.suffix.lower() not in _EXPORTED:
            raise InputError(f"{out} must be a page (PAGE.html) or a film (FILM.gif); name it so.")
        moving = out.suffix.lower() == ".gif"
        if moving and self.task is None:
            raise InputError(f"{out} shows one episode; say which with --task.")
        library = Library(self.files, self.data, agents=self.agents)
        if moving and self.task is not None:
            export_gif(library, out, self.task)
            say(f"Wrote {out} ({out.stat().st_size / 1e6:.1f} MB).")
            return
        pictures = export_page(library, out, self.task)
        say(f"Wrote {out} ({out.stat().st_size / 1e6:.1f} MB, {'with' if pictures else 'without'} pictures).")

    def _serve(self) -> None:
        import uvicorn

        from helpanna.viewer.library import Library
        from helpanna.viewer.play import Games
        from helpanna.viewer.safety import LOOPBACK
        from helpanna.viewer.server import make_app

        library = Library(self.files, self.data, self.worlds, self.agents)
        games = Games(library, self.people, self.patience)
        token = None if self.host in LOOPBACK else token_urlsafe(24)
        app = make_app(library, games, token, self.agents)
        with closing(games.store), self._socket() as listener:
            port = listener.getsockname()[1]
            host = f"[{self.host}]" if ":" in self.host else self.host
            address = f"http://{host}:{port}/" + (f"?token={token}" if token else "")
            say(f"The page is at {address} until Ctrl-C.")
            if not self.no_browser:
                _open_browser(address + self._beginning())
            config = uvicorn.Config(app, log_level="warning", server_header=False, access_log=False)
            uvicorn.Server(config).run(sockets=[listener])

    def _beginning(self) -> str:
        """The part of the address that says where to begin."""
        if self.at:
            return f"#/{self.at.lstrip('#/')}"
        return "" if self.task is None else f"#/watch/0/{self.task}/0"

    def _socket(self) -> socket.socket:
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((self.host, self.port))
        except (OSError, UnicodeError) as error:
            listener.close()
            raise InputError(
                f"{self.host} port {self.port} cannot be used ({error}); choose another --port or --host."
            ) from None
        return listener


def _open_browser(address: str) -> None:
    """Opens the page once the server answers."""
    import threading
    import webbrowser

    timer = threading.Timer(1.0, webbrowser.open, [address])
    timer.daemon = True
    timer.start()
