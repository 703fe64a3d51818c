"""The level endings from which R-Mobility matches start."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import chess

from standstill.engine.match.openings import read_openings

PATH = Path(__file__).resolve().parents[1] / "data" / "endings.epd"


def test_endings_are_many_and_various() -> None:
    boards = [chess.Board(opening.fen) for opening in read_openings(str(PATH))]
    assert len(boards) >= 300
    assert len({board.epd() for board in boards}) == len(boards)
    men = {chess.popcount(board.occupied) for board in boards}
    assert (min(men), max(men)) == (2, 10)
    assert all(80 < count < len(boards) - 80 for count in Counter(board.turn for board in boards).values())
    assert not any(board.is_check() or board.is_checkmate() or board.is_stalemate() for board in boards)
