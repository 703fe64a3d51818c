"""The real executable with R-Mobility tables: values, distances, hits, and what they do not cover."""

from __future__ import annotations

import math
import os
import random
import re
import shutil
import zlib
from collections.abc import Callable
from itertools import accumulate
from pathlib import Path

import chess
import pytest

from standstill.engine.tablebases import probing
from standstill.engine.tablebases.store import SUPPLIED, TableStore
from standstill.engine.tablebases.table_file import TableFile, open_table
from standstill.engine.variants.boards import new_board
from tests.rmobility.naive import code_of
from tests.uci.client import Client

from .conftest import Run
from .test_tables_command import random_board

BISHOP = "6k1/8/5K2/5B2/8/8/8/8 b - - 0 1"
# White can take the pawn: the tables of three pieces begin one ply away.
FOUR_MEN = "8/8/8/3k4/8/2p5/1K6/3B4 w - - 0 1"


@pytest.fixture
def player(start: Callable[..., Client], folder: Path) -> Client:
    return with_tables(start, folder)


def with_tables(start: Callable[..., Client], path: Path, mode: str = "Decisive") -> Client:
    client = start()
    client.ask("uci", "uciok")
    client.send(f"setoption name RMobility value {mode}", f"setoption name RMobilityTablePath value {path}")
    return client


def tail(lines: list[str], word: str) -> list[str]:
    return [line for line in lines if word in line]


def hits(lines: list[str]) -> int:
    return max((int(line.split(" tbhits ")[1].split()[0]) for line in lines if " tbhits " in line), default=0)


def test_the_value_is_told_and_the_moves_are_the_nearest(player: Client) -> None:
    lines = player.search("go depth 4", f"fen {BISHOP}")
    assert "info string rmobility table G0.5 in 8" in lines
    assert "info string 6 R-Mobility tables, up to 3 men" in lines
    assert hits(lines) > 0


def living(folder: Path, count: int) -> list[tuple[str, int, bool]]:
    """Random endings of king and pawn against king without mate: (FEN, goal code, whether the side to move owns it)."""
    store, rng, found = TableStore(str(folder)), random.Random(43), []
    while len(found) < count:
        board = random_board(rng, "P")
        tried = probing.chess_board(board.fen())
        final = probing.look_up(store, tried, probing.record_of(tried, None))
        code, owner = probing.record_behind(final.outcome)
        if code and final.plies < 60:
            found.append((board.fen(), code, owner == tried.stm))
    return found


@pytest.mark.parametrize("mode", ["Decisive", "Points", "Tiebreak"])
def test_a_proven_outcome_has_the_score_of_its_goal(start: Callable[..., Client], folder: Path, mode: str) -> None:
    """A pawn is left, so without tables the search scores records as estimates below a pawn or two."""
    player = with_tables(start, folder, mode)
    player.send("setoption name InsufficientMaterialDraw value false", "setoption name UCI_ShowWDL value true")
    for fen, code, ours in living(folder, 8):
        line = tail(player.search("go depth 3", f"fen {fen}"), "info depth ")[-1]
        found = re.search(r"score cp (-?\d+) wdl (\d+) (\d+) (\d+)", line)
        assert found is not None, line
        sign = 1 if ours else -1
        # Points: the evaluation with the same expected result, on the curve on which 62 centipawns are half a win.
        worth = {"Decisive": 15000 - code, "Points": round(-62 * math.log2(1 - 2.0**-code)), "Tiebreak": 0}[mode]
        chances = ("0", "1000", "0") if mode != "Decisive" else ("1000", "0", "0") if ours else ("0", "0", "1000")
        assert (int(found[1]), found.groups()[1:]) == (sign * worth, chances), (fen, line)


