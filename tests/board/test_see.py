"""Static exchange evaluation compared with a plain search of the exchange, written with python-chess.

The core's rules: pieces are worth SEE_CP; each side captures with its cheapest piece, may stop, ignores pins,
and promotes only with the first move; a king does not capture where it would be captured.
"""

from __future__ import annotations

import random

import chess
import pytest

from standstill.cext.chess.chess_board import ChessBoard
from standstill.engine.variants.boards import new_board
from tests.board.support import core, encoded, placed, playout, possible, random_start, reference, set_up

WORTH = {
    chess.PAWN: 100,
    chess.KNIGHT: 320,
    chess.BISHOP: 330,
    chess.ROOK: 500,
    chess.QUEEN: 950,
    chess.KING: 20000,
}
STEPS = sorted(
    {0, 1, -1} | {sign * cp + d for cp in (100, 220, 320, 330, 500, 850, 950) for sign in (1, -1) for d in (-1, 0, 1)}
)


def answers(position: chess.Board, square: int, on_square: int) -> set[int]:
    """Results for the side to move if it captures or stops, for each of its equally cheap capturers."""
    takers = position.attackers(position.turn, square) & position.occupied
    if not takers:
        return {0}
    least = min(takers, key=lambda sq: WORTH[position.piece_type_at(sq)])
    man = position.piece_type_at(least)
    found: set[int] = set()
    for taker in takers:
        if position.piece_type_at(taker) != man:
            continue
        after = position.copy(stack=False)
        after.remove_piece_at(taker)
        after.set_piece_at(square, chess.Piece(man, position.turn))
        after.turn = not position.turn
        if man == chess.KING and after.attackers(after.turn, square):
            found.add(0)
            continue
        found |= {max(0, WORTH[on_square] - reply) for reply in answers(after, square, man)}
    return found


def exchange(position: chess.Board, move: chess.Move) -> set[int]:
    """Possible values of a move: the captured piece minus the best reply on its square."""
    if position.is_castling(move):
        return {0}
    gain = 0
    after = position.copy(stack=False)
    if position.is_en_passant(move):
        gain = WORTH[chess.PAWN]
        after.remove_piece_at(move.to_square ^ 8)
    elif position.piece_at(move.to_square):
        gain = WORTH[position.piece_type_at(move.to_square)]
    man = after.remove_piece_at(move.from_square).piece_type
    if move.promotion:
        man = move.promotion
        gain += WORTH[man] - WORTH[chess.PAWN]
    after.set_piece_at(move.to_square, chess.Piece(man, position.turn))
    after.turn = not position.turn
    return {gain - reply for reply in answers(after, move.to_square, man)}


def compare(board: ChessBoard, position: chess.Board, move: chess.Move) -> None:
    values = exchange(position, move)
    bits = encoded(position, move)
    for cp in STEPS + [value + d for value in values for d in (0, 1)]:
        if cp <= min(values):
            assert board.exchange_gains(bits, cp), (position.fen(), move, cp, values)
        elif cp > max(values):
            assert not board.exchange_gains(bits, cp), (position.fen(), move, cp, values)


@pytest.mark.parametrize("seed", range(4))
def test_moves_of_random_games(seed: int) -> None:
    rng = random.Random(seed)
    board = new_board()
    for position in playout(rng, random_start(rng), 60):
        set_up(board, position)
        moves = list(position.legal_moves)
        for move in rng.sample(moves, min(len(moves), 8)):
            compare(board, position, move)


@pytest.mark.parametrize("seed", range(4))
def test_captures_among_many_men(seed: int) -> None:
    """Long exchanges with pieces lined up behind each other."""
    rng = random.Random(seed)
    board = new_board()
    wanted = 60
    while wanted:
        position = placed(rng, rng.randint(12, 28))
        if possible(position):
            wanted -= 1
            set_up(board, position)
            for move in position.generate_legal_captures():
                compare(board, position, move)


# (FEN, move, value): the first two are CPW's examples ("Static Exchange Evaluation", "SEE - The Swap Algorithm").
KNOWN = [
    ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100),
    ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", 100 - 320),
    ("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100),
    ("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100 - 500),
    ("4k3/8/4p3/3q4/8/8/8/3RK3 w - - 0 1", "d1d5", 950 - 500),
    ("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100),
    ("3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100 - 500),
    ("4k3/8/8/2Pp4/8/8/8/4K3 w - d6 0 1", "c5d6", 100),
    ("4k3/4p3/8/2Pp4/8/8/8/4K3 w - d6 0 1", "c5d6", 0),
    ("5r1k/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7b8q", 950 - 100 - 950),
    ("7k/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7b8q", 950 - 100),
    ("7k/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7b8n", 320 - 100),
    ("8/8/8/3pk3/8/8/8/3RK3 w - - 0 1", "d1d5", 100 - 500),
    ("8/8/8/3pk3/8/5B2/8/3RK3 w - - 0 1", "d1d5", 100),
    ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1", 0),
    ("4k3/8/3p4/8/8/8/8/4K1N1 w - - 0 1", "g1f3", 0),
    ("4k3/8/8/8/6p1/8/8/4K1N1 w - - 0 1", "g1f3", -320),
    ("q3k3/1b6/8/3p4/4P3/5B2/6Q1/4K3 w - - 0 1", "e4d5", 100),
]


@pytest.mark.parametrize(("fen", "move", "value"), KNOWN)
def test_known_exchange(fen: str, move: str, value: int) -> None:
    position = reference(fen)
    bits = encoded(position, position.parse_uci(move))
    board = core(fen)
    assert [board.exchange_gains(bits, cp) for cp in (value, value + 1)] == [True, False]
