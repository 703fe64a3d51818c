"""Games for training: what is played, labelled and kept, and recovery after a kill; compared with python-chess."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import chess
import pytest

from standstill.cext.training.samples import encode
from standstill.cext.training.selfplay import REASONS, ChessPlayer, chess960_array
from standstill.engine.common.errors import TrainingError
from standstill.engine.network.file import write_network
from standstill.engine.rmobility.objectives import classic
from standstill.engine.training.gamefile import GameFile, GameWriter, packed_block, packed_head
from standstill.engine.training.generator import rules_for
from standstill.engine.training.plain import game_of_line
from standstill.engine.variants.boards import new_board, new_evaluator
from standstill.engine.variants.variant import CHESS
from tests.network.nets import random_network
from tests.training.naive import Game, read
from tests.uci.client import clean_environment

Run = Callable[..., subprocess.CompletedProcess]
NODES = 60


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> list[Game]:
    """Games played on one thread, without the command."""
    player = ChessPlayer(new_evaluator(CHESS), classic(), 1, 10, rules_for(NODES))
    path = tmp_path_factory.mktemp("games") / "some.games"
    path.write_bytes(packed_head({}) + packed_block(0, [player.play(number) for number in range(60)]))
    return read(path)[1]  # the reader asserts that every move is legal


def test_arrays_are_those_of_python_chess() -> None:
    for number in range(960):
        board = chess.Board.from_chess960_pos(number)
        assert bytes(board.piece_type_at(file) - 1 for file in range(8)) == chess960_array(number)


def test_games_begin_as_described(played: list[Game]) -> None:
    usual = [game for game in played if game.first.board_fen() == chess.STARTING_BOARD_FEN]
    assert 36 < len(usual) < 60
    for game in played:
        assert 8 <= game.opening <= 10
        assert abs(game.scores[game.opening]) <= 200
        assert chess.popcount(game.first.castling_rights) == 4
    arrays = {(game.first.board_fen().split("/")[0], game.first.board_fen().split("/")[-1]) for game in played}
    assert any(black.upper() == white for black, white in arrays if white != "RNBQKBNR")
    assert any(black.upper() != white for black, white in arrays)


def test_results_are_right(played: list[Game]) -> None:
    seen = set()
    for game in played:
        *_, (board, _, _) = ((board.copy(), move, score) for board, move, score in game.boards())
        white = [
            score if turn else -score for turn, score in ((b.turn, s) for b, _, s in game.boards()) if score is not None
        ]
        reason = REASONS[game.reason]
        seen.add(reason)
        if reason == "mate":
            assert board.is_checkmate() and game.result == board.result()
        elif reason == "adjudged won":
            assert not board.is_game_over()
            sign = 1 if game.result == "1-0" else -1
            assert all(sign * score >= 2500 for score in white[-5:])
        else:
            assert game.result == "1/2-1/2"
            held = {
                "stalemate": board.is_stalemate(),
                "repetition": board.is_repetition(3),
                "50-move rule": board.halfmove_clock >= 100,
                "dead material": len(board.piece_map()) <= 5,
                "adjudged drawn": board.ply() >= 120 and all(abs(score) <= 10 for score in white[-8:]),
            }
            assert held[reason]
    assert {"mate", "adjudged won"} <= seen and len(seen) >= 4


def test_score_of_a_mate_tells_its_plies(played: list[Game]) -> None:
    mates = [game for game in played if REASONS[game.reason] == "mate"]
    assert mates and all(game.scores[-1] == 16000 - 1 for game in mates)
    # In most games the other side saw the mate one ply earlier. In some games the other side did not see it, because
    # its search had few nodes.
    assert sum(game.scores[-2] < -1000 for game in mates) > len(mates) / 2


def test_score_is_that_of_the_side_to_move(played: list[Game]) -> None:
    """The side with an extra rook is better, whichever side is to move."""
    for game in played:
        for board, move, score in game.boards():
            # A mate score says nothing about material.
            if score is None or abs(score) > 15_000 or move is None or board.is_check() or board.is_capture(move):
                continue
            worth = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}
            ahead = sum(
                worth[man.piece_type] * (1 if man.color == board.turn else -1) for man in board.piece_map().values()
            )
            if abs(ahead) >= 8:
                assert score * ahead > 0 or abs(score) < 150


def test_same_number_gives_the_same_game() -> None:
    one, other = (ChessPlayer(new_evaluator(CHESS), classic(), 1, 10, rules_for(NODES)) for _ in range(2))
    first = [one.play(number) for number in (3, 4, 5)]
    assert [other.play(number) for number in (5, 3, 4)] == [first[2], first[0], first[1]]
    different = ChessPlayer(new_evaluator(CHESS), classic(), 1, 8, rules_for(NODES))
    assert different.play(3) != first[0]


@pytest.mark.slow
def test_file_is_the_same_for_any_number_of_workers(run: Run, tmp_path: Path) -> None:
    for workers, name in ((1, "a"), (3, "b")):
        assert run("play", "-o", name, "--games", 32, "--nodes", 20, "--jobs", workers).returncode == 0
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert len(read(tmp_path / "a")[1]) == 32


def test_killed_run_goes_on_without_a_half_game(executable: Path, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "killed"
    words = [executable, "data", "play", "-o", path, "--games", "48", "--nodes", "20", "--jobs", "2"]
    for _ in range(2):
        child = subprocess.Popen(words, stdout=subprocess.DEVNULL, env=clean_environment())
        before = path.stat().st_size if path.exists() else 0
        until = time.monotonic() + 60
        while child.poll() is None and (not path.exists() or path.stat().st_size < before + 400):
            assert time.monotonic() < until
            time.sleep(0.005)
        child.send_signal(signal.SIGKILL)
        child.wait()
        # An incomplete write, as after a full disk or a loss of power.
        path.write_bytes(path.read_bytes() + packed_block(0, [b"x" * 400])[: 60 + before % 200])
    assert run("play", "-o", path, "--games", 48, "--nodes", 20).returncode == 0
    assert run("play", "-o", tmp_path / "whole", "--games", 48, "--nodes", 20).returncode == 0
    assert path.read_bytes() == (tmp_path / "whole").read_bytes()


def test_of_two_runs_that_begin_at_once_one_has_the_file(tmp_path: Path, monkeypatch) -> None:
    """Neither run has seen the other's file. The games of one run would go to a file that no longer has a name."""
    path = str(tmp_path / "x")
    first = GameWriter(path, {"seed": 1})
    monkeypatch.setattr("os.path.exists", lambda path: False)
    with pytest.raises(TrainingError, match="another program is writing games to it"):
        GameWriter(path, {"seed": 1})
    first.append([b""])
    first.close()
    with GameFile(path) as file:
        assert [block.games for block in file] == [1]


