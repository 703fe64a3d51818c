"""The routes of opened files.

A page names its file in the header ``Standstill-File``; "" is the file of the command line.

The browser sends a file in parts, because a request has at most 1 MB.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...common.errors import EngineUseError, PgnError
from .. import fields
from ..answers import as_json
from .library import Library
from .shelf import MOST_BYTES, Shelf

Handler = Callable[[Request], Awaitable[Response]]

HEADER = "standstill-file"
_MOST_SENT = 4  # maximum number of files that pages are sending at the same time


def library_of(shelf: Shelf, request: Request) -> Library | None:
    """The games that the page of a request shows, if the page has a file."""
    return shelf.library(request.headers.get(HEADER, ""))


class Files:
    """Opens files and keeps copies of them."""

    def __init__(self, shelf: Shelf):
        self._shelf = shelf
        self._sent: dict[str, bytearray] = {}

    is_busy = False

    async def close(self) -> None:
        """Forget files that were not sent completely."""
        self._sent.clear()

    def routes(self, answered: Callable[[Handler], Handler]) -> list[Route]:
        acts = {"part": self.part, "open": self.open, "keep": self.keep, "remove": self.remove}
        return [
            Route("/api/files", answered(self.view)),
            Route("/api/files/content", answered(self.content)),
            *(Route(f"/api/files/{name}", answered(act), methods=["POST"]) for name, act in acts.items()),
        ]

    async def view(self, request: Request) -> Response:
        return as_json(await asyncio.to_thread(self._shelf.view, request.headers.get(HEADER, "")))

    async def content(self, request: Request) -> Response:
        """The whole file as it is stored."""
        library = await asyncio.to_thread(library_of, self._shelf, request)
        if library is None:
            raise PgnError("expected an opened file, found none")
        await asyncio.to_thread(library.refresh)
        return Response(library.content(), media_type="application/x-chess-pgn")

    async def part(self, request: Request) -> Response:
        """Take a part of a file. The first part has no key; the answer to it contains the key for the other parts."""
        data = fields.read(await request.body())
        part = fields.content(data, "data")
        key = fields.text(data, "key")
        if not key:
            while len(self._sent) >= _MOST_SENT:
                del self._sent[next(iter(self._sent))]
            key = secrets.token_hex(8)
            self._sent[key] = bytearray()
        sent = self._parts(key)
        if len(sent) + len(part) > MOST_BYTES:
            del self._sent[key]
            raise PgnError(f"expected at most {MOST_BYTES // 1_000_000} MB of games, found more")
        sent += part
        return as_json({"key": key})

    def _parts(self, key: str) -> bytearray:
        found = self._sent.get(key)
        if found is None:
            raise EngineUseError("too many files were opened at once: open this one again")
        return found

    async def open(self, request: Request) -> Response:
        """Open the games that were sent under ``part``, or in ``text``."""
        data = fields.read(await request.body())
        name = fields.text(data, "name") or "games.pgn"
        if key := fields.text(data, "part"):
            sent = bytes(self._parts(key))
            del self._sent[key]
        else:
            sent = fields.text(data, "text").encode("utf-8", "replace")
        return as_json(await asyncio.to_thread(self._shelf.open, name, sent))

    async def keep(self, request: Request) -> Response:
        """Add a game of the page Play, or an entered game, to the user's own file."""
        data = fields.read(await request.body())
        text = fields.text(data, "text").encode("utf-8", "replace")
        return as_json(await asyncio.to_thread(self._shelf.keep, text))

    async def remove(self, request: Request) -> Response:
        key = fields.text(fields.read(await request.body()), "key")
        await asyncio.to_thread(self._shelf.remove, key)
        return as_json({})
