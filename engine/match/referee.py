"""The interface of games to a match: the side to move, the end of the game, and its PGN.

There are two implementations, one of which is chosen for a match: ``orthodox`` uses python-chess, and ``by_definition``
uses the engine's own board.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Protocol

from ..archive.syzygy import Tables
from ..common.goal import goal_text
from ..external.process import START_S
from ..external.protocols import UciClient, XboardClient
from ..rmobility.goals import Goal
from ..rmobility.scoring import Terms, komi_text
from .setup import Opening

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..tablebases.adjudication import Adjudicator
    from ..variants.variant import Variant

MOVE_S = 60.0  # time beyond its clock or time per move after which an engine counts as hanging

_LINE = 79  # maximum number of characters in a line; the PGN standard requires fewer than 80

MATE = "mate"
TOO_LONG = "too many moves"
DEAD = "insufficient material"
BY_TABLES = "adjudicated by Syzygy tables"
JUDGED = "adjudicated by R-Mobility tables"


@dataclass(frozen=True, slots=True)
class MatchRules:
    """The rules that end games.

    plays_on: ignore insufficient material. fifty: as for ``Goals``. longest: the number of plies after which a game is
    drawn. terms: how the record decides a drawn game. tables: Syzygy tables. With ``iccf`` the Syzygy tables decide
    games that the 50-move rule ends; with ``tables_win`` they end a game as soon as they contain a win, even if the
    50-move rule would prevent it. adjudicator: R-Mobility tables, which end a game as soon as they contain its
    outcome. dead_adjudicator: decides games that insufficient material ends.

    patience_s: an engine that exceeds its clock (if it has one) by this time counts as hanging. start_s: the same
    limit for the start of the engine. margin_s: the time by which a clock may be overrun.
    """

    plays_on: bool = True
    fifty: str = "fide"
    terms: Terms = field(default_factory=Terms)
    longest: int = 1000
    tables: Tables | None = None
    tables_win: bool = False
    dead_adjudicator: Adjudicator | None = None
    adjudicator: Adjudicator | None = None
    patience_s: float = MOVE_S
    start_s: float = START_S
    margin_s: float = 0.1

    @property
    def engine_options(self) -> dict[str, str]:
        """The options that make an engine's search end games by these rules, for engines that have the options."""
        rules = {"InsufficientMaterialDraw": "false"} if self.plays_on else {}
        rules |= {} if self.fifty == "fide" else {"RMobilityFifty": self.fifty}
        terms = self.terms
        if terms.komi is not None:
            rules["RMobilityKomi"] = komi_text(*terms.komi)
        elif terms.cut_off is not None and terms.cut_off > 1:  # with a komi, goals beyond the limit are losses
            rules["RMobilityLimit"] = goal_text(terms.cut_off - 1)
        return rules

    def terms_of(self, opening: Opening) -> Terms:
        """Return how the record decides a drawn game with this opening."""
        return self.terms if opening.komi is None else replace(self.terms, komi=opening.komi)

    def game_options(self, opening: Opening) -> dict[str, str]:
        """Return the options that differ from game to game, for engines that have them."""
        komi = self.terms_of(opening).komi
        return {
            "RMobilityKomi": "none" if komi is None else komi_text(*komi),
            "RMobilityRecord": "" if opening.record is None else goal_text(opening.record[1], opening.record[0]),
        }


class Referee(Protocol):
    """One game, beginning with its opening. Moves have the type of the engine's client."""

    @property
    def position(self) -> Any:
        """The game so far, in the form that the engines' clients require."""
        ...

    @property
    def turn(self) -> bool:
        """The side to move as in python-chess: True is White."""
        ...

    @property
    def plies(self) -> int:
        """The number of moves since the first position, including the opening."""
        ...

    @property
    def texts(self) -> tuple[str, ...]:
        """The moves since the first position, as coordinates."""
        ...

    def push(self, move: Any) -> None:
        """Play a move that the client has checked for legality."""

    def end(self) -> tuple[str, str] | None:
        """Return (result, termination) if the position on the board ends the game, else None."""
        ...

    @property
    def record(self) -> Goal | None:
        """Return the R-Mobility result if the game ends here with a draw."""

    def pgn(self, tags: Mapping[str, str], comments: Sequence[str]) -> str:
        """Return the game as PGN with these tags. The seven tag roster comes first; variant and first position follow.

        comments: one for each ply; may be empty or shorter than the game.
        """
        ...


def movetext(moves: Iterable[tuple[int, bool, str]], comments: Sequence[str], result: str) -> str:
    """Return the moves in lines, as the PGN standard requires. moves: (number, whether White moves, SAN)."""
    words: list[str] = []
    numbered = False  # whether Black's next move needs no number
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
    """The game of a match.

    clients: the classes of python-chess's engine client, by protocol.
    """

    clients: ClassVar[Mapping[str, type[UciClient | XboardClient]]]

    @property
    def game(self) -> Variant:
        """The game that is played."""
        ...

    @property
    def identity(self) -> tuple[str, ...]:
        """The text that represents the variant in the fingerprint of a match."""
        ...

    def begin(self, opening: Opening, rules: MatchRules, /) -> Referee:
        """Create a game and play its opening."""
        ...

    @property
    def start(self) -> Opening:
        """The start position."""
        ...

    def opening_of_line(self, text: str, where: str) -> Opening:
        """Return the opening of a FEN or EPD. Raises MatchError, prefixed by ``where``, for an invalid position."""
        ...

    def opening_of_game(self, text: bytes, where: str, plies: int | None) -> Opening | None:
        """Return the opening of a PGN game, or None for a text without a game.

        plies: the maximum number of half-moves. Raises MatchError, prefixed by ``where``, for an unreadable game.
        """
        ...

    def introduce(self, client: Any, from_start: bool) -> None:
        """Tell the client of a newly started engine which game is played. from_start: all games begin from the start
        position.

        Raises MatchError if the engine does not support the game.
        """
