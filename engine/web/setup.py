"""The setup of a new game: variant, first position, players, clock and rules for draws."""

from __future__ import annotations

from dataclasses import dataclass

from ..clock.control import Fischer
from ..common.errors import ArgumentError, DefinitionError
from ..rmobility.modes import DECISIVE, NONE, OFF, POINTS, TIEBREAK, check_komi
from ..settings.levels import LEAST_ELO, MOST_ELO
from ..variants.catalog import Catalog
from ..variants.fairymax import parse
from ..variants.variant import CHESS, Variant
from . import fields
from .chess960 import LAST, start_fen
from .fields import Fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MODES = (TIEBREAK, POINTS, DECISIVE, OFF)
CHESS960 = "chess960"
MOST_MOVES = 6000  # maximum number of moves in a game that a page restores
_LONGEST_MS = 10 * 3_600_000
_DRAWN_FROM = {"normal"}  # the definition of chess in the catalogue


@dataclass(frozen=True, slots=True)
class Player:
    """The player of a side: a person or the engine. level: its rating; None for full strength, and for a person."""

    is_engine: bool
    level: int | None = None

    @property
    def name(self) -> str:
        """The player's name in a PGN."""
        if not self.is_engine:
            return "Player"
        return "Standstill" if self.level is None else f"Standstill {self.level}"

    def view(self) -> dict[str, object]:
        return {"engine": self.is_engine, "level": self.level}


@dataclass(frozen=True, slots=True)
class Setup:
    """A new game. fen: None for the standard first position. moves: the moves of a game that a page restores."""

    game: Variant
    title: str
    chess960: bool
    fen: str | None
    players: tuple[Player, Player]
    control: Fischer | None
    mode: str
    komi: str
    moves: tuple[str, ...]


def games(path: str) -> list[dict[str, object]]:
    """Return the available games, the games of the user's file first. path: the path of the user's file, or "".

    Raises DefinitionError.
    """
    chess: list[dict[str, object]] = [
        {"name": CHESS.name, "title": "Chess", "size": "8x8"},
        {"name": CHESS960, "title": "Chess960", "size": "8x8"},
    ]
    return [*chess, *(each for each in _defined(path) if each["name"] not in _DRAWN_FROM)]


def _defined(path: str) -> Iterator[dict[str, object]]:
    for game in Catalog(path):
        size = f"{game.width}x{game.height}"
        yield {"name": game.name, "title": game.description or game.name, "size": size}


def read_setup(data: Fields, path: str) -> Setup:
    """Return the setup that a page requests. Raises ArgumentError, DefinitionError or NotationError."""
    game, title, number = _game(data, path)
    fen = " ".join(fields.text(data, "fen").split()) or None
    if number is not None and fen is None:
        fen = start_fen(number)
    mode, komi = fields.choice(data, "mode", MODES, TIEBREAK), fields.text(data, "komi").strip() or NONE
    check_komi(komi)
    if mode != DECISIVE:
        komi = NONE
    return Setup(
        game=game,
        title=title,
        chess960=number is not None,
        fen=fen,
        players=(_player(data, "white"), _player(data, "black")),
        control=_control(data),
        mode=mode,
        komi=komi,
        moves=tuple(fields.texts(data, "moves", MOST_MOVES)),
    )


def _game(data: Fields, path: str) -> tuple[Variant, str, int | None]:
    """Return (game, title, number of the Chess960 position or None)."""
    name = fields.text(data, "game", CHESS.name)
    if name == CHESS960:
        number = fields.whole(data, "number", 0, LAST)
        if number is None:
            raise ArgumentError(f"expected the number of a Chess960 position, 0 to {LAST}, found none")
        return CHESS, f"Chess960, position {number}", number
    if name == CHESS.name:
        return CHESS, "Chess", None
    definition = fields.text(data, "definition")
    if definition:
        found = {game.name: game for game in parse(definition, "the file").games}
        if name not in found:
            raise DefinitionError(f"expected one of {', '.join(found) or 'no games'}, found {name!a}")
        return found[name], found[name].description or name, None
    chosen = Catalog(path).find(name)
    return chosen, chosen.description or chosen.name, None


def _player(data: Fields, side: str) -> Player:
    player = fields.inner(data, side)
    return Player(fields.truth(player, "engine"), fields.whole(player, "level", LEAST_ELO, MOST_ELO))


def _control(data: Fields) -> Fischer | None:
    clock = fields.inner(data, "clock")
    base, increment = (fields.whole(clock, name, 0, _LONGEST_MS) for name in ("base", "increment"))
    if base is None:
        return None
    if not base:
        raise ArgumentError("expected a time of more than 0 for each side")
    return Fischer(base, increment or 0)
