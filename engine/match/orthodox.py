"""Chess and Chess960 in a match, by python-chess."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import ClassVar

import chess
import chess.pgn

from ..errors import MatchError
from ..notation import shown
from ..pgn.games import decoded
from ..pgn.second import ChessBoard
from ..rmobility.goals import CLOCK_LIMIT, Goals
from .clients import Uci, Xboard
from .referee import MATE, TOO_LONG, Rules
from .setup import Opening


class OrthodoxReferee:
    """A ``referee.Referee``."""

    def __init__(self, opening: Opening, rules: Rules):
        self.position = chess.Board(opening.fen, chess960=opening.chess960)
        self._goals = Goals(ChessBoard(self.position), fifty=rules.fifty)
        self._rules = rules
        for text in opening.moves:
            self.push(self.position.parse_uci(text))

    @property
    def turn(self) -> bool:
        return self.position.turn

    @property
    def plies(self) -> int:
        return len(self.position.move_stack)

    def push(self, move: chess.Move) -> None:
        self.position.push(move)
        self._goals.push(ChessBoard(self.position))

    def end(self) -> tuple[str, str] | None:
        board, rules = self.position, self._rules
        if not any(board.generate_legal_moves()):
            if board.is_check():
                return ("0-1" if board.turn else "1-0"), MATE
            return "1/2-1/2", "stalemate"
        draws = {
            "threefold repetition": board.is_repetition(3),
            "fifty-move rule": rules.fifty != "off" and self._goals.clock >= CLOCK_LIMIT,
            "insufficient material": not rules.plays_on and board.is_insufficient_material(),
            TOO_LONG: self.plies >= rules.longest,
        }
        return next((("1/2-1/2", reason) for reason, holds in draws.items() if holds), None)

    def pgn(self, tags: Mapping[str, str]) -> str:
        game = chess.pgn.Game.from_board(self.position)
        game.headers.update(tags)
        return str(game)


class Orthodox:
    """A ``referee.Kind``."""

    identity = ()  # none: files of matches are older than other games in matches
    clients: ClassVar[dict[str, type]] = {"uci": Uci, "xboard": Xboard}
    begin = OrthodoxReferee

    @property
    def start(self) -> Opening:
        return Opening(chess.STARTING_FEN)

    def opening_of_line(self, text: str, where: str) -> Opening:
        fields = text.split()
        last = 4
        while last < min(6, len(fields)) and fields[last].lstrip("-").isdigit():
            last += 1
        fen = " ".join(fields[:last] + ["0", "1"][last - 4 :])
        try:
            board = chess.Board(fen, chess960=True)
        except ValueError as error:
            raise MatchError(f"{where}: {error}") from None
        if not board.is_valid():
            raise MatchError(f"{where}: no position of a game: {shown(text)}")
        chess960 = bool(board.castling_rights) and chess.Board(fen).status() != chess.STATUS_VALID
        return Opening(fen, (), chess960)

    def opening_of_game(self, text: bytes, where: str, plies: int | None) -> Opening | None:
        game = chess.pgn.read_game(io.StringIO(decoded(text)))
        if game is None:
            return None
        if game.errors:
            raise MatchError(f"{where}: {game.errors[0]}")
        board = game.board()
        return Opening(board.fen(), tuple(move.uci() for move in game.mainline_moves())[:plies], board.chess960)

    def introduce(self, client: Uci | Xboard, from_start: bool) -> None:
        """Every engine knows chess."""


CHESS = Orthodox()
