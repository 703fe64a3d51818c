"""Implements variants in a match, on the engine's own board and by its rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from standstill.cext.base.constants import BLACK, CLOCK_LIMIT, NO_CLOCK_LIMIT

from ..archive.fairy_scoring import check_named
from ..archive.played import played
from ..common.errors import MatchError, StandstillError
from ..external.protocols import UciClient, XboardClient
from ..rmobility.goals import Goal, Goals
from ..variants.boards import named_game, start_fen
from ..variants.definition import Definition
from ..variants.game_over import MATES, game_end
from ..variants.notation import NULL_MOVE, fen, parse_move, position_fields, san
from .fairy_clients import ClientPosition, FairyUci, FairyXboard
from .orthodox import CHESS
from .referee import MATE, TOO_LONG, Kind, MatchRules, movetext
from .setup import Opening

_ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")


class FairyReferee:
    """A ``referee.Referee`` for variants."""

    def __init__(self, game: Definition, opening: Opening, rules: MatchRules):
        self.position = ClientPosition(game, opening.fen)
        self._rules = rules
        self._board = self.position.board
        self._board.material_ends = not rules.plays_on
        self._board.clock_limit = NO_CLOCK_LIMIT if rules.fifty == "off" else CLOCK_LIMIT
        self._goals = Goals(self._board, opening.record, fifty=rules.fifty)
        for text in opening.moves:
            self.push(parse_move(self._board, text))

    @property
    def turn(self) -> bool:
        return self.position.turn

    @property
    def plies(self) -> int:
        return len(self.position.moves)

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(self.position.texts)

    def push(self, move: int) -> None:
        self.position.push(move)
        self._goals.push(self._board)

    def end(self) -> tuple[str, str] | None:
        end = game_end(self._board, self._goals.clock)
        if end is not None:
            result, reason = end
            return result, MATE if reason in MATES else reason
        return ("1/2-1/2", TOO_LONG) if self.plies >= self._rules.longest else None

    @property
    def record(self) -> Goal | None:
        return self._goals.record

    def pgn(self, tags: Mapping[str, str], comments: Sequence[str]) -> str:
        position = self.position
        first = {"Variant": position.game.name}
        if position.first_fen != start_fen(position.game):
            first |= {"FEN": position.first_fen, "SetUp": "1"}
        ordered = {name: tags[name] for name in _ROSTER} | first | dict(tags)
        head = "".join(f'[{name} "{value}"]\n' for name, value in ordered.items())
        return f"{head}\n{movetext(self._moves(), comments, tags['Result'])}"

    def _moves(self) -> Iterator[tuple[int, bool, str]]:
        board = ClientPosition(self.position.game, self.position.first_fen).board
        for move in self.position.moves:
            yield board.fullmove, board.stm != BLACK, san(board, move)
            board.push(move)


class ByDefinition:
    """A ``referee.Kind`` for variants."""

    clients: ClassVar[Mapping[str, type[UciClient | XboardClient]]] = {"uci": FairyUci, "xboard": FairyXboard}

    def __init__(self, game: Definition):
        self.game = game
        self.identity = (game.name, str(game))

    @property
    def start(self) -> Opening:
        return Opening(start_fen(self.game))

    def begin(self, opening: Opening, rules: MatchRules) -> FairyReferee:
        return FairyReferee(self.game, opening, rules)

    def opening_of_line(self, text: str, where: str) -> Opening:
        try:
            return Opening(ClientPosition(self.game, " ".join(position_fields(text))).first_fen)
        except ValueError as error:
            raise MatchError(f"{where}: {error}") from None

    def opening_of_game(self, text: bytes, where: str, plies: int | None) -> Opening | None:
        try:
            game, first_fen, moves = played(text, self.game.name)
            check_named(game.head, self.game)
        except StandstillError as error:
            raise MatchError(f"{where}: {error}") from None
        if game.is_empty:
            return None
        position = ClientPosition(self.game, first_fen and " ".join(position_fields(first_fen)))
        for move in moves[:plies]:
            position.push_uci(move)
            if move == NULL_MOVE:  # engines do not receive null moves
                position = ClientPosition(self.game, fen(position.board))
        return Opening(position.first_fen, tuple(position.texts))

    def introduce(self, client: FairyUci | FairyXboard, from_start: bool) -> None:
        client.take_up(self.game)
        if not (from_start or client.sets_up):
            raise MatchError("it does not announce setboard, so it can play only from the start position")


def kind_named(name: str) -> Kind:
    """Return the ``Kind`` for the variant of this name. Raises DefinitionError for an unknown name."""
    game = named_game(name)
    if isinstance(game, Definition) and game.name != "normal":
        return ByDefinition(game)
    return CHESS
