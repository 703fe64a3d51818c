"""The games of one run of the server."""

from __future__ import annotations

import time
from collections.abc import Callable

from ..play.session import Session
from .room import Room
from .setup import Setup

MOST_ROOMS = 12  # each has two searches with a hash table


class Hall:
    """The games that the pages have begun. The one that was longest unused makes room for a new one."""

    def __init__(self, new_session: Callable[[], Session]):
        self._new_session = new_session
        self._rooms: dict[str, Room] = {}

    async def open(self, setup: Setup) -> Room:
        """Begin a game. Raises the errors of ``Room``."""
        room = Room(setup, self._new_session)
        while len(self._rooms) >= MOST_ROOMS:
            oldest = min(self._rooms.values(), key=lambda each: (each.channel.someone.is_set(), each.used))
            del self._rooms[oldest.id]
            await oldest.close()
        self._rooms[room.id] = room
        room.start()
        return room

    def find(self, name: str) -> Room | None:
        room = self._rooms.get(name)
        if room is not None:
            room.used = time.monotonic()
        return room

    async def close(self) -> None:
        for room in self._rooms.values():
            await room.close()
        self._rooms.clear()
