"""What every request must keep to, and what every answer says to the browser.

Pages of other sites can make a browser send requests here. They are kept from reading (the policy and the
host's name) and from changing anything (posts must be JSON from our own page). Whoever is not on this machine
needs the token.
"""

import hmac
from dataclasses import dataclass
from urllib.parse import SplitResult, parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import JSONResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "helpanna_token"
LARGEST_BODY = 64 * 1024
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


@dataclass(frozen=True)
class Guard:
    """Stands before the page.

    Attributes:
        app: the page.
        token: what strangers must show; None where only this machine can reach the page.
    """

    app: ASGIApp
    token: str | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuses, or hands on and adds the headers."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await refusal(scope, receive, send_with_headers)
            return
        body = await _body(headers, receive) if scope["method"] == "POST" else b""
        if body is None:
            await _no("This is too large.", 413)(scope, receive, send_with_headers)
            return
        await self.app(scope, _replay(body, receive), send_with_headers)

    def _refusal(self, scope: Scope, headers: Headers) -> JSONResponse | RedirectResponse | None:
        host = headers.get("host", "")
        if self.token is None:
            # A foreign name that leads to this machine would make a foreign page "our own".
            if _parts(f"//{host}").hostname not in LOOPBACK:
                return _no("Open the page as http://127.0.0.1 or http://localhost.", 421)
        else:
            given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
            if scope["method"] == "GET" and scope["path"] == "/" and self._right(given):
                answer = RedirectResponse("/", 303)
                answer.set_cookie(COOKIE, self.token, httponly=True, samesite="strict")
                return answer
            bearer = headers.get("authorization", "").removeprefix("Bearer ")
            cookie = cookie_parser(headers.get("cookie", "")).get(COOKIE, "")
            if not self._right(bearer) and not self._right(cookie):
                return _no("Open the address that `helpanna view` printed: it has the token.", 401)
        if scope["method"] == "POST":
            origin = headers.get("origin")
            if origin is not None and _parts(origin).netloc != host:
                return _no("Only our own page may do that.", 403)
            if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
                return _no("Only our own page may do that.", 403)
            if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
                return _no("Send JSON.", 415)
        elif scope["method"] not in ("GET", "HEAD"):
            return _no("There is nothing to do that with.", 405)
        return None

    def _right(self, given: str) -> bool:
        return self.token is not None and hmac.compare_digest(given.encode(), self.token.encode())


def _parts(address: str) -> SplitResult:
    """The parts of an address; of what is none, empty ones."""
    try:
        return urlsplit(address)
    except ValueError:
        return urlsplit("")


def _no(why: str, status: int) -> JSONResponse:
    return JSONResponse({"error": why}, status)


async def _body(headers: Headers, receive: Receive) -> bytes | None:
    """What was sent; None if it is too large, whatever it says of its own size."""
    length = headers.get("content-length", "0")
    if not length.isdecimal() or int(length) > LARGEST_BODY:
        return None
    body = b""
    while True:
        message = await receive()
        body += message.get("body", b"")
        if len(body) > LARGEST_BODY:
            return None
        if not message.get("more_body", False):
            return body


def _replay(body: bytes, receive: Receive) -> Receive:
    sent = False

    async def again() -> Message:
        nonlocal sent
        if sent:
            return await receive()
        sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again
