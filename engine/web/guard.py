"""Refuses requests that the application's own pages cannot have sent, before any other code sees them.

A web page of another site can make a browser send requests to this computer, and so can a program of another user.
Neither of them knows the token, which the address carries in its fragment: browsers never send a fragment.
"""

from __future__ import annotations

import asyncio
import hmac
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

HOST = "127.0.0.1"
MOST_BYTES = 1 << 20  # maximum size of a request's body
PATIENCE_S = 15.0  # maximum time to wait for the rest of a body
API = "/api/"

# No foreign sources, no inline code, and no script may turn text into markup.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
_HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)
# matches paths without ``..`` and without encoded characters
_PATH = re.compile(rb"(?:/[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*)*/?")


class Refused(Exception):
    """The request is refused. status: the HTTP status."""

    def __init__(self, status: int, text: str):
        super().__init__(text)
        self.status = status


class Guard:
    """An ASGI application that checks each request and passes valid ones on to another application."""

    def __init__(self, app: ASGIApp, port: int, token: str):
        self._app = app
        self._token = token.encode()
        # Any other host name belongs to a foreign page whose name leads to this computer (DNS rebinding).
        self._hosts = {f"{host}:{port}".encode() for host in (HOST, "localhost")}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return  # WebSocket and lifespan events are ignored
        answer = _Answer(send)
        try:
            self._check(scope)
            body = await _body(scope, receive)
            await self._app(scope, _replay(body, receive), answer.send)
        except Refused as refusal:
            await answer.refuse(refusal)

    def _check(self, scope: Scope) -> None:
        """Raise Refused unless one of the application's own pages can have sent the request."""
        headers: dict[bytes, list[bytes]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name, []).append(value)
        host = headers.get(b"host", [])
        if len(host) != 1 or host[0].lower() not in self._hosts:
            raise Refused(421, f"expected the host {HOST} and this server's port")
        if scope["method"] not in ("GET", "HEAD", "POST"):
            raise Refused(405, "expected GET or POST")
        if not _PATH.fullmatch(scope["raw_path"].partition(b"?")[0]):
            raise Refused(404, "there is no such page")
        if any(origin != b"http://" + host[0].lower() for origin in headers.get(b"origin", [])):
            raise Refused(403, "expected a request of this server's own pages")
        is_api = scope["path"].startswith(API)
        if is_api and any(site not in (b"same-origin", b"none") for site in headers.get(b"sec-fetch-site", [])):
            raise Refused(403, "expected a request of this server's own pages")
        given = headers.get(b"authorization", [])
        if is_api and not (len(given) == 1 and hmac.compare_digest(given[0], b"Bearer " + self._token)):
            raise Refused(401, "expected the token of the address that the program printed")
        if scope["method"] == "POST":
            _check_body(headers)


def _check_body(headers: dict[bytes, list[bytes]]) -> None:
    kind = headers.get(b"content-type", [b""])[0].partition(b";")[0].strip().lower()
    if kind != b"application/json":  # a form on a foreign page cannot send JSON with this content type
        raise Refused(415, "expected application/json")
    length = headers.get(b"content-length", [b"0"])[0]
    if length.isdigit() and (len(length) > 9 or int(length) > MOST_BYTES):
        raise Refused(413, f"expected at most {MOST_BYTES} bytes")


async def _body(scope: Scope, receive: Receive) -> bytes:
    """Return the whole body of a POST request. Raises Refused if the body is too long or arrives too slowly."""
    body = b""
    if scope["method"] != "POST":
        return body
    try:
        async with asyncio.timeout(PATIENCE_S):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise Refused(400, "the request ended early")
                body += bytes(message.get("body", b""))
                if len(body) > MOST_BYTES:
                    raise Refused(413, f"expected at most {MOST_BYTES} bytes")
                if not message.get("more_body", False):
                    return body
    except TimeoutError:
        raise Refused(408, f"expected the request within {PATIENCE_S:.0f} seconds") from None


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return a ``receive`` that yields the body that was read, and then the end of the connection."""
    pending: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return pending.pop() if pending else await receive()

    return again


class _Answer:
    """Adds the common headers to every response."""

    def __init__(self, send: Send):
        self._send = send
        self._begun = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._begun = True
            message["headers"] = [*message.get("headers", ()), *_HEADERS]
        await self._send(message)

    async def refuse(self, refusal: Refused) -> None:
        if self._begun:
            return
        text = f"{refusal}\n".encode()
        headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(text)).encode())]
        closing = [*headers, (b"connection", b"close")]  # the rest of the request is discarded
        await self.send({"type": "http.response.start", "status": refusal.status, "headers": closing})
        await self.send({"type": "http.response.body", "body": text})
