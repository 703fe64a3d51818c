"""King and pawn against king: the core's bitbase compared with Syzygy tables."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import chess
import chess.syzygy
import pytest

from standstill.cext.endings.king_pawn import king_and_pawn_wins
from standstill.engine.variants.boards import new_board

TABLES = Path(__file__).resolve().parents[1] / "data" / "syzygy"


def test_wins_are_those_of_the_tables() -> None:
    """Every 97th placement with the pawn on files a to d, with both sides to move."""
    board = chess.Board(None)
    with chess.syzygy.open_tablebase(str(TABLES)) as tables:
        for king, pawn, other in list(product(range(64), range(8, 56), range(64)))[::97]:
            if pawn % 8 > 3 or len({king, pawn, other}) < 3 or chess.square_distance(king, other) < 2:
                continue
            board.clear()
            board.set_piece_at(king, chess.Piece(chess.KING, chess.WHITE))
            board.set_piece_at(pawn, chess.Piece(chess.PAWN, chess.WHITE))
            board.set_piece_at(other, chess.Piece(chess.KING, chess.BLACK))
            for turn in (True, False):
                board.turn = turn
                if turn and board.attackers(chess.WHITE, other):
                    continue
                won = tables.probe_wdl(board) == (2 if turn else -2)
                assert king_and_pawn_wins(king, pawn, other, turn) == won, board.fen()
                mirrored = (king ^ 7, pawn ^ 7, other ^ 7, turn)
                assert king_and_pawn_wins(*mirrored) == won, board.fen()


@pytest.mark.parametrize(
    ("fen", "dead"),
    [
        ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", False),
        ("4k3/8/8/4K3/4P3/8/8/8 b - - 0 1", True),
        ("8/8/8/8/4p3/4k3/8/4K3 w - - 0 1", False),
        ("8/8/8/p7/k7/8/8/K7 w - - 0 1", True),
        ("8/8/8/pp6/k7/8/8/K7 w - - 0 1", False),  # the bitbase does not cover two pawns
    ],
)
def test_a_pawn_that_cannot_win_is_dead_material(fen: str, dead: bool) -> None:
    assert new_board(fen).dead == dead
    assert new_board(chess.Board(fen).mirror().fen()).dead == dead


def test_impossible_squares_are_refused() -> None:
    with pytest.raises(ValueError, match="rank 2 to 7"):
        king_and_pawn_wins(0, 60, 20, True)
