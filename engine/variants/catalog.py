"""Finds games by name among the built-in definitions and those of the user's file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache

from ..common.errors import DefinitionError
from ..common.text import did_you_mean, shown
from .definition import Definition, DefinitionFile
from .fairymax import read_file
from .zoning.parents import xboard_can_play

OWN_FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "games.ini")

# Names that clients use for built-in games, and former names of these games.
ALIASES = {
    "chess": "normal",
    "standard": "normal",
    "king-of-the-hill": "kingofthehill",
    "los-alamos": "losalamos",
    "grand-like": "tall-capablanca",
    "s-chess": "seirawan",
    "schess": "seirawan",
    "threecheck": "3check",
    "three-check": "3check",
    "fivecheck": "5check",
    "racing-kings": "racingkings",
}
# Names in Fairy-Max's own file. XBoard lets two engines play only games that both announce by the same name.
FAIRY_MAX_NAMES = ("king-of-the-hill", "los-alamos")
# The first games to leave out if a client's list of games is full, the last one first. UCI has hoppelpoppel as well.
LEAST_PLAYED = ("tall-capablanca", "endings", "hoppelpoppel")
MOST_NAMED = 8  # maximum number of games that a message names
# Games whose rules XBoard clients infer from the name, although the protocol cannot express them.
KNOWN_RULES = (
    *("3check", "suicide", "giveaway", "losers", "grand", "crazyhouse", "atomic", "xiangqi", "shogi"),
    *("seirawan", "shatranj"),
)
# Games that other clients of the protocol know by name, such as cutechess-cli and python-chess. The list has no room
# for chigorin, euroshogi, judkins and karouk. UCI has these games, but not all games of the list.
KNOWN_ELSEWHERE = (
    *("5check", "antichess", "chessgi", "codrus", "extinction", "horde", "kinglet", "loop", "minishogi"),
    *("racingkings", "threekings"),
)
COLLECTIVE = "fairy"  # `variant fairy` selects the game fairy/... that the option FairyVariant names
MAKRUK = "makruk"  # the option MakrukRules may replace this game with another one


def names_of(name: str) -> tuple[str, ...]:
    """Return the names that clients may use for a game, its own name first."""
    return name, *(alias for alias, own in ALIASES.items() if own == name)


def xboard_can_know(game: Definition) -> bool:
    """Return whether XBoard can know the rules of this game."""
    return game.name in KNOWN_RULES or xboard_can_play(game)


def client_can_know(game: Definition) -> bool:
    """Return whether some client of XBoard's protocol, not necessarily XBoard, can know the rules of this game."""
    return game.name in KNOWN_ELSEWHERE or xboard_can_know(game)


def can_be_listed(name: str) -> bool:
    """Return whether XBoard's list of games can contain the name. The list is quoted ASCII separated by commas."""
    return name.isascii() and not set(name) & {",", '"'}


@cache
def _read(path: str, stamp: tuple[int, int]) -> DefinitionFile:
    return read_file(path)


def load(path: str) -> DefinitionFile:
    """Read the games of a file, or return them from a cache if it has not changed. Raises DefinitionError."""
    try:
        status = os.stat(path)
    except OSError as error:
        raise DefinitionError(f"cannot read {path}: {error.strerror}") from None
    return _read(path, (status.st_mtime_ns, status.st_size))


_default_path = ""


def use_file(path: str) -> None:
    """Make the games of the file the default for this process and the processes that it forks.

    This function is for commands whose workers find games by name. Raises DefinitionError.
    """
    global _default_path  # noqa: PLW0603
    load(path)
    _default_path = path


class Catalog:
    """All playable games. Games from ``path`` take precedence over built-in ones."""

    def __init__(self, path: str = ""):
        """Read the file. Raises DefinitionError."""
        self._games: dict[str, Definition] = {}
        self._path = path = path or _default_path
        for file in (path, OWN_FILE) if path else (OWN_FILE,):
            for game in load(file).games:
                self._games.setdefault(game.name, game)

    def __iter__(self) -> Iterator[Definition]:
        return iter(self._games.values())

    def __contains__(self, name: str) -> bool:
        return name in self._games or ALIASES.get(name) in self._games or name == COLLECTIVE

    def find(self, name: str, fairy: str = "", makruk: str = "") -> Definition:
        """Return the game of that name; case matters. fairy, makruk: the options FairyVariant and MakrukRules.

        Raises DefinitionError if the name is unknown.
        """
        if name == COLLECTIVE and name not in self._games:
            choices = self.fairy_choices()
            chosen = fairy if fairy in choices else choices[0]
            return self._games[f"{COLLECTIVE}/{chosen}"]
        if name == MAKRUK and makruk:
            name = next((found for found in (makruk, makruk.lower()) if found in self._games), name)
        game = self._games.get(name) or self._games.get(ALIASES.get(name, ""))
        if game is None:
            some = ", ".join(list(self._games)[:MOST_NAMED])  # clients cut long lines
            more = f" or {len(self._games) - MOST_NAMED} more (variants list)" if len(self._games) > MOST_NAMED else ""
            hint = did_you_mean(name, [*self._games, *ALIASES], 0.75)
            raise DefinitionError(f"expected one of {some}{more}, found {shown(name, 40)}{hint}")
        return game

    def fairy_choices(self) -> list[str]:
        """Return the names that ``variant fairy`` can mean.

        The default comes first; names from the user's file come before built-in ones.
        """
        prefix = f"{COLLECTIVE}/"
        return [name.removeprefix(prefix) for name in self._games if name.startswith(prefix)]

    def of_the_user(self) -> list[str]:
        """Return the names of the games in the user's file."""
        return [game.name for game in load(self._path).games] if self._path else []

    def advertised(self, in_xboard: bool) -> list[str]:
        """Return the names for a client of XBoard's protocol, with ``fairy`` for all of fairy/...

        Hidden games (first character before ``a``) are left out, and games whose rules or name the protocol cannot
        express. Near the end of the list come built-in games under the names that Fairy-Max uses, and last the least
        played games.
        in_xboard: whether the client is XBoard itself, which would offer an unknown name as a game with the rules of
        chess.
        """
        names = []
        for name, game in self._games.items():
            if not ((xboard_can_know if in_xboard else client_can_know)(game) and can_be_listed(name)):
                continue
            shown_name = COLLECTIVE if name.startswith(f"{COLLECTIVE}/") else name
            if (shown_name >= "a" or name in (*KNOWN_RULES, *KNOWN_ELSEWHERE)) and shown_name not in names:
                names.append(shown_name)
        last = [name for name in LEAST_PLAYED if name in names]
        if in_xboard:
            names += [name for name in FAIRY_MAX_NAMES if name not in names and ALIASES[name] in names]
        return [*_findable([name for name in names if name not in last]), *last]


def _findable(names: list[str]) -> list[str]:
    """Reorder names so that no name follows a longer one that contains it.

    XBoard finds the first occurrence of a name.
    """
    found: list[str] = []
    for name in names:
        found.insert(next((at for at, other in enumerate(found) if name in other), len(found)), name)
    return found
