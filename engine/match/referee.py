"""The interface of games to a match: the side to move, the end of the game, and its PGN.

There are two implementations, chosen once for a match: ``orthodox``, with python-chess, and ``by_definition``, with our
own board.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ..archive.syzygy import Tables
from ..external.protocols import UciClient, XboardClient
from .setup import Opening

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..tablebases.adjudication import Adjudicator

START_S = 15.0  # time for an engine to answer at its start

_LINE = 79  # characters; the PGN standard wants fewer than 80

MATE = "mate"
TOO_LONG = "too many moves"
JUDGED = "adjudicated by R-Mobility tables"


@dataclass(frozen=True, slots=True)
class MatchRules:
    """When games end. plays_on: not by insufficient material. fifty: as for ``Goals``. longest: plies, then it is
    drawn. komi: what decides drawn games, as ``G3.75``; empty: nothing. tables: with ``iccf`` they decide the games
    that the 50-move rule ends. judge: R-Mobility tables, which end a game as soon as they know its outcome.

    patience_s: an engine that thinks longer, beyond its clock if it has one, hangs. start_s: the same for its start.
    margin_s: how far a clock may be overrun.
    """

    plays_on: bool = True
    fifty: str = "fide"
    komi: str = ""
    longest: int = 1000
    tables: Tables | None = None
    judge: Adjudicator | None = None
    patience_s: float = 60.0
    start_s: float = START_S
    margin_s: float = 0.1

    @property
    def told(self) -> dict[str, str]:
        """Options for engines that have them, so that they search for the ends that the referee sees."""
        rules = {"InsufficientMaterialDraw": "false"} if self.plays_on else {}
        rules |= {} if self.fifty == "fide" else {"RMobilityFifty": self.fifty}
        return rules | ({"RMobilityKomi": self.komi} if self.komi else {})


class Referee(Protocol):
    """One game, from its opening on. Moves have the type of the engine's client."""

    @property
    def position(self) -> Any:
        """The game so far, in the form for the engines' clients."""

    @property
    def turn(self) -> bool:
        """The side to move in the form of python-chess: True is White."""

    @property
    def plies(self) -> int:
        """Moves since the first position, with those of the opening."""

    @property
    def texts(self) -> tuple[str, ...]:
        """The same moves in coordinates."""

    def push(self, move: Any) -> None:
        """Make a move of the client, which has checked that it is legal."""

    def end(self) -> tuple[str, str] | None:
        """(result, termination) if the position on the board ends the game."""

    def pgn(self, tags: Mapping[str, str], comments: Sequence[str]) -> str:
        """The game with these tags, the seven of the roster first, and tags for the game and the first position.

        comments: by ply, at the end some or all may be missing; an empty one is none.
        """


def movetext(moves: Iterable[tuple[int, bool, str]], comments: Sequence[str], result: str) -> str:
    """Moves in lines, as the PGN standard wants them. moves: (number, does White move?, SAN)."""
    words: list[str] = []
    numbered = False  # is it clear what number Black's next move has?
    for ply, (number, white, text) in enumerate(moves):
        if white or not numbered:
            words.append(f"{number}{'.' if white else '...'}")
        words.append(text)
        comment = comments[ply] if ply < len(comments) else ""
        if comment:
            words.append(f"{{{comment}}}")
        numbered = not comment
    lines = [""]
    for word in [*words, result]:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > _LINE:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return "\n".join(lines)


class Kind(Protocol):
    """The game of a match."""

    @property
    def identity(self) -> tuple[str, ...]:
        """Part of the fingerprint of a match."""

    @property
    def clients(self) -> Mapping[str, type[UciClient | XboardClient]]:
        """Classes of python-chess's engine client, by protocol."""

    def begin(self, opening: Opening, rules: MatchRules, /) -> Referee:
        """A game that has had its opening."""

    @property
    def start(self) -> Opening:
        """The start position."""

    def opening_of_line(self, text: str, where: str) -> Opening:
        """The opening of a FEN or EPD. Raises MatchError, with ``where`` in front, if it is no position of the game."""

    def opening_of_game(self, text: bytes, where: str, plies: int | None) -> Opening | None:
        """The opening of a PGN game, None if there is none. plies: at most so many moves. Raises MatchError as well."""

    def introduce(self, client: Any, from_start: bool) -> None:
        """Tell the game to the client of an engine that has just started. from_start: all games begin with the array.

        Raises MatchError if the engine does not know the game.
        """