def test_other_games_are_not_mixed_in(run: Run, tmp_path: Path) -> None:
    run("play", "-o", "one", "--games", 1, "--nodes", 20)
    done = run("play", "-o", "one", "--games", 2, "--nodes", 21)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "name another file" in done.stderr


def test_network_plays_games_of_its_own(run: Run, tmp_path: Path) -> None:
    for seed in (1, 2):
        write_network(str(tmp_path / f"net{seed}"), random_network(32, seed=seed))
    assert run("play", "-o", "hand", "--games", 1, "--nodes", 20).returncode == 0
    assert run("play", "-o", "one", "--games", 1, "--nodes", 20, "--eval-file", "net1").returncode == 0
    assert read(tmp_path / "one")[1][0].moves != read(tmp_path / "hand")[1][0].moves
    for name in ("none", "net2"):
        done = run("play", "-o", "one", "--games", 2, "--nodes", 20, "--eval-file", name)
        assert done.returncode == 2 and "evaluation" in done.stderr and "name another file" in done.stderr
    done = run("play", "-o", "other", "--games", 1, "--eval-file", "hand")
    assert done.returncode == 2 and "not a network of this engine" in done.stderr and not (tmp_path / "other").exists()


def test_mean_plays_games_of_its_own(run: Run, tmp_path: Path) -> None:
    write_network(str(tmp_path / "net"), random_network(32))
    assert run("play", "-o", "net-alone", "--games", 1, "--nodes", 20, "--eval-file", "net").returncode == 0
    assert run("play", "-o", "mean", "--games", 1, "--nodes", 20, "--eval-file", "net", "--mean").returncode == 0
    head, games = read(tmp_path / "mean")
    assert games[0].moves != read(tmp_path / "net-alone")[1][0].moves
    assert head["evaluation"].startswith("mean of hand-crafted and noise ")
    done = run("play", "-o", "mean", "--games", 2, "--nodes", 20, "--eval-file", "net")
    assert done.returncode == 2 and "evaluation" in done.stderr and "name another file" in done.stderr
    done = run("play", "-o", "no-net", "--games", 1, "--eval-file", "none", "--mean")
    assert done.returncode == 2 and "--mean: expected a network" in done.stderr
    assert not (tmp_path / "no-net").exists()


