"""Static exchange evaluation in a game by definition: known cases, with the definition's values."""

from __future__ import annotations

import pytest

from standstill.engine.variants.boards import new_board
from standstill.engine.variants.catalog import Catalog
from standstill.engine.variants.notation import parse_move

ENDINGS = Catalog().find("endings")  # pawn 100, knight and bishop 325, rook 500, queen 950

KNOWN = [
    ("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100),
    ("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100 - 500),
    ("4k3/8/4p3/3q4/8/8/8/3RK3 w - - 0 1", "d1d5", 950 - 500),
    ("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100),
    ("3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100 - 500),
    ("4k3/8/8/8/6p1/8/8/4K1N1 w - - 0 1", "g1f3", -325),
    ("4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", "g1f3", 0),
    ("8/8/8/3pk3/8/8/8/3RK3 w - - 0 1", "d1d5", 100 - 500),
    ("8/8/8/3pk3/8/5B2/8/3RK3 w - - 0 1", "d1d5", 100),  # the king may not take what the bishop defends
    ("4k3/4p3/8/2Pp4/8/8/8/4K3 w - d6 0 1", "c5d6", 0),
    ("4k3/8/8/2Pp4/8/8/8/4K3 w - d6 0 1", "c5d6", 100),
    ("7k/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7b8q", 950 - 100),
    ("5r1k/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7b8q", -100),
    ("4k3/8/3n4/1p6/4P3/3B4/8/4K3 w - - 0 1", "d3b5", 100 - 325),
    ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100),
]


# Cannon 330, soldier 55, rook 600: a cannon takes and retakes over one piece, which may be one that has just captured.
CANNONS = [
    ("3k5/9/4c4/4p4/4p4/9/9/9/4R4/5K3 w - - 0 1", "e2e6", 55 - 600),
    ("3k5/9/4c4/9/4p4/9/9/9/4R4/5K3 w - - 0 1", "e2e6", 55),
    ("3k5/9/4p4/9/4p4/9/4P4/9/4C4/5K3 w - - 0 1", "e2e6", 55),
    ("3k5/4r4/9/9/4p4/9/4P4/9/4C4/5K3 w - - 0 1", "e2e6", 55 - 330),
    ("3k5/4r4/9/9/4p4/9/4P4/4C4/4C4/5K3 w - - 0 1", "e3e6", 55),
]


@pytest.mark.parametrize(("fen", "move", "value"), CANNONS)
def test_exchange_over_platforms(fen: str, move: str, value: int) -> None:
    board = new_board(fen, game=Catalog().find("xiangqi"))
    bits = parse_move(board, move)
    assert [board.exchange_gains(bits, cp) for cp in (value, value + 1)] == [True, False]


@pytest.mark.parametrize(("fen", "move", "value"), KNOWN)
def test_known_exchange(fen: str, move: str, value: int) -> None:
    board = new_board(fen, game=ENDINGS)
    bits = parse_move(board, move)
    assert [board.exchange_gains(bits, cp) for cp in (value, value + 1)] == [True, False]
