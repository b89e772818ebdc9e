"""The page's own files."""

from pathlib import Path

STATIC = Path(__file__).parent / "static"
KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


def static_files() -> dict[str, bytes]:
    """The page's own files by name. They are all there is: a name never becomes a path."""
    return {
        path.relative_to(STATIC).as_posix(): path.read_bytes()
        for path in sorted(STATIC.rglob("*"))
        if path.suffix in KINDS
    }
