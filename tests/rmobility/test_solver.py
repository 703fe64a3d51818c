"""The solver for two and three pieces, compared with published distributions of values and with invariants."""

from __future__ import annotations

import functools
import random

import chess
import numpy as np
import pytest

from . import solver
from .naive import code_of

# For each value: the number of positions and the most plies until it is reached. White is to move; positions are
# counted on the full board.
PUBLISHED = {
    "": "+G1.5 44 1, +G2.5 124 1, +G3.5 404 1, +G4.5 32 1, +G5.5 988 13, -G8.5 396 0, -G5.5 1216 14, -G4.5 32 0, "
    "-G3.5 332 0, -G2.5 28 0, -G1.5 16 0",
    "B": "+G0.5 7360 17, +G1.5 185924 45",
    "N": "+G0.5 2844 27, +G1.0 16 1, +G1.5 14992 23, +G2.0 360 1, +G2.5 10972 11, +G3.0 292 1, +G3.5 175972 29, "
    "+G5.5 48 39",
    "P": "+G0.0 124960 55, +G0.5 16872 41, +G1.5 18 7, +G2.5 3564 17, +G3.5 1184 9, +G4.5 62 5, +G5.5 14722 17, "
    "-G8.5 1770 4, -G5.5 138 8, -G4.5 6 2, -G3.5 18 4, -G2.5 6 2, -G1.5 4 2, -G0.5 4 0",
}


def distribution(man: str) -> str:
    found = solver.solved(man)
    scores = found.fresh[0][found.codes[0] >= 0]
    values = solver.score_of(scores)
    plies = np.abs(scores - solver.PLY * values)
    parts = []
    for value in sorted(set(values.tolist()), reverse=True):
        there = values == value
        parts.append(f"{text(value)} {there.sum()} {plies[there].max()}")
    return ", ".join(parts)


def text(value: int) -> str:
    return f"{'+' if value > 0 else '-'}G{(solver.TOP - abs(value)) / 2}"


# An ending of two kings and a piece takes five to ten seconds to solve, one with a pawn longer.
slow = functools.partial(pytest.param, marks=pytest.mark.slow)


@pytest.mark.parametrize("man", ["", slow("B"), slow("N"), slow("P")])
def test_values_are_the_published_ones(man: str) -> None:
    assert distribution(man) == PUBLISHED[man]


@pytest.mark.parametrize(
    ("fen", "record", "value"),
    [
        ("8/8/8/2K3k1/8/8/8/8 w - - 0 1", None, "-G8.5"),
        ("8/8/8/3K2k1/8/8/8/8 b - - 0 1", (17, False), "-G5.5"),
        slow("8/8/8/4KBk1/8/8/8/8 b - - 0 1", (4, False), "+G1.5"),
        slow("8/8/8/4KBk1/8/8/8/8 b - - 0 1", (3, False), "+G5.5"),
        slow("8/8/8/8/8/8/3k4/K2B4 w - - 0 1", None, "+G1.5"),
    ],
)
def test_values_with_records_are_the_published_ones(fen: str, record, value: str) -> None:
    outcome = int(solver.score_of(solver.score(chess.Board(fen), record)))
    assert text(outcome) == value


@pytest.mark.parametrize("man", ["", slow("N")])
def test_every_value_is_the_best_of_the_moves(man: str) -> None:
    """Check random states with records; python-chess counts moves and goals."""
    rng = random.Random(man or "K")
    found = solver.solved(man)
    places = np.argwhere(found.codes >= 2)
    for _ in range(300):
        side, white_king, square, black_king = map(int, places[rng.randrange(len(places))])
        board = chess.Board(None)
        board.set_piece_at(white_king, chess.Piece(chess.KING, chess.WHITE))
        board.set_piece_at(black_king, chess.Piece(chess.KING, chess.BLACK))
        if man:
            board.set_piece_at(square, chess.Piece.from_symbol(man))
        board.turn = side == 0
        code = code_of(board)
        assert code == found.codes[side, white_king, square, black_king]
        record = (rng.randint(2, code), rng.random() < 0.5)
        behind = []
        for move in board.legal_moves:
            resets = board.is_zeroing(move)
            board.push(move)
            reached = code_of(board)
            kept = record if not resets and reached >= record[0] else (reached, board.turn == chess.BLACK)
            behind.append(int(solver.score_of(solver.score(board, kept))))
            board.pop()
        best = max(behind) if board.turn else min(behind)
        assert int(solver.score_of(solver.score(board, record))) == best