def test_the_third_occurrence_keeps_the_record(start: Callable[..., Client], folder: Path) -> None:
    """Black would lose the record to the bishop, but repeats the position a third time."""
    player = with_tables(start, folder)
    fen, shuffle = "8/8/8/3k4/8/8/8/K2B4 w - - 0 1 -G3.0", "d1c2 d5d4 c2d1 d4d5 d1c2 d5d4 c2d1"
    lines = player.search("go depth 3", f"fen {fen} moves {shuffle}")
    assert "info string rmobility table -G3.0 in 0" in lines and lines[-1].startswith("bestmove d4d5")
    assert " score cp 14994 " in tail(lines, "info depth ")[-1]
    player.send("ucinewgame")
    lines = player.search("go depth 3", f"fen {fen} moves {' '.join(shuffle.split()[:3])}")
    assert "info string rmobility table -G3.0 in 0" not in lines, "the second occurrence ends no game"


def test_what_tables_prove_is_searched_once(player: Client) -> None:
    """Deeper iterations would print the same lines; there were once 236 of them."""
    player.send("setoption name MultiPV value 2", "position fen 8/8/8/4k3/8/8/8/KQ6 w - - 0 1")
    lines = player.search("go wtime 60000 btime 60000")
    assert [line.split(" nodes ")[0] for line in tail(lines, "info depth ")] == [
        f"info depth 1 seldepth 1 multipv {rank} score mate 9" for rank in (1, 2)
    ]
    player.send("go infinite")
    player.synchronise()
    lines = player.ask("stop", "bestmove")
    assert lines[-1].startswith("bestmove ")
    deeper = player.search("go depth 6", f"fen {FOUR_MEN}")  # only some positions of the search are in the tables
    assert any(line.startswith("info depth 6 ") for line in deeper)


def test_a_move_that_no_table_knows_is_searched_on(start: Callable[..., Client], folder: Path) -> None:
    """Capturing the rook leads into the tables, other moves do not. The capture counts once though searched twice."""
    player = with_tables(start, folder, "Points")
    player.send("setoption name InsufficientMaterialDraw value false")
    lines = player.search("go depth 4", "fen 8/5k2/8/8/8/4B3/r7/K7 w - - 0 1")
    assert tail(lines, "info depth 4 ")


def test_the_search_asks_below_the_root(player: Client) -> None:
    lines = player.search("go depth 6", f"fen {FOUR_MEN}")
    assert hits(lines) > 0
    assert not tail(lines, "rmobility table")


def test_tables_of_three_men_come_with_the_program(start: Callable[..., Client]) -> None:
    client = start()
    client.send("setoption name RMobility value Decisive")
    lines = client.search("go depth 4", f"fen {BISHOP}")
    assert "info string rmobility table G0.5 in 8" in lines
    assert not tail(lines, "R-Mobility tables")


def test_records_of_the_whole_game_have_tables_too(start: Callable[..., Client]) -> None:
    """With record G3.5 Black takes the bishop, and two kings cannot improve the record."""
    client = start()
    client.send("setoption name RMobility value Decisive", "setoption name RMobilityScope value WholeGame")
    client.send("setoption name RMobilityRecord value G3.5")
    lines = client.search("go depth 2", "fen 8/8/8/8/8/k7/B7/4K3 b - - 0 1")
    assert "info string rmobility table G3.5 in 0" in lines


def test_supplied_tables_are_those_that_are_built(folder: Path, tables: Run, tmp_path: Path) -> None:
    """Compared byte by byte after decompression, because compressed bytes differ between versions of zlib."""
    assert tables(tmp_path, "--whole-game", "build", "--men", "3").returncode == 0
    built = [*folder.iterdir(), *tmp_path.iterdir()]
    assert sorted(path.name for path in built) == sorted(path.name for path in Path(SUPPLIED).iterdir())
    for path in built:
        fresh, supplied = open_table(str(path)), open_table(str(Path(SUPPLIED) / path.name))
        same = ("name", "kind", "whole_game", "width", "size", "entries", "dictionary", "statistics", "pair")
        assert [getattr(fresh, field) for field in same] == [getattr(supplied, field) for field in same]
        assert unpacked(fresh) == unpacked(supplied)


def unpacked(table: TableFile) -> bytes:
    ends = list(accumulate(table.block_sizes))
    return b"".join(
        zlib.decompress(table.blocks[end - size : end], -15) for size, end in zip(table.block_sizes, ends, strict=True)
    )


