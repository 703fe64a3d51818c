"""Pieces gated in at Seirawan chess shield no king: a move is legal only if it is legal without gating.

Rule: "One cannot use the placing of an elephant or hawk to block check" (S-Chess, musketeerchess.net).
"""

from __future__ import annotations

import random

import pytest

from standstill.engine.archive.fairy_scoring import read_move
from standstill.engine.common.errors import NotationError
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.catalog import Catalog
from standstill.engine.variants.fairymax import parse
from standstill.engine.variants.game_over import game_end
from standstill.engine.variants.notation import fen, move_text
from standstill.protocol.xboard.setup import refused_moves
from tests.variants.files import block, text_of

SEIRAWAN = Catalog().find("seirawan")


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        # The king stays on the rook's rank, whatever is gated in behind it.
        ("6k1/8/8/8/8/8/1r6/2r1K3[H] w E - 0 6", ""),
        # The bishop is pinned by the queen. A king that leaves the rank may gate a piece in.
        ("4k3/8/8/8/8/8/8/4KB1q[Hh] w F - 0 6", "e1d1 e1d2 e1e2 e1f2"),
        # A move that parries the check by itself may gate a piece in.
        (
            "4k3/8/8/8/8/4r3/8/4K1N1[H] w EG - 0 1",
            "e1d1 e1d1h e1d2 e1d2h e1f1 e1f1h e1f2 e1f2h g1e2 g1e2h",
        ),
        ("6k1/8/8/8/8/8/8/r3K1N1[H] w EG - 0 1", "e1d2 e1d2h e1e2 e1e2h e1f2 e1f2h"),
    ],
)
def test_gating_parries_no_check(start: str, expected: str) -> None:
    board = new_board(start, game=SEIRAWAN)
    assert sorted(move_text(board, move) for move in board.legal_moves()) == expected.split()
    assert board.count_legal() == len(expected.split())
    assert game_end(board) == (None if expected else ("0-1", "Black mates"))


def test_a_man_gated_in_may_be_what_a_hopper_needs() -> None:
    """The cannon on a1 captures over a piece gated in on e1: the king may go to f1 only without gating."""
    game = parse(text_of(block("Game: seirawan", "c:400 mRcpR", "h:800 BN", "e:800 RN"))).games[0]
    board = new_board("4k3/8/8/8/8/8/8/c3K3[H] w E - 0 1", game=game)
    moves = {move_text(board, move) for move in board.legal_moves()}
    assert "e1f1" in moves and "e1f1h" not in moves and {"e1f2", "e1f2h", "e1e2h"} <= moves


@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(4, 40))])
def test_fairy_stockfish_gates_the_same(seed: int) -> None:
    pyffish = pytest.importorskip("pyffish")
    rng = random.Random(seed)
    board, theirs = new_board(game=SEIRAWAN), pyffish.start_fen("seirawan")
    for _ in range(80):
        moves = {move_text(board, move): move for move in board.legal_moves()}
        assert set(moves) == set(pyffish.legal_moves("seirawan", theirs, [])), fen(board)
        if not moves:
            return
        checks = sorted(text for text in moves if board.checks(moves[text]))
        text = rng.choice(checks if checks and rng.random() < 0.5 else sorted(moves))
        board.push(moves[text])
        theirs = pyffish.get_fen("seirawan", theirs, [text])


CASTLING_GATES = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R[HEhe] w KQkq - 0 1"


@pytest.mark.parametrize("hand", ["HEhe", "eh", ""])
def test_men_in_hand_behind_a_slash(hand: str) -> None:
    """PyChess 1.0.3 writes rights like this, with a letter for every unmoved piece on the back ranks."""
    placement, rest = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "KQHGFEDCBAkqhgfedcba - 0 1"
    theirs, usual = f"{placement}/{hand} w {rest}", f"{placement}[{hand}] w KQBCDFGkqbcdfg - 0 1"
    assert fen(new_board(theirs, game=SEIRAWAN)) == fen(new_board(usual, game=SEIRAWAN))


@pytest.mark.parametrize("placement", ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/q", "4k3/8/8/8/8/8/8/4K3/H/h"])
def test_what_cannot_be_men_in_hand(placement: str) -> None:
    with pytest.raises(NotationError):
        new_board(f"{placement} w - - 0 1", game=SEIRAWAN)


def test_xboard_is_spared_castling_that_gates_at_the_rook() -> None:
    """XBoard 4.9.1 reads h1e1h as Rh1xd1 and forfeits the next mover's game; it reads e1g1h correctly."""
    board = new_board(CASTLING_GATES, game=SEIRAWAN)
    is_refused = refused_moves(SEIRAWAN)
    refused = {move_text(board, move) for move in board.legal_moves() if is_refused(board, move)}
    assert refused == {"h1e1h", "h1e1e", "a1e1h", "a1e1e"}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("O-O/H", "e1g1h"),  # XBoard
        ("O-O-O/E+", "e1c1e"),
        ("0-0/h", "e1g1h"),
        ("O-O/Ee1", "e1g1e"),  # Fairy-Stockfish
        ("O-O/Hh1", "h1e1h"),
        ("Rd1/E", "a1d1e"),
        ("Ke1-f1/H", "e1f1h"),
        ("Ra1-b1/h", "a1b1h"),
        ("Kf1", "e1f1"),
    ],
)
def test_gating_as_programs_write_it(written: str, meant: str) -> None:
    board = new_board(CASTLING_GATES, game=SEIRAWAN)
    assert move_text(board, read_move(board, written)) == meant


@pytest.mark.parametrize("written", ["O-O/Q", "Kf1/K", "e3/H", "O-O/", "Kf1/HE"])
def test_gating_that_cannot_be(written: str) -> None:
    with pytest.raises(ValueError, match=r"illegal move|expected a move"):
        read_move(new_board(CASTLING_GATES, game=SEIRAWAN), written)
