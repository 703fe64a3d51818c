"""`standstill variants balance`: statistics of the engine's own games, counted again by python-chess."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import chess
import pytest

from standstill.engine.match.balance import Share
from tests import forked
from tests.match.support import games_in


def test_intervals_are_wilsons() -> None:
    """Values from Wilson's formula in a textbook (Agresti and Coull, 1998: 0 of 20, and 3 of 10 by hand)."""
    assert Share(0, 20).interval == pytest.approx((0.0, 0.161), abs=5e-4)
    assert Share(3, 10).interval == pytest.approx((0.108, 0.603), abs=5e-4)
    assert Share(0, 0).interval == (0.0, 1.0)


def test_games_are_counted_and_continued(executable: Path, tmp_path: Path) -> None:
    def run(games: int, *more: str) -> tuple[int, str]:
        words = [str(executable), "variants", "balance", "normal", "--games", str(games), "--nodes", "30", *more]
        done = forked.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=200, check=False)
        return done.returncode, done.stdout + done.stderr

    assert run(2)[0] == 0
    before = (tmp_path / "normal.pgn").read_text(encoding="utf-8")
    status, said = run(3)
    assert status == 0 and said.startswith("3/3: ")  # only the third game is played
    assert (tmp_path / "normal.pgn").read_text(encoding="utf-8").startswith(before)
    games = games_in(tmp_path / "normal.pgn")
    results = Counter(game.headers["Result"] for game in games)
    for what, result in (("White wins", "1-0"), ("drawn", "1/2-1/2"), ("Black wins", "0-1")):
        assert int(re.search(rf"^{what} +(\d+) ", said, re.MULTILINE)[1]) == results[result]
    ends = [game.end().board() for game in games]
    assert len({str(board) for board in ends}) == 3  # each game has its own opening
    left = sum(len(board.pieces(chess.KNIGHT, chess.WHITE)) for board in ends)
    assert re.search(r"^  N +(\d+\.\d) %", said, re.MULTILINE)[1] == f"{100 * left / 6:.1f}"
    lengths = sorted(len(list(game.mainline_moves())) for game in games)
    assert f"Length       {lengths[1]} half-moves" in said
    status, said = run(2, "--openings", "start", "-o", "start.pgn")
    assert status == 0 and "standstill: 1 of 2 games repeat others move by move: the intervals" in said
    status, said = run(3, "--nodes", "40")
    assert status == 2 and "has games of another match" in said