@pytest.mark.parametrize("commands", [["RMobility value Off"], ["RMobilityTablePath value none"]])
def test_tables_may_be_left_out(player: Client, commands: list[str]) -> None:
    for command in commands:
        player.send(f"setoption name {command}")
    assert hits(player.search("go depth 4", f"fen {BISHOP}")) == 0


def test_tables_are_not_asked_where_dead_material_ends_the_game(start: Callable[..., Client], folder: Path) -> None:
    client = with_tables(start, folder, "Tiebreak")
    assert hits(client.search("go depth 4", f"fen {FOUR_MEN}")) == 0
    client.send("setoption name InsufficientMaterialDraw value false")
    assert hits(client.search("go depth 4", f"fen {FOUR_MEN}")) > 0


def test_a_damaged_table_is_named_and_the_engine_plays_on(
    start: Callable[..., Client], folder: Path, tmp_path: Path
) -> None:
    for path in folder.iterdir():
        shutil.copy(path, tmp_path)
    data = bytearray((tmp_path / "KBvK.rmv").read_bytes())
    data[20] ^= 1
    (tmp_path / "KBvK.rmv").write_bytes(data)
    lines = with_tables(start, tmp_path).search("go depth 4", f"fen {BISHOP}")
    assert len(tail(lines, "KBvK.rmv: the header is damaged; playing without it")) == 1
    assert "info string rmobility table G0.5 in 8" in lines, "the program's own table takes its place"


@pytest.mark.parametrize(("lost", "said"), [("KBvK", "KBvK"), ("K", "KvK and 5 more")])
def test_tables_without_plies_are_named(start: Callable[..., Client], folder: Path, tmp_path: Path, lost, said) -> None:
    """Tables without plies replace the supplied tables but cannot be probed; the engine once silently played without
    tables."""
    for path in folder.iterdir():
        if not (path.suffix == ".rmd" and path.name.startswith(lost)):
            shutil.copy(path, tmp_path)
    lines = with_tables(start, tmp_path).search("go depth 2", f"fen {BISHOP}")
    assert f"info string expected plies (*.rmd) beside each table, missing for {said}: not probed" in lines
    assert hits(lines) == 0


def test_a_folder_without_tables_is_told(start: Callable[..., Client], tmp_path: Path) -> None:
    lines = with_tables(start, tmp_path).search("go depth 2", f"fen {BISHOP}")
    assert f"info string expected R-Mobility tables (*.rmv), found none in {tmp_path}" in lines
    assert "info string 6 R-Mobility tables, up to 3 men" in lines


def test_tables_come_from_several_folders(start: Callable[..., Client], folder: Path, tmp_path: Path) -> None:
    more = tmp_path / "more"
    more.mkdir()
    (more / "KQvKR.rmv").write_bytes(b"not a table")
    lines = with_tables(start, Path(f"{folder}{os.pathsep}{more}")).search("go depth 2", f"fen {BISHOP}")
    assert len(tail(lines, "KQvKR.rmv: not a table of Standstill")) == 1
    assert not tail(lines, "found none in")
    assert "info string rmobility table G0.5 in 8" in lines


@pytest.mark.sampled(2)
@pytest.mark.parametrize("men", ["B", "n", "P", "Q", ""])
def test_every_position_is_played_to_its_value(player: Client, folder: Path, men: str) -> None:
    """Both sides play by the tables, and the final record comes exactly when predicted."""
    store, rng = TableStore(str(folder)), random.Random(men)
    for _ in range(2):
        board = random_board(rng, men)
        record = code_of(board), int(board.turn == chess.WHITE)
        promised = probing.look_up(store, new_board(board.fen()), record)
        start_fen, played = board.fen(), []
        while record_outcome(record) != promised.outcome and len(played) <= promised.plies:
            lines = player.search("go nodes 200", f"fen {start_fen} moves {' '.join(played)}")
            played.append(lines[-1].split()[1])
            reset = board.is_zeroing(chess.Move.from_uci(played[-1]))
            board.push_uci(played[-1])
            code = code_of(board)
            if reset or code < record[0]:
                record = code, int(board.turn == chess.WHITE)
        assert (len(played), record_outcome(record)) == (promised.plies, promised.outcome), start_fen


def record_outcome(record: tuple[int, int]) -> int:
    return probing.outcome(record)
