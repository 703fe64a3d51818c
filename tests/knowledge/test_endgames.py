"""Endgame tables: which moves are kept. Tables of three pieces are in tests/data.

Ranks are also compared with those of Fathom, a prober in C packaged by Debian.
"""

from __future__ import annotations

import contextlib
import os
import random
import re
import shutil
import subprocess
from pathlib import Path

import chess
import chess.syzygy
import pytest

from standstill.engine.common.errors import TablebaseError
from standstill.engine.play.advice import Adviser, in_time
from standstill.engine.play.endgames import BLESSED_LOSS, CURSED_WIN, DRAW, LOSS, WIN, Endgames, is_drawn, rank
from standstill.engine.settings.options import Settings
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.notation import fen, move_text, parse_move, san
from tests.knowledge.support import LOST, TABLES, WON, kept, positions, verdict, won_starts

# ---- the moves that are kept ----


@pytest.mark.slow
@pytest.mark.parametrize("clock", [0, 92, *(pytest.param(clock, marks=pytest.mark.slow) for clock in (15, 70))])
def test_ranks_agree_with_fathom(tables: Endgames, client_program, foreign_environment, clock: int) -> None:
    """From clock 20 on, kept moves must make progress, so they are only some of Fathom's best moves."""
    fathom = client_program("fathom")
    for position in positions(40, seed=clock):
        board = new_board(f"{position} {clock} 60")
        command = [fathom, f"--path={TABLES}", fen(board)]
        answer = subprocess.run(
            command, capture_output=True, text=True, check=True, timeout=60, env=foreign_environment
        ).stdout
        by_distance = answer.partition("returned from DTZ probe\n")[2].partition("returned from WDL probe")[0]
        ranks = dict(re.findall(r"^(\S+) rank = (-?\d+)", by_distance, re.MULTILINE))
        legal = {san(board, move).rstrip("+#"): move for move in board.legal_moves()}
        assert set(ranks) == set(legal), fen(board)
        best = max(int(value) for value in ranks.values())
        theirs = {legal[text] for text, value in ranks.items() if int(value) == best}
        ours = verdict(tables, board)
        assert set(ours.moves) <= theirs if clock >= 20 else set(ours.moves) == theirs, fen(board)
        assert ours.moves
        assert ours.result == {"Win": 1, "Loss": -1}.get(re.search(r'\[WDL "(\w+)"', answer)[1], 0), fen(board)


def test_a_win_that_the_clock_spoils_is_a_draw(tables: Endgames) -> None:
    """King and rook need more than ten plies here."""
    assert verdict(tables, new_board(WON)).result == 1
    assert verdict(tables, new_board(WON.replace("0 1", "90 60"))).result == 0
    assert verdict(tables, new_board(LOST)).result == -1
    assert verdict(tables, new_board(LOST.replace("0 1", "90 60"))).result == 0


def test_the_clock_spoils_a_win_in_one_ply_and_not_before(tables: Endgames, reader) -> None:
    """python-chess reads the distance of the position itself; we probe the positions after its moves."""
    sides = set()
    for position in positions(40, seed=23, men="QR"):
        plies = reader.probe_dtz(chess.Board(f"{position} 0 1"))
        if plies:
            last = 100 - abs(plies)
            side = 1 if plies > 0 else -1
            assert verdict(tables, new_board(f"{position} {last} 60")).result == side, position
            assert verdict(tables, new_board(f"{position} {last + 1} 60")).result == 0, position
            sides.add(side)
    assert sides == {1, -1}


def test_without_a_fifty_move_rule_the_clock_spoils_nothing(tables: Endgames) -> None:
    board = new_board(WON.replace("0 1", "90 60"))
    board.clock_limit = 1 << 20
    assert verdict(tables, board).result == 1


def test_only_the_opposition_draws(tables: Endgames) -> None:
    board = new_board("3k4/8/3K4/3P4/8/8/8/8 b - - 0 1")
    assert kept(tables, board) == {"d8c8", "d8e8"}
    board = new_board("8/8/4k3/8/4K3/4P3/8/8 w - - 0 1")
    assert verdict(tables, board).result == 0
    board = new_board("8/8/4k3/8/4K3/4P3/8/8 b - - 0 1")
    assert verdict(tables, board).result == -1
    board = new_board("8/4k3/8/8/4K3/4P3/8/8 b - - 0 1")
    assert kept(tables, board) == {"e7e6"}


def test_a_mate_counts_as_the_nearest_way(tables: Endgames) -> None:
    board = new_board("7k/8/6K1/8/8/8/8/R7 w - - 40 60")
    assert kept(tables, board) == {"a1a8"}


def test_chosen_moves_are_judged_among_themselves(tables: Endgames) -> None:
    board = new_board("7k/8/6K1/8/8/8/8/R7 w - - 99 60")
    quiet = parse_move(board, "a1a7")
    found = tables.verdict(board, [quiet])
    assert (found.moves, found.result) == ([quiet], 0)


