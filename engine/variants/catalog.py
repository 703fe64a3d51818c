"""Finding a game by its name: the definitions that came with the engine, and those of a file that the user names."""

from __future__ import annotations

import os
from functools import cache

from ..errors import DefinitionError
from ..notation import shown
from .definition import DefinitionFile, Game
from .fairymax import read_file

OWN_FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "games.ini")

# Names under which clients know games of ours.
ALIASES = {
    "chess": "normal",
    "standard": "normal",
    "kingofthehill": "king-of-the-hill",
    "losalamos": "los-alamos",
    "s-chess": "seirawan",
    "schess": "seirawan",
}
COLLECTIVE = "fairy"  # `variant fairy` plays the one of fairy/... that the option FairyVariant names
MAKRUK = "makruk"  # the option MakrukRules may put another game in its place


def names_of(name: str) -> tuple[str, ...]:
    """Under which names clients may know the game of this name, its own first."""
    return name, *(alias for alias, own in ALIASES.items() if own == name)


@cache
def _read(path: str, stamp: tuple) -> DefinitionFile:
    return read_file(path)


def load(path: str) -> DefinitionFile:
    """The games of a file, read again only when it has changed. Raises DefinitionError."""
    try:
        status = os.stat(path)
    except OSError as error:
        raise DefinitionError(f"cannot read {path}: {error.strerror}") from None
    return _read(path, (status.st_mtime_ns, status.st_size))


_default_path = ""


def use_file(path: str) -> None:
    """In this process and those it forks have the games of the file wherever no other one is named.

    For commands, whose workers find games by name. Raises DefinitionError.
    """
    global _default_path  # noqa: PLW0603
    load(path)
    _default_path = path


class Catalog:
    """The games that can be played, those of ``path`` before our own."""

    def __init__(self, path: str = ""):
        """Raises DefinitionError if the file cannot be read."""
        self._games: dict[str, Game] = {}
        path = path or _default_path
        for file in (path, OWN_FILE) if path else (OWN_FILE,):
            for game in load(file).games:
                self._games.setdefault(game.name, game)

    def __iter__(self):
        return iter(self._games.values())

    def __contains__(self, name: str) -> bool:
        return name in self._games or ALIASES.get(name) in self._games

    def find(self, name: str, fairy: str = "", makruk: str = "") -> Game:
        """The game of that name; case counts. ``fairy`` and ``makruk``: what the options of that name select.

        Raises DefinitionError if there is none.
        """
        if name == COLLECTIVE:
            choices = self.fairy_choices()
            chosen = fairy if fairy in choices else choices[0]
            return self._games[f"{COLLECTIVE}/{chosen}"]
        if name == MAKRUK and makruk and makruk in self._games:
            name = makruk
        game = self._games.get(name) or self._games.get(ALIASES.get(name, ""))
        if game is None:
            raise DefinitionError(f"expected one of {', '.join(self._games)}, found {shown(name, 40)}")
        return game

    def fairy_choices(self) -> list[str]:
        """What ``variant fairy`` can mean, the default first."""
        prefix = f"{COLLECTIVE}/"
        return [name.removeprefix(prefix) for name in self._games if name.startswith(prefix)]

    def advertised(self) -> list[str]:
        """Names for a client's menu: no hidden ones (first character before ``a``), fairy/... as one."""
        names = []
        for name in self._games:
            shown_name = COLLECTIVE if name.startswith(f"{COLLECTIVE}/") else name
            if shown_name >= "a" and shown_name not in names:
                names.append(shown_name)
        return names
