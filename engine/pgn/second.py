"""A second opinion on games that our own reader does not understand, from python-chess."""

from __future__ import annotations

import io
import logging
from dataclasses import dataclass

import chess
import chess.pgn

from ..rmobility.goals import Goal, Goals

# What python-chess has to say about a game is in its errors; nothing of it belongs on the terminal.
logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)


class ChessBoard:
    """A board of python-chess with the face that ``engine.rmobility`` asks for (``goals.GameBoard``)."""

    def __init__(self, board: chess.Board):
        self.board = board

    @property
    def stm(self) -> int:
        return int(not self.board.turn)

    @property
    def clock(self) -> int:
        return self.board.halfmove_clock

    def goal(self) -> int:
        return 2 * self.board.legal_moves.count() + (not self.board.is_check())


@dataclass(frozen=True, slots=True)
class Replayed:
    """Records of the phase and of the whole game, the goal code of the final position, and the moves played."""

    phase: Goal
    whole: Goal
    last: int
    plies: int


def replay(text: str, words: int, rules) -> Replayed | None:
    """Play through a game, None if python-chess finds fault with it or skips any of so many words.

    rules: ``engine.rmobility.archive.Rules``.
    """
    try:
        game = chess.pgn.read_game(io.StringIO(text))
    except Exception:  # rubbish makes it fail in many ways; then it has no opinion
        return None
    if game is None or game.errors:
        return None
    moves = list(game.mainline_moves())
    if len(moves) < words:
        return None
    board = game.board()
    face = ChessBoard(board)
    phase = Goals(face, fifty=rules.fifty, keep_trigger=rules.keep_trigger)
    whole = Goals(face, fifty=rules.fifty, keep_trigger=not rules.wg_trigger, whole_game=True)
    for move in moves:
        board.push(move)
        for goals in (phase, whole):
            if move:
                goals.push(face)
            else:
                goals.push_null()
    return Replayed(phase.record, whole.record, face.goal(), len(moves))