def test_castling_rights_and_more_men_are_not_covered(tables: Endgames) -> None:
    assert tables.men == 3
    assert tables.covers(new_board(WON))
    assert not tables.covers(new_board("4k3/8/8/8/8/8/8/4K2R w K - 0 1"))
    assert not tables.covers(new_board("4k3/8/8/8/8/8/7R/4K2R w - - 0 1"))


def test_a_missing_table_is_no_verdict(tmp_path: Path) -> None:
    for name in ("KQvK.rtbw", "KQvK.rtbz"):
        shutil.copy(TABLES / name, tmp_path)
    tables = Endgames([str(tmp_path)])
    assert verdict(tables, new_board(WON)) is None
    assert verdict(tables, new_board("8/8/8/4k3/8/8/8/K6Q w - - 0 1")).result == 1


def test_results_alone_keep_what_does_not_lose_the_win(tmp_path: Path) -> None:
    for path in TABLES.glob("*.rtbw"):
        shutil.copy(path, tmp_path)
    tables = Endgames([str(tmp_path)])
    board = new_board("8/8/8/8/3k4/8/8/K6R w - - 30 40")
    found = verdict(tables, board)
    assert found.result == 1
    assert len(found.moves) == len(board.legal_moves())


def test_if_time_runs_out_only_moves_of_known_distance_count(tables: Endgames, monkeypatch) -> None:
    """The simulated clock advances each time it is read."""
    board = new_board("8/8/8/8/3k4/8/8/K6R w - - 0 40")
    legal = len(board.legal_moves())
    clock = iter(range(1000))
    monkeypatch.setattr("standstill.engine.play.endgames.time.monotonic", lambda: next(clock))
    assert len(verdict(tables, board, seconds=legal + 5.5).moves) == 5
    assert len(verdict(tables, board, seconds=legal + 0.5).moves) == legal
    assert verdict(tables, board, seconds=legal - 1.5) is None


def test_a_hurried_side_takes_a_nearest_move(tables: Endgames, reader) -> None:
    for start in won_starts(reader, 10, seed=11):
        board = new_board(start)
        (move,) = verdict(tables, board).moves
        position = chess.Board(start)
        position.push_uci(move_text(board, move))
        assert (
            position.is_checkmate()
            or position.halfmove_clock == 0
            or (-reader.probe_dtz(position) + 1 <= reader.probe_dtz(chess.Board(start)))
        )


def test_a_repetition_ends_the_freedom(tables: Endgames) -> None:
    board = new_board(WON)
    free = kept(tables, board)
    for move in ("h1g1", "d5d4", "g1h1", "d4d5"):
        board.push(parse_move(board, move))
    assert kept(tables, board) < free


def test_the_third_occurrence_is_no_win(tables: Endgames) -> None:
    board = new_board(WON)
    for move in ["h1g1", "d5d4", "g1h1", "d4d5", "h1g1", "d5d4", "g1h1", "d4d5"][:-2]:
        board.push(parse_move(board, move))
    # A third occurrence needs Black's help, so Black's moves are probed.
    board.push(parse_move(board, "g1h1"))
    again = parse_move(board, "d4d5")
    assert verdict(tables, board).result == 0
    assert tables.verdict(board, [again]).result == 0
    others = [move for move in board.legal_moves() if move != again]
    assert tables.verdict(board, others).result == -1


# ---- ranks ----


def test_ranks_are_ordered_as_the_results() -> None:
    """From best to worst: win, cursed win, draw, blessed loss, loss, whatever the clock."""
    for clock in range(0, 100, 3):
        won = rank(100 - clock, clock, False)
        spoiled, saved = rank(101, clock, False), rank(-101, clock, False)
        lost = rank(-1, min(clock, 90), False)
        assert won > spoiled > 0 > saved > lost
        ranks = (won, spoiled, 0, saved, lost)
        assert [is_drawn(value, True) for value in ranks] == [False, True, True, True, False]
        assert [is_drawn(value, False) for value in ranks] == [False, False, True, False, False]


def test_a_won_side_is_free_until_the_clock_is_near_or_it_has_repeated() -> None:
    assert rank(20, 0, False) == rank(60, 39, False) > rank(61, 39, False)
    assert rank(20, 0, True) > rank(21, 0, True)


def test_a_lost_side_takes_the_longest_way_where_that_may_help() -> None:
    assert rank(-10, 0, False) == rank(-30, 0, False)
    assert rank(-60, 0, False) > rank(-50, 0, False)


