"""Games by definition in a match, on our own board and by the rules that the engine goes by itself."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import ClassVar

from ..board import named_game
from ..errors import MatchError
from ..notation import BLACK, san
from ..pgn.fairy import play_through
from ..rmobility.goals import Goals
from ..rmobility.modes import CLOCK_LIMIT, NO_LIMIT
from ..rules import MATES, game_end
from ..variants.definition import Game
from ..variants.notation import parse_move, start_fen
from .fairy_clients import FairyUci, FairyXboard, Position
from .orthodox import CHESS
from .referee import MATE, TOO_LONG, Kind, Rules
from .setup import Opening

_ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
_LINE = 80  # characters, as the standard of PGN has it


class FairyReferee:
    """A ``referee.Referee``."""

    def __init__(self, game: Game, opening: Opening, rules: Rules):
        self.position = Position(game, opening.fen)
        self._rules = rules
        self._board = self.position.board
        self._board.material_ends = not rules.plays_on
        self._board.clock_limit = NO_LIMIT if rules.fifty == "off" else CLOCK_LIMIT
        self._goals = Goals(self._board, fifty=rules.fifty)
        for text in opening.moves:
            self.push(parse_move(self._board, text))

    @property
    def turn(self) -> bool:
        return self.position.turn

    @property
    def plies(self) -> int:
        return len(self.position.moves)

    def push(self, move: int) -> None:
        self.position.push(move)
        self._goals.push(self._board)

    def end(self) -> tuple[str, str] | None:
        end = game_end(self._board, self._goals.clock)
        if end is not None:
            result, reason = end
            return result, MATE if reason in MATES else reason
        return ("1/2-1/2", TOO_LONG) if self.plies >= self._rules.longest else None

    def pgn(self, tags: Mapping[str, str]) -> str:
        position = self.position
        first = {"Variant": position.game.name}
        if position.first_fen != start_fen(position.game):
            first |= {"FEN": position.first_fen, "SetUp": "1"}
        ordered = {name: tags[name] for name in _ROSTER} | first | tags
        head = "".join(f'[{name} "{value}"]\n' for name, value in ordered.items())
        words = " ".join([*self._words(), tags["Result"]])
        moves = textwrap.fill(words, _LINE, break_on_hyphens=False, break_long_words=False)
        return f"{head}\n{moves}"

    def _words(self) -> list[str]:
        """Numbers and moves."""
        board = Position(self.position.game, self.position.first_fen).board
        words = []
        for move in self.position.moves:
            if board.stm != BLACK or not words:
                words.append(f"{board.fullmove}{'...' if board.stm == BLACK else '.'}")
            words.append(san(board, move))
            board.push(move)
        return words


class ByDefinition:
    """A ``referee.Kind``."""

    clients: ClassVar[dict[str, type]] = {"uci": FairyUci, "xboard": FairyXboard}

    def __init__(self, game: Game):
        self.game = game
        self.identity = (game.name, str(game))

    @property
    def start(self) -> Opening:
        return Opening(start_fen(self.game))

    def begin(self, opening: Opening, rules: Rules) -> FairyReferee:
        return FairyReferee(self.game, opening, rules)

    def opening_of_line(self, text: str, where: str) -> Opening:
        fields = text.split()
        last = min(4, len(fields))
        while last < min(6, len(fields)) and fields[last].isdigit():
            last += 1
        try:
            return Opening(Position(self.game, " ".join(fields[:last])).first_fen)
        except ValueError as error:
            raise MatchError(f"{where}: {error}") from None

    def opening_of_game(self, text: bytes, where: str, plies: int | None) -> Opening | None:
        if not text.strip():
            return None
        try:
            first_fen, moves = play_through(text, self.game)
        except ValueError as error:
            raise MatchError(f"{where}: {error}") from None
        position = Position(self.game, first_fen)
        for move in moves[:plies]:
            position.push(move)
        return Opening(position.first_fen, tuple(position.texts))

    def introduce(self, client: FairyUci | FairyXboard, from_start: bool) -> None:
        client.take_up(self.game)
        if not (from_start or client.sets_up):
            raise MatchError("it does not announce setboard, so it plays from the start position alone")


def kind_named(name: str) -> Kind:
    """What a match of this game is. Raises DefinitionError for a name that nothing has."""
    game = named_game(name)
    return CHESS if game is None or game.name == "normal" else ByDefinition(game)
