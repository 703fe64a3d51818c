"""Replays the moves of games for engines and diagrams: on python-chess boards, or the core's for defined variants.

The core has already checked these games.
"""

from __future__ import annotations

from collections.abc import Iterator

import chess

from standstill.cext.base.constants import WHITE as WHITE_MOVES

from ..archive.played import moves_of
from ..archive.scorer import CHESS960
from ..variants.boards import new_board
from ..variants.definition import Definition
from ..variants.game_over import end_by_rule
from ..variants.notation import NULL_MOVE, move_text, parse_move
from .evaluations import BLACK, WHITE, Evaluation
from .movetext import Movetext


class DefinedPosition:
    """A position of a defined variant with the interface of a python-chess board. Moves are coordinate text."""

    chess960 = False

    def __init__(self, game: Definition, first_fen: str):
        self.game = game
        self.first_fen = first_fen
        self.board = new_board(first_fen, game=game)
        self.texts: list[str] = []

    @property
    def turn(self) -> bool:
        return self.board.stm == WHITE_MOVES

    @property
    def legal_moves(self) -> Iterator[str]:
        return (move_text(self.board, move) for move in self.board.legal_moves())

    def parse_uci(self, text: str) -> str:
        """Return the move in this board's own notation. Raises NotationError or IllegalMoveError."""
        return text if text == NULL_MOVE else move_text(self.board, parse_move(self.board, text))

    def push(self, text: str) -> None:
        self.texts.append(text)
        if text == NULL_MOVE:
            self.board.push_null()
        else:
            self.board.push(parse_move(self.board, text))

    def pop(self) -> None:
        self.texts.pop()
        self.board.pop()

    def copy(self) -> DefinedPosition:
        """Return a copy with the same game up to here."""
        other = DefinedPosition(self.game, self.first_fen)
        for text in self.texts:
            other.push(text)
        return other


Position = chess.Board | DefinedPosition
PlayedMove = chess.Move | str


def moves(game: Movetext) -> tuple[Position, list[PlayedMove]]:
    """Return the first position and the moves of the main line."""
    fen, texts = moves_of(game.game)
    if isinstance(game.game.game, Definition):
        position = DefinedPosition(game.game.game, fen)
        parsed: list[PlayedMove] = []
        for text in texts:
            move = position.parse_uci(text)
            parsed.append(move)
            position.push(move)
        return DefinedPosition(position.game, fen), parsed
    first = chess.Board(fen, chess960=game.tags.get("Variant", "").strip().lower() in CHESS960)
    first.chess960 = first.chess960 or first.has_chess960_castling_rights()
    board = first.copy()
    played: list[PlayedMove] = []
    for text in texts:
        read = board.parse_uci(text)
        played.append(read)
        board.push(read)
    return first, played


def push(position: Position, move: PlayedMove) -> None:
    """Make the move, which must have the move type of this kind of position."""
    position.push(move)  # type: ignore[arg-type]


def ended(position: Position) -> Evaluation | None:
    """Return the evaluation of a position in which the game is over; None if the game continues."""
    if isinstance(position, DefinedPosition):
        end = end_by_rule(position.board)
        if end is None:
            return Evaluation(0.0) if position.board.insufficient else None
        return Evaluation(0.0) if end[0] == "1/2-1/2" else Evaluation.of_mate(0, WHITE if end[0] == "1-0" else BLACK)
    if position.is_checkmate():
        return Evaluation.of_mate(0, BLACK if position.turn == chess.WHITE else WHITE)
    if position.is_stalemate() or position.is_insufficient_material():
        return Evaluation(0.0)
    return None


def without_nulls(position: Position) -> Position:
    """Return the position, without its history if that has a null move: external engines do not support null moves."""
    if isinstance(position, DefinedPosition) or all(position.move_stack):
        return position
    return position.copy(stack=False)
