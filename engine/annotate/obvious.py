"""Moves that are obvious, whatever their evaluation, and moves that sacrifice material."""

from __future__ import annotations

import re

import chess

from .movetext import Movetext
from .replay import PlayedMove, Position, ended, push

MOST_FORCED = 3  # with at most this many legal moves, the move counts as forced
_VALUES = (0, 1, 3, 3, 5, 9, 100)  # values of chess pieces in pawns, indexed by python-chess's piece type
_TARGET = re.compile(r"x([a-p]\d{1,2})")


def is_recapture(game: Movetext, index: int) -> bool:
    """Return whether the move captures on the square of the previous capture."""
    if not index:
        return False
    before, now = (_TARGET.search(game.plies[at].san) for at in (index - 1, index))
    return before is not None and now is not None and before[1] == now[1]


def is_obvious(game: Movetext, index: int, position: Position, move: PlayedMove) -> bool:
    """Return whether the move at ``index`` is a recapture, a mate in one, one of very few legal moves, or a capture
    that costs nothing.

    position: the position before the move; it is unchanged afterwards. In games by definition, whose pieces have no
    fixed values, a capture costs nothing only if the captured piece is unprotected.
    """
    if is_recapture(game, index) or sum(1 for _ in position.legal_moves) <= MOST_FORCED:
        return True
    takes = _TARGET.search(game.plies[index].san)
    push(position, move)
    try:
        over = ended(position)
        if over is not None and over.mate == 0:
            return True
        if takes is not None and not isinstance(position, chess.Board):
            return not _can_take(position, takes[1])
    finally:
        position.pop()
    return takes is not None and exchange(position, move) >= 0


def exchange(position: Position, move: PlayedMove) -> int:
    """Return the material, in pawns, that the move wins if both sides then make all profitable captures on its target
    square.

    A negative number means that the moved piece is sacrificed. The result is 0 in games by definition. Captures on
    other squares are ignored.

    >>> exchange(chess.Board("4k3/8/4p3/3p4/8/8/3Q4/4K3 w - - 0 1"), chess.Move.from_uci("d2d5"))
    -8
    """
    if not isinstance(position, chess.Board) or not isinstance(move, chess.Move) or position.is_castling(move):
        return 0
    taken = position.piece_type_at(move.to_square)
    if position.is_en_passant(move):
        taken = chess.PAWN
    after = position.copy(stack=False)
    after.push(move)
    return (_VALUES[taken] if taken else 0) - _best_capture(after, move.to_square)


def _best_capture(board: chess.Board, square: int) -> int:
    """Return the pawns that the side to move wins by capturing on the square, always with its least valuable piece."""
    takers = sorted(board.attackers(board.turn, square), key=lambda each: _VALUES[board.piece_type_at(each) or 0])
    for taker in takers:
        promotes = board.piece_type_at(taker) == chess.PAWN and chess.square_rank(square) in {0, 7}
        capture = chess.Move(taker, square, chess.QUEEN if promotes else None)
        if board.is_legal(capture):
            after = board.copy(stack=False)
            after.push(capture)
            return max(0, _VALUES[board.piece_type_at(square) or 0] - _best_capture(after, square))
    return 0


def _can_take(position: Position, square: str) -> bool:
    """Return whether the side to move can capture on the square."""
    return any(re.fullmatch(rf"[a-p]\d{{1,2}}{square}\D*", str(move)) for move in position.legal_moves)
