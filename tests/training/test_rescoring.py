"""Games rescored by other searches, compared with python-chess and with the original games."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import chess
import pytest

from standstill.engine.training.gamefile import CHECK, packed_head
from standstill.engine.training.reading import games
from standstill.engine.variants.boards import named_game, new_board
from tests.training.naive import Game, read

Run = Callable[..., subprocess.CompletedProcess]
MATE = 16_000


def pairs_of(before: list[Game], after: list[Game]) -> list[tuple[chess.Board, chess.Move, int | None, int | None]]:
    """(position, move, score before, score after) for each ply; only the scores of the games may differ."""
    found = []
    for old, new in zip(before, after, strict=True):
        assert (old.first, old.moves, old.result, old.reason, old.opening) == (
            new.first,
            new.moves,
            new.result,
            new.reason,
            new.opening,
        )
        for (board, move, score), newer in zip(old.boards(), [*new.scores, None], strict=True):
            if move is not None:
                found.append((board.copy(), move, score, newer))
    return found


def mates_at_once(board: chess.Board) -> bool:
    for move in board.legal_moves:
        board.push(move)
        mate = board.is_checkmate()
        board.pop()
        if mate:
            return True
    return False


@pytest.mark.slow
def test_positions_that_teach_have_scores_of_longer_searches(run: Run, tmp_path: Path) -> None:
    assert run("play", "-o", "old", "--games", 48, "--nodes", 20).returncode == 0
    done = run("rescore", "old", "-o", "new", "--every", 1, "--nodes", 400)
    assert done.returncode == 0 and "48 games; " in done.stdout
    (_, before), (about, after) = read(tmp_path / "old"), read(tmp_path / "new")
    assert about["rules"] == {"nodes": 400, "most_nodes": 4000} and about["games"]["rules"]["nodes"] == 20
    found = pairs_of(before, after)
    scored = mates = 0
    for board, move, old, new in found:
        if old is None or board.is_check() or board.is_capture(move) or move.promotion:
            assert new is None
        elif new is not None:
            scored += 1
            if mates_at_once(board):
                assert new == MATE - 1
                mates += 1
    fit = sum(
        old is not None and not board.is_check() and not board.is_capture(move) and not move.promotion
        for board, move, old, _ in found
    )
    assert mates > 10 and 0.8 * fit < scored < fit  # no score if the best move is now a capture


@pytest.mark.slow
def test_one_of_so_many_is_searched(run: Run, tmp_path: Path) -> None:
    run("play", "-o", "old", "--games", 48, "--nodes", 20)
    scored = {}
    for every in (1, 4):
        run("rescore", "old", "-o", f"new{every}", "--every", every, "--nodes", 20)
        scored[every] = sum(score is not None for game in read(tmp_path / f"new{every}")[1] for score in game.scores)
    assert scored[1] / 5 < scored[4] < scored[1] / 3
    told = json.loads(run("stats", "new4", "--json").stdout)
    assert told["different"] <= scored[4] < told["counts"]["plies"] / 4


@pytest.mark.slow
def test_the_file_is_the_same_for_any_number_of_workers_and_after_a_break(run: Run, tmp_path: Path) -> None:
    run("play", "-o", "old", "--games", 48, "--nodes", 20)
    for workers, name in ((1, "a"), (3, "b")):
        assert run("rescore", "old", "-o", name, "--nodes", 50, "--jobs", workers).returncode == 0
    whole = (tmp_path / "a").read_bytes()
    assert (tmp_path / "b").read_bytes() == whole
    for size in (len(whole) // 2, len(whole) - CHECK.size):
        (tmp_path / "b").write_bytes(whole[:size])
        done = run("rescore", "old", "-o", "b", "--nodes", 50)
        assert done.returncode == 0 and "the file already has" in done.stdout
        assert (tmp_path / "b").read_bytes() == whole
    # Games played since the first rescoring are scored as well.
    run("play", "-o", "old", "--games", 64, "--nodes", 20)
    assert "64 games; " in run("rescore", "old", "-o", "b", "--nodes", 50).stdout
    assert (tmp_path / "b").read_bytes().startswith(whole) and len(read(tmp_path / "b")[1]) == 64


@pytest.mark.slow
def test_other_scores_are_not_mixed_in(run: Run, tmp_path: Path) -> None:
    run("play", "-o", "old", "--games", 16, "--nodes", 20)
    run("play", "-o", "older", "--games", 16, "--nodes", 20, "--seed", 2)
    run("rescore", "old", "-o", "new", "--nodes", 50)
    kept = (tmp_path / "new").read_bytes()
    for words in (
        ["old", "-o", "new", "--nodes", 60],
        ["older", "-o", "new", "--nodes", 50],
        ["old", "-o", "new", "--nodes", 50, "--every", 3],
        ["older", "-o", "old", "--nodes", 20],
    ):
        done = run("rescore", *words)
        assert done.returncode == 2 and done.stderr.count("\n") == 1 and "name another file" in done.stderr
    assert run("rescore", "old", "-o", "old").returncode == 2
    assert (tmp_path / "new").read_bytes() == kept


def test_games_that_cannot_be_scored_are_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "records").write_bytes(packed_head({"seed": 1, "starts": "12345678"}))
    (tmp_path / "foreign").write_bytes(b"1. e4 e5")
    run("play", "-o", "old", "--games", 16, "--nodes", 20)
    damaged = bytearray((tmp_path / "old").read_bytes())
    damaged[-100] ^= 1
    (tmp_path / "damaged").write_bytes(damaged)
    for name, words in {
        "records": "'records': expected games for mate, found games for the record",
        "foreign": "'foreign': expected a file of training games, found another kind of file",
        "damaged": "is damaged",
        "missing": "No such file or directory",
    }.items():
        done = run("rescore", name, "-o", "new")
        assert done.returncode == 2 and done.stderr.count("\n") == 1 and words in done.stderr, done.stderr
    assert read(tmp_path / "old")[1]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["capablanca", "3check"])
def test_games_by_definition(run: Run, tmp_path: Path, name: str) -> None:
    run("play", "-o", "old", "--games", 16, "--nodes", 20, "--variant", name)
    assert run("rescore", "old", "-o", "new", "--nodes", 50, "--every", 2).returncode == 0
    scored = 0
    for (_, old), (_, new) in zip(games(str(tmp_path / "old")), games(str(tmp_path / "new")), strict=True):
        assert (old.moves, old.result, old.reason, old.opening) == (new.moves, new.result, new.reason, new.opening)
        board = new_board(game=named_game(name))
        for move, before, after in zip(old.moves, old.scores, new.scores, strict=True):
            if after is not None:
                assert before is not None and not board.noisy(move)
                scored += 1
            board.push(move)
    assert scored > 50
