"""Single words, tags and initial records in the core's game reader."""

from __future__ import annotations

import chess
import pytest

from standstill.cext.bindings.pgn_games import score_moves
from standstill.engine.archive.scorer import Scorer
from standstill.engine.rmobility.goals import Goals
from standstill.engine.variants.boards import new_board

FIGURINES = "♔♕♖♗♘♙♚♛♜♝♞♟"


@pytest.mark.parametrize("symbol", FIGURINES)
def test_a_figurine_without_a_square_is_not_skipped(symbol: str) -> None:
    """Signs such as ± are skipped, but a figurine is part of a damaged move."""
    text = f"1. e4 {symbol} e5 2. Nf3 *".encode()
    assert score_moves(text, 0, len(text)).word == symbol.encode()
    text = "1. e4 ± e5 2. Nf3 ⩲ *".encode()
    assert score_moves(text, 0, len(text), detail=True).word is None


@pytest.mark.parametrize(
    "fen", [chess.STARTING_FEN, "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "7k/8/5Q2/8/8/8/8/K7 b - - 3 40"]
)
@pytest.mark.parametrize("weaker", [-1, 0, 1])
@pytest.mark.parametrize("owner", [0, 1])
def test_an_earlier_record_stands_unless_the_position_beats_it(fen: str, weaker: int, owner: int) -> None:
    """As in the reference in Python, also if the two are equal and their owners differ."""
    board = new_board(fen)
    given = (owner, board.goal() + weaker)
    found = score_moves(b"*", 0, 1, board, given)
    record = Goals(new_board(fen), given).record
    assert record is not None
    assert found.first == (record.code, record.owner)


@pytest.mark.parametrize("fen", ["", "?", "-"])
def test_an_empty_fen_counts_only_with_setup(fen: str) -> None:
    """Some programs write an empty FEN for the usual start; with `SetUp` the start is unknown."""
    readable = []
    for set_up in ("", '[SetUp "0"]\n', '[SetUp "1"]\n'):
        text = f'[Result "1-0"]\n{set_up}[FEN "{fen}"]\n\n1. e4 e5 1-0\n'.encode()
        readable.append(Scorer().score(text, 0, len(text)).problem is None)
    assert readable == [True, True, False]
