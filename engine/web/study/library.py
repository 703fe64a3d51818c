"""The file of games that the user named: its games, and a list of them."""

from __future__ import annotations

import os
from dataclasses import dataclass

from ...archive.pgn import read_games, tags_of, worded
from ...archive.streams import display_name, open_input
from ...common.errors import ArgumentError
from ...common.text import visible

MOST_LISTED = 300  # rows that a page receives at once
_LISTED = ("White", "Black", "Result", "Event", "Date", "ECO")


@dataclass(frozen=True, slots=True)
class Listed:
    """A game of the list. number: from 1, in the order of the file. words: what a search looks at, in lower case."""

    number: int
    tags: dict[str, str]
    words: str

    def view(self) -> dict[str, object]:
        return {"number": self.number, **{name.lower(): text for name, text in self.tags.items()}}


class Library:
    """The games of one file, read again when it has changed."""

    def __init__(self, path: str):
        self.path = path
        self._stamp: tuple[int, int] | None = None
        self._games: list[bytes] = []
        self._list: list[Listed] = []

    @property
    def name(self) -> str:
        return visible(display_name(self.path))

    def refresh(self) -> None:
        """Read the file unless it is unchanged. Raises PgnError; what was read before then stays."""
        stamp = self._stamp_now()
        if stamp is not None and stamp == self._stamp:
            return
        with open_input(self.path) as stream:
            games = [game for game in read_games(stream) if game.strip()]
        self._list = [_listed(number, game) for number, game in enumerate(games, 1)]
        self._games, self._stamp = games, stamp

    def _stamp_now(self) -> tuple[int, int] | None:
        try:
            status = os.stat(self.path)
        except OSError:
            return None  # opening the file tells why
        return status.st_mtime_ns, status.st_size

    def find(self, text: str, start: int = 0) -> dict[str, object]:
        """The games whose tags contain all words of the text, ``MOST_LISTED`` of them from ``start`` on."""
        words = text.lower().split()
        found = [game for game in self._list if all(word in game.words for word in words)]
        return {
            "file": self.name,
            "total": len(self._list),
            "found": len(found),
            "games": [game.view() for game in found[start : start + MOST_LISTED]],
        }

    def game(self, number: int) -> bytes:
        """A game as the file has it. Raises ArgumentError for a number that is not in the file."""
        if not 1 <= number <= len(self._games):
            raise ArgumentError(f"expected the number of a game, 1 to {len(self._games)}, found {number}")
        return self._games[number - 1]


def _listed(number: int, game: bytes) -> Listed:
    tags = tags_of(game)
    shown = {name: visible(worded(tags.get(name, "").encode("latin-1", "replace"))) for name in _LISTED}
    return Listed(number, shown, " ".join(shown.values()).lower())
