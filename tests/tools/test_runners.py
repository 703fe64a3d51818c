"""The comparison of foreign match runners with our referee: it accepts right games, and notices every mistake."""

from __future__ import annotations

import io
import subprocess
from pathlib import Path

import chess
import chess.pgn
import pytest

from standstill.engine.match.orthodox import OrthodoxReferee
from standstill.engine.match.referee import MatchRules
from standstill.engine.match.setup import Opening
from standstill.engine.rmobility.scoring import Terms
from tools.measure.play import runners

KINGS = "8/8/8/2K3k1/8/8/8/8 w - - 0 1"
RULES = MatchRules(terms=Terms(komi=(21, 0)), longest=1_000_000)  # G5.25
SHUFFLE = "Kd5 Kf5 Kc5 Kg5 Kd5 Kf5 Kc5 Kg5"


def game(moves: str = SHUFFLE, fen: str = KINGS, **tags: str) -> str:
    """A game with the tags that a right runner writes, except for those given."""
    board = chess.Board(fen)
    referee = OrthodoxReferee(Opening(fen), RULES)
    for word in moves.split():
        move = board.parse_san(word)
        board.push(move)
        referee.push(move)
    end, record = referee.end(), referee.record
    assert record is not None
    result = end[0] if end is not None else "*"
    told = {"Result": result, "RMobilityResult": str(record), "RMobilityPly": str(record.ply), "FEN": fen, "SetUp": "1"}
    if result == "1/2-1/2":
        told["Result"] = RULES.terms.result(record)
    if result in ("1-0", "0-1"):
        told |= {"RMobilityResult": "G0.0" if result == "1-0" else "-G0.0", "RMobilityPly": str(referee.plies)}
    written = chess.pgn.Game.from_board(board)
    written.headers.update(told | tags)
    return f"{written}\n\n"


def wrong(text: str) -> list[str]:
    return runners.compared(text, RULES)[0]


def test_right_games_have_no_difference() -> None:
    mate = game("f3 e5 g4 Qh4#", chess.STARTING_FEN)
    lost = game("e4 e5", chess.STARTING_FEN, Result="1-0", RMobilityResult="G0.0", RMobilityPly="2")
    found, ends, plies = runners.compared(game() + mate + lost, RULES)
    assert (found, plies) == ([], 14)
    assert dict(ends) == {
        "threefold repetition, decided by komi": 1,
        "mate": 1,
        "on the clock or unfinished, 1-0, decided by komi": 1,
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (game(RMobilityResult="-G8.5"), "game 1: expected 0-1 -G5.5 2, found 0-1 -G8.5 2"),
        (game(RMobilityPly="4"), "game 1: expected 0-1 -G5.5 2, found 0-1 -G5.5 4"),
        (game(Result="1/2-1/2"), "game 1: expected 0-1 -G5.5 2, found 1/2-1/2 -G5.5 2"),
        (game(f"{SHUFFLE} Kd5"), "game 1: goes on after threefold repetition at ply 8"),
        (game(SHUFFLE.rsplit(" ", 1)[0], Result="0-1"), "game 1: expected 0-1 -G0.0 7, found 0-1 -G5.5 2"),
    ],
)
def test_a_mistake_is_noticed(text: str, said: str) -> None:
    assert wrong(text) == [said]


def test_openings_differ_and_can_be_played() -> None:
    found = list(runners.openings(1, 100))
    assert len(set(found)) == 100 and found == list(runners.openings(1, 100))
    few = [board for board in map(chess.Board, found) if chess.popcount(board.occupied) < 8]
    assert len(few) == 50 and any(board.halfmove_clock for board in few)


def test_sources_are_patched_and_built_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, patch = tmp_path / "source", tmp_path / "one.patch"
    source.mkdir()
    (source / "hello").write_text("before\n")
    patch.write_text("--- a/hello\n+++ b/hello\n@@ -1 +1 @@\n-before\n+after\n")
    build = (("sh", "-c", "cat hello c/rmobility.h > program"),)
    monkeypatch.setattr(runners, "WORK", tmp_path / "work")
    monkeypatch.setitem(runners.RUNNERS, "cutechess", runners.Runner("c", build, "program", (), ""))
    for _ in range(2):  # the second call would fail to apply the patch again
        program = runners.built("cutechess", source, patch)
    assert program.read_text().startswith("after\n/* R-Mobility for match runners")
    assert (source / "hello").read_text() == "before\n"
    patch.write_text("--- a/none\n+++ b/none\n@@ -1 +1 @@\n-before\n+after\n")
    monkeypatch.setattr(runners, "WORK", tmp_path / "again")
    with pytest.raises(subprocess.CalledProcessError):
        runners.built("cutechess", source, patch)


def test_games_of_chess960_are_replayed() -> None:
    board = chess.Board.from_chess960_pos(10)
    told = chess.pgn.Game()
    told.setup(board)
    told.add_main_variation(next(iter(board.legal_moves)))
    read = chess.pgn.read_game(io.StringIO(str(told)))
    assert read is not None and read.board().chess960
    assert runners.difference(read, RULES)[1] == "on the clock or unfinished, *"
