"""Pieces attacked by less valuable pieces, for ordering quiet moves (docs/search.md), compared with python-chess."""

from __future__ import annotations

import random

import chess
import pytest

from standstill.engine.variants.boards import named_game, new_board
from tests.board.support import encoded, placed, playout, possible, random_start, set_up

WEIGHT = {chess.KNIGHT: 1, chess.BISHOP: 1, chess.ROOK: 2, chess.QUEEN: 4}
LESSER = {
    chess.KNIGHT: [chess.PAWN],
    chess.BISHOP: [chess.PAWN],
    chess.ROOK: [chess.PAWN, chess.KNIGHT, chess.BISHOP],
    chess.QUEEN: [chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK],
}


def in_danger(position: chess.Board, man: int, square: int) -> bool:
    attackers = position.attackers(not position.turn, square)
    return any(position.piece_type_at(attacker) in LESSER[man] for attacker in attackers)


def expected(position: chess.Board, move: chess.Move) -> int:
    man = position.piece_type_at(move.from_square)
    if man not in WEIGHT:
        return 0
    leaves, enters = (in_danger(position, man, square) for square in (move.from_square, move.to_square))
    return WEIGHT[man] * (leaves - enters)


@pytest.mark.parametrize("seed", range(4))
def test_moves_of_random_games_and_positions(seed: int) -> None:
    rng = random.Random(seed)
    board = new_board()
    found = set()
    crowded = [position for position in (placed(rng, rng.randint(12, 28)) for _ in range(200)) if possible(position)]
    for position in [*playout(rng, random_start(rng), 60), *crowded]:
        set_up(board, position)
        for move in position.legal_moves:
            threat = board.threat(encoded(position, move))
            assert threat == expected(position, move), (position.fen(), move)
            found.add(threat)
    assert found == {-4, -2, -1, 0, 1, 2, 4}


def test_a_board_that_does_not_look_says_nothing() -> None:
    board = new_board(game=named_game("capablanca"))
    assert {board.threat(move) for move in board.legal_moves()} == {0}