class MadeUp:
    """Tables in which the result depends on the square of the white king."""

    def __init__(self, results: dict[str, int]):
        self.wdl = {"KRvK": None}
        self._results = results

    def probe_wdl(self, position: chess.Board) -> int:
        return -self._results.get(chess.square_name(position.king(chess.WHITE)), LOSS)

    def probe_dtz(self, position: chess.Board) -> int:
        return {WIN: 10, CURSED_WIN: 110, DRAW: 0, BLESSED_LOSS: -110, LOSS: -10}[self.probe_wdl(position)]


@pytest.mark.parametrize(
    ("results", "merge", "expected", "result"),
    [
        ({"a2": WIN, "b1": CURSED_WIN, "b2": DRAW}, False, {"a1a2"}, 1),
        ({"a2": WIN, "b1": CURSED_WIN, "b2": DRAW}, True, {"a1a2"}, 1),
        ({"a2": CURSED_WIN, "b1": DRAW, "b2": BLESSED_LOSS}, False, {"a1a2"}, 0),
        ({"a2": CURSED_WIN, "b1": DRAW, "b2": BLESSED_LOSS}, True, {"a1a2", "a1b1", "a1b2"}, 0),
        ({"a2": DRAW, "b1": DRAW}, False, {"a1a2", "a1b1"}, 0),
        ({"a2": BLESSED_LOSS}, False, {"a1a2"}, 0),
        ({"a2": BLESSED_LOSS}, True, {"a1a2"}, 0),
    ],
)
def test_draws_may_be_ordered_or_all_alike(results: dict, merge: bool, expected: set, result: int) -> None:
    """If R-Mobility is on, the tables must not choose among drawing moves."""
    tables = Endgames([])
    tables.tables = MadeUp(results)
    board = new_board("7k/8/8/8/8/8/8/K5R1 w - - 0 1")
    moves = [parse_move(board, move) for move in ("a1a2", "a1b1", "a1b2")]
    found = tables.verdict(board, moves, merge_draws=merge)
    assert ({move_text(board, move) for move in found.moves}, found.result) == (expected, result)


# ---- bad files ----

DAMAGED = {
    "empty": b"",
    "noise": random.Random(3).randbytes(272),
    "cut": (TABLES / "KQvK.rtbw").read_bytes()[:200],
    "of another kind": (TABLES / "KQvK.rtbz").read_bytes(),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("content", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_table_is_left_out_with_a_line(tmp_path: Path, content: bytes) -> None:
    for path in TABLES.glob("*.rtb?"):
        shutil.copy(path, tmp_path)
    (tmp_path / "KQvK.rtbw").write_bytes(content)
    tables = Endgames([str(tmp_path)])
    assert len(tables.complaints) == 1
    assert "KQvK.rtbw" in tables.complaints[0]
    assert verdict(tables, new_board(WON)).result == 1
    assert verdict(tables, new_board("8/8/8/4k3/8/8/8/K6Q w - - 0 1")) is None


@pytest.mark.parametrize("seed", range(6))
def test_damage_further_inside_is_an_error_of_its_own(tmp_path: Path, seed: int) -> None:
    """Noise after valid first bytes: the reader fails in many ways, or loops; the caller gets one kind of error."""
    noise = random.Random(seed)
    for name in ("KRvK.rtbw", "KRvK.rtbz"):
        whole = bytearray((TABLES / name).read_bytes())
        whole[4:] = noise.randbytes(len(whole) - 4)
        (tmp_path / name).write_bytes(whole)
    tables = Endgames([str(tmp_path)])
    assert tables.complaints == []
    with contextlib.suppress(TablebaseError):  # random bytes may also decode to a result
        in_time(0.2, lambda: verdict(tables, new_board(WON)))


@pytest.mark.parametrize("paths", [["/no/such/folder"], ["{empty}"], ["{empty}", "/no/such/folder"]])
def test_folders_without_tables_are_named(tmp_path: Path, paths: list[str]) -> None:
    folders = [path.format(empty=tmp_path) for path in paths]
    tables = Endgames(folders)
    assert (tables.men, tables.files) == (0, 0)
    for folder, complaint in zip(folders, tables.complaints, strict=True):
        assert folder in complaint
        # Words that make XBoard consider an engine dead.
        assert not re.search("not found|no such file|permission denied", complaint, re.IGNORECASE)


def test_several_folders_are_one_set(tmp_path: Path, monkeypatch) -> None:
    """Several folders in one option, with paths beside engine.ini."""
    for name, folder in (("KRvK", "a"), ("KQvK", "b")):
        (tmp_path / folder).mkdir()
        for path in TABLES.glob(f"{name}.*"):
            shutil.copy(path, tmp_path / folder)
    monkeypatch.setattr("standstill.engine.settings.config.locate", lambda: str(tmp_path / "engine.ini"))
    settings = Settings()
    settings["SyzygyPath"] = f"{tmp_path / 'a'}{os.pathsep} b{os.pathsep}"
    heard: list[str] = []
    Adviser(heard.append).follow(settings)
    assert heard == ["4 endgame tables, up to 3 men"]
