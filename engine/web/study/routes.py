"""The addresses of the page Study, and its live analysis."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, Callable

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from ...common.errors import EngineUseError, PgnError
from ...common.limits import Limits
from ...play.session import Session
from ...variants.variant import CHESS
from .. import fields
from ..answers import as_json
from ..room import Room
from ..setup import Setup, read_setup
from ..thinking import Found, Thinker, line_view
from .library import Library
from .score import study

MOST_ANALYSES = 4  # at a time
MOST_LINES = 5
LONGEST_MS = 600_000
_HASH_MB = 32


class Desk:
    """What the page Study asks for."""

    def __init__(self, new_session: Callable[[], Session], path: str, definitions: str):
        """path: the file of games, or "". definitions: the user's file of variants, or ""."""
        self._new_session = new_session
        self._library = Library(path) if path else None
        self._definitions = definitions
        self._running = 0

    async def list(self, request: Request) -> Response:
        if self._library is None:
            return as_json({"file": None, "total": 0, "found": 0, "games": []})
        await asyncio.to_thread(self._library.refresh)
        start = request.query_params.get("from", "0")
        return as_json(self._library.find(request.query_params.get("text", ""), int(start) if start.isdecimal() else 0))

    async def game(self, request: Request) -> Response:
        if self._library is None:
            raise PgnError("expected a file of games: start `standstill study GAMES.pgn`")
        await asyncio.to_thread(self._library.refresh)
        number = int(request.path_params["number"])
        return as_json(await asyncio.to_thread(study, number, self._library.game(number)))

    @staticmethod
    async def of_room(room: Room) -> Response:
        from ..pgn import game_pgn

        return as_json(await asyncio.to_thread(study, 1, game_pgn(room).encode()))

    async def analyse(self, request: Request) -> Response:
        """A stream of lines about a position, until the page closes it."""
        data = fields.read(await request.body())
        setup, lines = read_setup(data, self._definitions), fields.whole(data, "lines", 1, MOST_LINES) or 1
        session = self._session(setup, lines)
        session.position(setup.fen, list(setup.moves), whole=True)  # refuses what cannot be analysed
        if self._running >= MOST_ANALYSES:
            raise EngineUseError("expected fewer analyses at a time")
        return StreamingResponse(self._stream(session, setup), media_type="text/event-stream")

    def _session(self, setup: Setup, lines: int) -> Session:
        session = self._new_session()
        if setup.game is not CHESS:
            session.play_game(setup.game)
        options = {"Hash": _HASH_MB, "MultiPV": lines, "UCI_Chess960": setup.chess960, "UCI_AnalyseMode": True}
        for name, value in options.items():
            session.set_option(name, str(value).lower())
        return session

    async def _stream(self, session: Session, setup: Setup) -> AsyncGenerator[str, None]:
        news: asyncio.Queue[Found | None] = asyncio.Queue()
        limits, thinker = Limits(), Thinker(session)
        limits.movetime_ms = LONGEST_MS
        x05, board = session.settings["Relevance_x05"] / 100, session.board.copy()
        board.notation = session.board.notation
        self._running += 1
        search = asyncio.create_task(thinker.search(lambda _: None, limits, news.put_nowait))
        search.add_done_callback(lambda _: news.put_nowait(None))
        try:
            while (found := await news.get()) is not None:
                yield f"event: line\ndata: {json.dumps(line_view(board, found, x05), separators=(',', ':'))}\n\n"
        finally:
            self._running -= 1
            search.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await search
