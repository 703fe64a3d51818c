"""Events for the open pages of one game. A page that reads slowly gets the newest event of each kind."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator

MOST_LISTENERS = 16  # maximum number of open pages of one game
BEAT_S = 15.0  # interval between comments; sending a comment reveals a closed connection


class Channel:
    """Passes events to all open pages."""

    def __init__(self) -> None:
        self._listeners: list[_Listener] = []
        self.listened = asyncio.Event()  # this event is set while a page listens

    def tell(self, kind: str, event: object) -> None:
        """Send an event. The event replaces an unread event of the same kind."""
        text = json.dumps(event, separators=(",", ":"))
        for listener in self._listeners:
            listener.put(kind, text)

    @property
    def is_full(self) -> bool:
        return len(self._listeners) >= MOST_LISTENERS

    async def listen(self, kind: str, event: object) -> AsyncGenerator[str, None]:
        """Yield this event and all later ones, as lines of ``text/event-stream``."""
        listener = _Listener()
        listener.put(kind, json.dumps(event, separators=(",", ":")))
        self._listeners.append(listener)
        self.listened.set()
        try:
            while True:
                for found, text in await listener.take():
                    yield f"event: {found}\ndata: {text}\n\n"
        finally:
            self._listeners.remove(listener)
            if not self._listeners:
                self.listened.clear()


class _Listener:
    def __init__(self) -> None:
        self._news: dict[str, str] = {}
        self._ready = asyncio.Event()

    def put(self, kind: str, text: str) -> None:
        self._news.pop(kind, None)  # the newest last
        self._news[kind] = text
        self._ready.set()

    async def take(self) -> list[tuple[str, str]]:
        try:
            async with asyncio.timeout(BEAT_S):
                await self._ready.wait()
        except TimeoutError:
            return [("beat", "0")]
        self._ready.clear()
        news, self._news = list(self._news.items()), {}
        return news
