"""Follows a source in a thread and passes the game on to the open pages, with a search of each new position."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from ...common.limits import Limits
from ...live.follower import FAULT, GOOD, Event, Follower
from ...live.forecasting import prepare
from ...play.session import Session
from ..answers import as_json, refusal
from ..channel import Channel
from ..thinking import Found, Thinker, line_view
from .page import LivePage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...live.game import LiveGame
    from ...variants.notation import Board

    Handler = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class _State:
    """A game as it was after a reading, because the thread that reads the source adds moves to it."""

    game: LiveGame
    board: Board
    moves: list[str]

    @classmethod
    def of(cls, game: LiveGame) -> _State:
        board = game.board.copy()
        board.notation = game.board.notation
        return cls(game, board, list(game.moves))


class Live:
    """The followed game on the server. A thread reads the source, so that a slow source does not delay the pages."""

    def __init__(self, follower: Follower, new_session: Callable[[], Session], search_ms: int):
        """search_ms: the time of the search that predicts the result of each position; 0 for no search."""
        self.channel = Channel()
        self._follower = follower
        self._page = LivePage(follower)
        self._new_session = new_session
        self._search_ms = search_ms
        self._view: dict[str, object] = self._page.view()
        self._line: dict[str, object] | None = None
        self._search: asyncio.Task[None] | None = None
        self._thinker: Thinker | None = None
        self._closing = threading.Event()

    # ---- the thread ----

    def start(self, fail: Callable[[BaseException], None]) -> None:
        """Start following.

        fail: a function that is called in the loop's thread with the error that ended the reading.
        """
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._run, args=(loop, fail), daemon=True).start()

    def _run(self, loop: asyncio.AbstractEventLoop, fail: Callable[[BaseException], None]) -> None:
        try:
            while not self._closing.wait(self._look(loop)) and not self._follower.is_over:
                pass
        except Exception as error:
            with contextlib.suppress(RuntimeError):  # the event loop is closed when the program ends
                loop.call_soon_threadsafe(fail, error)

    def _look(self, loop: asyncio.AbstractEventLoop) -> float:
        """Read the source once. Return the seconds until the next attempt."""
        began = time.monotonic()
        events = self._follower.step(began)
        if events:
            game = self._follower.game
            state = None if game is None else _State.of(game)
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(self._take, events, self._page.view(), state)
        return max(0.01, self._follower.source.every_s - (time.monotonic() - began))

    # ---- the loop ----

    def _take(self, events: list[Event], view: dict[str, object], state: _State | None) -> None:
        self._view = view
        has_moved = any(event.kind not in (FAULT, GOOD) for event in events)
        if has_moved:
            self._line = None
        self.channel.tell("live", {**view, "line": self._line})
        if has_moved and state is not None and self._search_ms:
            self._begin_search(state, is_over=view["end"] is not None)

    def _begin_search(self, state: _State, *, is_over: bool) -> None:
        before, self._search = self._search, None
        if before is not None:
            before.cancel()
        if not is_over:
            self._search = asyncio.create_task(self._forecast(state))

    async def _forecast(self, state: _State) -> None:
        if self._thinker is None:
            self._thinker = Thinker(await asyncio.to_thread(self._new_session))
        thinker = self._thinker
        game, board, moves = state.game, state.board, state.moves
        fen, terms = game.snapshot.fen, game.terms

        def tell(found: Found) -> None:
            line = line_view(board, found, thinker.session.settings["Relevance_x05"] / 100)
            if found.outlook is not None and found.outlook.forecast is not None:
                forecast = game.forecast(*found.outlook.forecast, found.outlook.promised)
                line["forecast"] = {**forecast, "text": forecast["record"]}
            self._line = line
            self.channel.tell("line", line)

        limits = Limits()
        limits.movetime_ms = self._search_ms
        variant, chess960 = game.snapshot.game, game.snapshot.chess960
        await thinker.search(lambda session: prepare(session, variant, fen, moves, terms, chess960), limits, tell)

    async def close(self) -> None:
        self._closing.set()
        if self._search is not None:
            self._search.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._search

    # ---- requests ----

    def routes(self, answered: Callable[[Handler], Handler], use: Callable[[], None]) -> list[Route]:
        """Return the routes.

        answered: a function that wraps a handler, as in ``StoredGames.routes``. use: a function that is called on each
        event.
        """

        async def show(request: Request) -> Response:
            return as_json({**self._view, "line": self._line})

        async def events(request: Request) -> Response:
            if self.channel.is_full:
                return refusal(409, "too many pages follow this game: close one")
            return StreamingResponse(self._stream(use), media_type="text/event-stream")

        return [Route("/api/live", answered(show)), Route("/api/live/events", answered(events))]

    async def _stream(self, use: Callable[[], None]) -> AsyncIterator[str]:
        first = {**self._view, "line": self._line}
        async with contextlib.aclosing(self.channel.listen("live", first)) as events:
            async for event in events:
                use()
                yield event