@pytest.mark.parametrize("words", [["play", "-o", "{}"], ["stats", "{}"], ["show", "{}"]])
def test_foreign_file_is_refused_and_kept(run: Run, tmp_path: Path, words: list[str]) -> None:
    path = tmp_path / "text"
    path.write_text("Not games.\n" * 10)
    done = run(*(word.format(path) for word in words))
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "expected a file of training games" in done.stderr
    assert path.read_text() == "Not games.\n" * 10


@pytest.mark.parametrize(
    "words", [["play", "-o", "."], ["stats", "."], ["show", "nothing"], ["import", "nothing", "-o", "x"]]
)
def test_folder_or_missing_file_is_refused(run: Run, words: list[str]) -> None:
    done = run(*words, *(["--origin", "x"] if words[0] == "import" else []))
    assert done.returncode == 2 and done.stderr.count("\n") == 1


def test_damaged_byte_is_found(run: Run, tmp_path: Path) -> None:
    run("play", "-o", "whole", "--games", 4, "--nodes", 20)
    data = (tmp_path / "whole").read_bytes()
    for place in (0, 9, 14, 40, len(data) // 2, len(data) - 2):
        changed = bytearray(data)
        changed[place] ^= 0x55
        (tmp_path / "damaged").write_bytes(changed)
        done = run("stats", "damaged")
        assert done.returncode == 2 and done.stderr.count("\n") == 1, place


def test_file_with_an_illegal_move_is_refused(run: Run, tmp_path: Path) -> None:
    game = bytearray(encode(new_board(), True, [12 | 28 << 6], 0, [10], 1))
    game[4:6] = (12 | 36 << 6).to_bytes(2, "little")  # e2e5
    (tmp_path / "x").write_bytes(packed_head({}) + packed_block(0, [bytes(game)]))
    for words in (["stats", "x"], ["show", "x"]):
        done = run(*words)
        assert done.returncode == 2 and "illegal move at ply 1" in done.stderr


LINE = "-|e2e4 e7e5|1-0|g1f3:30 b8c6:-31 f1c4:28 g8f6:-20 e1g1:16000 f6e4:-16000\n"


def test_plain_text_is_imported_and_shown(run: Run, tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text(LINE)
    done = run("import", "x.txt", "-o", "x", "--origin", "by hand")
    assert (done.returncode, done.stdout) == (0, "1 game\n")
    about, (game,) = read(tmp_path / "x")
    assert about["origin"] == "by hand" and game.result == "1-0" and game.opening == 2
    assert game.scores == [None, None, 30, -31, 28, -20, 16000, -16000]
    shown = run("show", "x").stdout
    assert "  2.   Nf3        +0.30\n  2... Nc6        +0.31\n" in shown and "O-O" in shown and "random" in shown


@pytest.mark.parametrize(
    ("old", "found"),
    [
        (packed_head({"seed": 1}), "games that were played"),
        (b"no games", "another file"),
        (b"", ""),
        (packed_head({"origin": "someone"}), ""),
    ],
)
def test_an_import_replaces_imported_games_only(run: Run, tmp_path: Path, old: bytes, found: str) -> None:
    (tmp_path / "x.txt").write_text(LINE)
    (tmp_path / "x").write_bytes(old)
    done = run("import", "x.txt", "-o", "x", "--origin", "by hand")
    if not found:
        assert (done.returncode, done.stdout) == (0, "1 game\n")
        return
    told = f"standstill: 'x': expected a new file or imported games to replace, found {found}\n"
    assert (done.returncode, done.stderr) == (2, told)
    assert (tmp_path / "x").read_bytes() == old


def test_an_import_does_not_replace_games_that_were_played(run: Run, tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text(LINE)
    assert run("play", "-o", "x", "--games", 1, "--nodes", 20).returncode == 0
    old = (tmp_path / "x").read_bytes()
    done = run("import", "x.txt", "-o", "x", "--origin", "by hand")
    told = "standstill: 'x': expected a new file or imported games to replace, found games that were played\n"
    assert (done.returncode, done.stderr) == (2, told)
    assert (tmp_path / "x").read_bytes() == old


def test_plain_text_may_begin_with_a_byte_order_mark(run: Run, tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text(LINE, encoding="utf-8-sig", newline="\r\n")
    done = run("import", "x.txt", "-o", "x", "--origin", "by hand")
    assert (done.returncode, done.stdout) == (0, "1 game\n")


@pytest.mark.slow
def test_a_full_disk_is_named_with_the_file(run: Run, executable: Path, tmp_path: Path) -> None:
    run("play", "-o", "x", "--games", 4, "--nodes", 20)
    limited = ["/bin/sh", "-c", 'ulimit -f 4; trap "" XFSZ; exec "$@"', "sh", str(executable)]
    limited += ["data", "play", "-o", "x", "--games", "400", "--nodes", "20"]
    done = subprocess.run(limited, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (2, "standstill: cannot write 'x': File too large\n")


def test_only_rules_that_differ_are_named(run: Run, tmp_path: Path) -> None:
    run("play", "-o", "x", "--games", 1, "--nodes", 20)
    done = run("play", "-o", "x", "--games", 2, "--nodes", 21)
    told = 'its games have rules {"most_nodes": 200, "nodes": 20}, not {"most_nodes": 210, "nodes": 21}'
    assert (done.returncode, done.stderr) == (2, f"standstill: 'x': {told}; name another file\n")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("-|e2e4|1-0", "expected START"),
        ("-|e2e4|2-0|e7e5:1", "expected a result"),
        ("-|e2e4|1-0|e7e5", "expected move:centipawns"),
        ("-|e2e4|1-0|e7e9:1", "expected a move in coordinates"),
        ("-|e2e4|1-0|e2e4:1", "illegal move at ply 2"),
        ("rubbish|e2e4|1-0|e7e5:1", "FEN"),
    ],
)
def test_wrong_line_is_named(run: Run, tmp_path: Path, line: str, words: str) -> None:
    (tmp_path / "x.txt").write_text(LINE + line + "\n")
    done = run("import", "x.txt", "-o", "x", "--origin", "by hand")
    assert done.returncode == 2 and "line 2" in done.stderr and words in done.stderr
    assert not (tmp_path / "x").exists()


def test_packed_moves_of_every_kind_come_back() -> None:
    line = "r3k2r/P6p/8/3pP3/8/8/1p4P1/R3K2R w KQkq d6 0 1||1/2-1/2|e5d6:1 b2a1q:-1 e1f2:2 e8c8:3 a7a8n:4 h7h5:5 h1h5:6"
    assert game_of_line(line)
