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
        self._restored: dict[str, str] = {}  # the name that a game had in an earlier run -> its name now

    async def open(self, setup: Setup, restores: str = "") -> ServedGame:
        """Begin a game. Raises the errors of ``ServedGame``.

        restores: the name of the game in an earlier run. If another page has restored it already, both share it.
        """
        if restores and (shared := self.find(restores)) is not None:
            return shared
        game = ServedGame(setup, self._new_session)
        self._games[game.id] = game
        if restores:
            self._restored[restores] = game.id
        game.start()
        while len(self._games) > MOST_GAMES:
            others = (each for each in self._games.values() if each is not game)
            oldest = min(others, key=lambda each: (each.channel.listened.is_set(), each.used))
            del self._games[oldest.id]
            self._restored = {old: new for old, new in self._restored.items() if new != oldest.id}
            await oldest.close()
        return game

    def find(self, name: str) -> ServedGame | None:
        game = self._games.get(self._restored.get(name, name))
        if game is not None:
            game.used = time.monotonic()
        return game

    async def close(self) -> None:
        for game in self._games.values():
            await game.close()
        self._games.clear()
