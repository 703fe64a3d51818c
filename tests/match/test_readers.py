"""Other programs read the games of a match with their comments: chess, Chess960 and games by definition."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import chess.pgn
import chess.polyglot
import pytest

from tests import forked
from tests.annotate.support import SCID_COPIES, nodes
from tests.match.test_published import games_of

OPENINGS = '[Event "x"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n[Event "y"]\n\n1. d4 d5 2. c4 e6 *\n'
ARRAY_960 = "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1"
PATIENCE_S = 120

pytestmark = pytest.mark.slow


@pytest.fixture
def play(executable: Path, tmp_path: Path) -> Callable[..., Path]:
    """The file of a match between two of our engines, with comments."""

    def call(*more: str) -> Path:
        ours = shlex.quote(str(executable))
        engines = [f"--engine=cmd={ours} name={name} nodes={limit}" for name, limit in (("U", 60), ("V", 40))]
        words = [executable, "match", *engines, "-o", "m.pgn", *more]
        done = forked.run(words, cwd=tmp_path, timeout=PATIENCE_S, text=True)
        assert (done.returncode, done.stderr) == (0, "")
        return tmp_path / "m.pgn"

    return call


@pytest.fixture
def whole(play, tmp_path: Path) -> Path:
    (tmp_path / "o.pgn").write_text(OPENINGS)
    return play("--openings", "o.pgn", "--rounds", "2", "--komi", "G3.75")


def test_a_book_of_polyglot_has_the_moves(whole: Path, client_program, tmp_path: Path) -> None:
    words = [
        client_program("polyglot"),
        "make-book",
        "-pgn",
        whole,
        "-bin",
        "m.bin",
        "-min-game",
        "1",
        "-max-ply",
        "20",
    ]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 0 and "illegal" not in done.stdout
    points = {True: {"1-0": 2, "1/2-1/2": 1, "0-1": 0}, False: {"1-0": 0, "1/2-1/2": 1, "0-1": 2}}
    with chess.polyglot.open_reader(tmp_path / "m.bin") as book:
        for game in games_of(whole):
            board = game.board()
            for move in list(game.mainline_moves())[:20]:
                # The book leaves out moves that have never scored.
                if points[board.turn][game.headers["Result"]]:
                    assert move in {entry.move for entry in book.find_all(board)}
                board.push(move)


def test_scid_and_pgn_extract_give_the_games_back(whole: Path, client_program, tmp_path: Path) -> None:
    (tmp_path / "copy.tcl").write_text(SCID_COPIES)
    for words in (
        [client_program("pgn-extract"), "-s", "-o", "copy.pgn", whole],
        [client_program("tkscid"), "copy.tcl", "base", whole, "copy.pgn"],
    ):
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        copies = games_of(tmp_path / "copy.pgn")
        assert len(copies) == 4
        for ours, theirs in zip(games_of(whole), copies, strict=True):
            assert list(nodes(ours)) == list(nodes(theirs)) and ours.headers["Result"] == theirs.headers["Result"]


def test_chess960_is_read_as_chess960(play, client_program, tmp_path: Path) -> None:
    (tmp_path / "o.epd").write_text(ARRAY_960 + "\n")
    path = play("--openings", "o.epd")
    for game in games_of(path):
        assert game.errors == [] and game.board().chess960 and game.board().fen() == ARRAY_960
        assert len(list(game.mainline_moves())) == int(game.headers["PlyCount"])
    (tmp_path / "copy.tcl").write_text(SCID_COPIES)
    words = [client_program("tkscid"), "copy.tcl", "base", path, "copy.pgn"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE_S, check=True)
    assert "chess960" in done.stdout  # Scid does not support Chess960, but recognises it


@pytest.mark.parametrize("name", ["3check", "king-of-the-hill", "racingkings", "antichess"])
def test_games_that_others_know_by_name_are_read_as_such(play, name: str) -> None:
    for game in games_of(play("--variant", name)):
        assert game.errors == []
        end = game.end().board()
        assert type(end) is not chess.Board and end.ply() == int(game.headers["PlyCount"])
        if end.is_variant_end():
            assert end.outcome().result() == game.headers["Result"]


def test_games_that_no_other_program_knows_are_not_taken_for_chess(play) -> None:
    for game in games_of(play("--variant", "capablanca")):
        assert "unsupported variant" in str(game.errors[0])
