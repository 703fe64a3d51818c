"""`legal` accepts the listed moves and no other 32 bits; the hash table, killers and users
may pass any bits to it."""

from __future__ import annotations

import random

import pytest

from standstill.cext.chess.chess_board import ChessBoard
from standstill.engine.variants.boards import new_board
from tests.board.support import KIWIPETE, core, pack, placed, playout, possible, random_start, reference, set_up

# Positions with en passant, castling of both kinds, promotions, pins, checks.
FENS = [
    KIWIPETE,
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "8/8/8/K1PpP2r/8/8/8/4k3 w - d6 0 1",
    "r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R w KQkq - 0 1",
    "1rkr4/p6p/8/1Pp2pP1/8/8/P6P/1RKR4 w DBdb c6 0 2",
    "4k3/8/8/8/8/8/8/r1RK3R w HC - 0 1",
    "4k3/8/8/8/1b2r3/8/3P4/4K3 w - - 0 1",
]


def everything(position_squares: list[int]) -> list[int]:
    """Moves between these squares with all kinds, promotions and intermediate squares that the fields can hold, and
    some others."""
    vias = [0, 1, 7, 56, 63, 64, 255, *position_squares[:6]]
    return [
        pack(from_sq, to_sq, via, promotion, kind)
        for from_sq in position_squares
        for to_sq in position_squares
        for via in vias
        for promotion in (0, 1, 3, 4, 5, 31)
        for kind in range(8)
    ]


def neighbours(move: int) -> list[int]:
    """All encodings that differ from the move in one bit or one field."""
    fields = ((0, 256), (8, 256), (16, 256), (24, 32), (29, 8))
    words = [move ^ 1 << bit for bit in range(32)]
    for shift, size in fields:
        cleared = move & ~((size - 1) << shift)
        words += [cleared | value << shift for value in range(size)]
    return words


def wrongly_judged(board: ChessBoard, words: list[int]) -> list[str]:
    listed = set(board.legal_moves())
    return [hex(word) for word in words if board.legal(word) != (word in listed)]


@pytest.mark.parametrize("fen", FENS)
def test_words_near_a_legal_move(fen: str) -> None:
    board = core(fen)
    assert not wrongly_judged(board, [word for move in board.legal_moves() for word in neighbours(move)])


@pytest.mark.sampled(2)
@pytest.mark.parametrize("fen", FENS)
def test_combinations_of_fields(fen: str) -> None:
    squares = [*random.Random(fen).sample(range(64), 14), 64, 255]
    assert not wrongly_judged(core(fen), everything(squares))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("fen", FENS)
def test_every_pair_of_squares_as_every_kind(fen: str) -> None:
    words = [pack(a, b, via, p, kind) for a in range(64) for b in range(64) for kind in range(8)
             for via, p in ((0, 0), (b ^ 8, 0), (b, 0), (0, 4), (7, 0), (56, 0))]  # fmt: skip
    assert not wrongly_judged(core(fen), words)


@pytest.mark.parametrize("seed", range(3))
def test_random_words_in_random_games(seed: int) -> None:
    rng = random.Random(seed)
    board = new_board()
    for position in playout(rng, random_start(rng), 100):
        set_up(board, position)
        assert not wrongly_judged(board, [rng.getrandbits(32) for _ in range(3000)]), position.fen()


@pytest.mark.parametrize("seed", range(3))
def test_moves_of_other_positions(seed: int) -> None:
    """Hash table and killers supply moves that were legal in other positions."""
    rng = random.Random(seed)
    board = new_board()
    words: list[int] = []
    for _ in range(6):
        for position in playout(rng, random_start(rng), 80):
            set_up(board, position)
            assert not wrongly_judged(board, words), position.fen()
            words = [*words[-1500:], *board.legal_moves()]


@pytest.mark.parametrize("seed", range(3))
def test_words_near_a_legal_move_of_placed_men(seed: int) -> None:
    rng = random.Random(seed)
    board = new_board()
    for _ in range(60):
        position = placed(rng, rng.randint(3, 24))
        if possible(position):
            set_up(board, position)
            words = [word for move in board.legal_moves()[:12] for word in neighbours(move)]
            assert not wrongly_judged(board, words), position.fen()


@pytest.mark.parametrize("word", [0, 0xFFFFFFFF, pack(4, 6, 7, 0, 3), pack(12, 28, 0, 0, 1)])
def test_a_board_refuses_to_play_what_is_not_legal(word: int) -> None:
    board = core("4k3/8/8/8/8/8/8/4K3 w - - 0 1")
    with pytest.raises(ValueError, match="illegal move"):
        board.push(word)


def test_two_legal_moves_never_share_their_bits() -> None:
    for fen in FENS:
        moves = core(fen).legal_moves()
        assert len(set(moves)) == len(moves) == reference(fen).legal_moves.count()
