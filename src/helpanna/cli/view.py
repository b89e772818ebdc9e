"""`helpanna view`: results as a page in the browser."""

import socket
from dataclasses import dataclass
from pathlib import Path
from secrets import token_urlsafe

from tyro.conf import Positional

from helpanna.cli.checks import PAGE, PLANS, check_installed, check_numbers
from helpanna.cli.console import say
from helpanna.errors import InputError
from helpanna.files import check_output

_PORTS = (0, 65_535)


@dataclass(frozen=True)
class View:
    """Opens result files as a page: watch episodes, compare results, see where agents get lost, play.

    For example: helpanna view run.jsonl
    """

    files: Positional[tuple[Path, ...]] = ()
    """The results: FILE.jsonl, as `helpanna evaluate` writes them (docs/trajectories.md)."""
    data: Path | None = None
    """The dataset folder; by default the one that each file names. Needed to play without a result."""
    people: Path = Path("people")
    """The folder where finished games of people are stored, as human-SPLIT.jsonl."""
    host: str = "127.0.0.1"
    """The address to listen at. Any other than this machine's own asks visitors for a token, which is part of
    the address that is printed."""
    port: int = 8000
    """The port; 0 for any free one."""
    no_browser: bool = False
    """Only print the address."""
    task: int | None = None
    """Begin with the episode of this task; with --export, only this episode."""
    export: Path | None = None
    """Write the page into one HTML file with everything inside, PAGE.html, in place of serving it."""

    def run(self) -> None:
        """Serves until Ctrl-C."""
        check_numbers(self, port=_PORTS)
        check_installed("the page", PAGE if self.export is None else PLANS)
        if not self.files and self.data is None:
            raise InputError("name a result file to watch, or a dataset to play in: --data DATASET.")
        if self.export is not None:
            check_output(self.export)
            self._export(self.export)
        else:
            self._serve()

    def _export(self, out: Path) -> None:
        from helpanna.viewer.export import export_page
        from helpanna.viewer.library import Library

        pictures = export_page(Library(self.files, self.data), out, self.task)
        say(f"Wrote {out} ({out.stat().st_size / 1e6:.1f} MB, {'with' if pictures else 'without'} pictures).")

    def _serve(self) -> None:
        import uvicorn

        from helpanna.viewer.library import Library
        from helpanna.viewer.play import Games
        from helpanna.viewer.safety import LOOPBACK
        from helpanna.viewer.server import make_app

        library = Library(self.files, self.data)
        token = None if self.host in LOOPBACK else token_urlsafe(24)
        app = make_app(library, Games(library, self.people), token)
        with self._socket() as listener:
            port = listener.getsockname()[1]
            host = f"[{self.host}]" if ":" in self.host else self.host
            address = f"http://{host}:{port}/" + (f"?token={token}" if token else "")
            say(f"The page is at {address} until Ctrl-C.")
            if not self.no_browser:
                _open_browser(address + (f"#/watch/0/{self.task}/0" if self.task is not None else ""))
            config = uvicorn.Config(app, log_level="warning", server_header=False, access_log=False)
            uvicorn.Server(config).run(sockets=[listener])

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
