"""The games of one run of the server."""

from __future__ import annotations

import time
from collections.abc import Callable

from ..play.session import Session
from .game import ServedGame
from .setup import Setup

MOST_GAMES = 12  # each game has two searches with a hash table


class OpenGames:
    """The games that pages have opened.

    Beyond ``MOST_GAMES``, a new game closes the game that has been unused for longest.
    """

    def __init__(self, new_session: Callable[[], Session]):
        self._new_session = new_session
        self._games: dict[str, ServedGame] = {}

    async def open(self, setup: Setup) -> ServedGame:
        """Begin a game. Raises the errors of ``ServedGame``."""
        game = ServedGame(setup, self._new_session)
        while len(self._games) >= MOST_GAMES:
            oldest = min(self._games.values(), key=lambda each: (each.channel.listened.is_set(), each.used))
            del self._games[oldest.id]
            await oldest.close()
        self._games[game.id] = game
        game.start()
        return game

    def find(self, name: str) -> ServedGame | None:
        game = self._games.get(name)
        if game is not None:
            game.used = time.monotonic()
        return game

    async def close(self) -> None:
        for game in self._games.values():
            await game.close()
        self._games.clear()
