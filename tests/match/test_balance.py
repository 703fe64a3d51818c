"""`standstill variants balance`: statistics of the engine's own games, counted again by python-chess."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import chess
import pytest

from standstill.engine.match.balance import Balance, Share
from standstill.engine.match.statistics import Estimate
from standstill.engine.web.workshop.balance_report import verdict
from tests import forked
from tests.match.support import games_in


def test_intervals_are_wilsons() -> None:
    """Values from Wilson's formula in a textbook (Agresti and Coull, 1998: 0 of 20, and 3 of 10 by hand)."""
    assert Share(0, 20).interval == pytest.approx((0.0, 0.161), abs=5e-4)
    assert Share(3, 10).interval == pytest.approx((0.108, 0.603), abs=5e-4)
    assert Share(0, 0).interval == (0.0, 1.0)


@pytest.mark.slow
def test_games_are_counted_and_continued(executable: Path, tmp_path: Path) -> None:
    def run(games: int, *more: str) -> tuple[int, str]:
        words = [str(executable), "variants", "balance", "normal", "--games", str(games), "--nodes", "30", *more]
        done = forked.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=200, check=False)
        return done.returncode, done.stdout + done.stderr

    assert run(2, "--html", "page.html")[0] == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    before = (tmp_path / "normal.pgn").read_text(encoding="utf-8")
    status, said = run(3)
    assert status == 0 and said.startswith("3/3: ")  # only the third game is played
    assert (tmp_path / "normal.pgn").read_text(encoding="utf-8").startswith(before)
    games = games_in(tmp_path / "normal.pgn")
    white = [game.headers["Result"] for game in games[:2]].count("1-0")
    assert f'<th scope="row">White wins</th><td>{white}</td><td>{50 * white:.1f} %</td>' in page
    assert "<script" not in page and "2 games of the engine with itself, 30 nodes for each move" in page
    assert run(2, "--html", "normal.pgn")[0] == 2
    assert run(9, "--html", "none/page.html")[0] == 2  # before any game
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


@pytest.mark.slow
def test_json_has_an_object_for_each_game_and_the_statistics(executable: Path, tmp_path: Path) -> None:
    command = [str(executable), "variants", "balance", "losalamos", "--games", "2", "--nodes", "20", "--json"]
    done = forked.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=200, check=True)
    first, *middle, last = map(json.loads, done.stdout.splitlines())
    assert first == {"played": 0, "of": 2, "tally": [0, 0, 0], "faults": 0} and len(middle) == 2
    results = re.findall(r'\[Result "(.*)"\]', (tmp_path / "losalamos.pgn").read_text(encoding="utf-8"))
    tally = [results.count(each) for each in ("1-0", "1/2-1/2", "0-1")]
    assert middle[-1]["tally"] == tally == [count for count, *_ in last["balance"]["results"]]
    assert last["balance"]["survivors"][0].keys() == {"letter", "white", "black"}


def test_a_verdict_needs_an_interval_on_one_side() -> None:
    def said(mean: float, error: float | None) -> str:
        share = Share(5, 10)
        return verdict(Balance((share,) * 3, Estimate(mean, error), (1, 2, 3), Counter()))

    assert said(0.6, 0.05) == "White scores 60.0 % ± 5.0: White is better."
    assert said(0.4, 0.05).endswith("Black is better.") and said(0.55, 0.06).endswith("shown to be better.")
    assert said(1.0, None) == "White scores 100.0 %."
