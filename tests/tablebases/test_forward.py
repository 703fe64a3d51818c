"""Bounds proven from positions ahead, compared with the tables that were withheld."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import pytest

from standstill.cext.base.constants import BLACK, WHITE
from standstill.engine.archive.syzygy import Tables
from standstill.engine.tablebases import forward, probing
from standstill.engine.tablebases.store import SUPPLIED, TableStore
from standstill.engine.variants.notation import fen
from tests.knowledge.support import TABLES as SYZYGY

from .conftest import Run
from .test_tables_command import random_board


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All tables of three pieces except those of king and pawn."""
    found = tmp_path_factory.mktemp("tables")
    for file in Path(SUPPLIED).iterdir():
        if not file.name.startswith("KPvK"):
            shutil.copy(file, found)
    return found


def rank(record: probing.Record) -> int:
    return probing.outcome(record)


@pytest.mark.parametrize("whole_game", [pytest.param(False, marks=pytest.mark.slow), True])
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_the_true_outcome_lies_within_the_bounds(folder: Path, whole_game: bool, seed: int) -> None:
    """4 MB are enough for some 5700 states, and for a proof in about half of the positions."""
    all_tables, store = TableStore(SUPPLIED, whole_game=whole_game), TableStore(str(folder), whole_game=whole_game)
    rng, proven = random.Random(seed), 0
    for _ in range(10):
        board = probing.chess_board(random_board(rng, "P").fen())
        given = (rng.randrange(2, 20), rng.randrange(2)) if rng.random() < 0.5 else None
        held = probing.record_of(board, given)
        before = fen(board)
        found = forward.solve(store, board, given, seconds=600, memory_mb=4)
        assert fen(board) == before and found.states < 7000
        truth = probing.record_behind(probing.look_up(all_tables, board, held).outcome)
        assert rank(found.bounds.low) <= rank(truth) <= rank(found.bounds.high), (before, given)
        proven += found.bounds.is_proven
        values = {entry.move: entry.value.outcome for entry in probing.move_values(all_tables, board, held)}
        assert values.keys() == {move for move, _ in found.moves}
        for move, bounds in found.moves:
            assert rank(bounds.low) <= values[move] <= rank(bounds.high), (before, given, move)
    assert proven >= 3


@pytest.mark.parametrize(
    ("position", "words", "status", "said"),
    [
        ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", (), 0, "proven: G0.0, record -G43.5"),
        ("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", (), 0, "proven: G0.5, record G0.5"),
        ("7k/6N1/5K2/8/4N3/8/8/8 w - - 0 1", ("--memory", "1"), 1, "not proven: at least -G0.5 for White, record"),
        ("8/5pk1/R7/8/8/6P1/r5K1/8 w - - 0 1", ("--memory", "1"), 1, "not proven: no bound found, record -G6.0"),
        ("8/8/8/2K3k1/8/8/8/8 w - - 0 1", ("--record", "-G6.0"), 0, "proven: -G6.0, record -G6.0"),
    ],
)
def test_the_command_says_what_is_proven(
    tables: Run, folder: Path, position: str, words: tuple[str, ...], status: int, said: str
) -> None:
    done = tables(folder, "solve", position, *words)
    assert (done.returncode, done.stderr) == (status, "") and done.stdout.startswith(said)
    if not status:
        return
    found = json.loads(tables(folder, "solve", position, *words, "--json").stdout)
    head, *lines, _, hint = done.stdout.splitlines()
    assert not found["proven"] and found["positions"] > 0 and "analyse FEN" in hint
    bounded = {move: (value["least"], value["most"]) for move, value in found["moves"].items()}
    assert (f"at least {found['least']}" in head) == (found["least"] != "-G0.0")
    assert (f"at most {found['most']}" in head) == (found["most"] != "G0.0")
    unknown = sum(bounds == ("-G0.0", "G0.0") for bounds in bounded.values())
    shown = [line.split()[1:] for line in lines if not line.startswith(("  no bound", "    "))]
    assert len(shown) + unknown == len(bounded)
    assert [f"no bound found for {unknown} moves"] * (unknown > 0) == [
        line.strip().split(":")[0] for line in lines if line.startswith("  no bound")
    ]


def test_syzygy_tables_prove_mates_and_their_absence(tmp_path: Path) -> None:
    """With them alone, each of 40 positions is a proven mate, or a draw with the true outcome within the bounds."""
    truths, nothing, syzygy = TableStore(SUPPLIED), TableStore(str(tmp_path)), Tables(SYZYGY)
    rng, mates = random.Random(3), 0
    for _ in range(40):
        board = probing.chess_board(random_board(rng, rng.choice("PRQ")).fen())
        held = probing.record_of(board, None)
        truth = probing.record_behind(probing.look_up(truths, board, held).outcome)
        with_syzygy = forward.solve(nothing, board, None, seconds=600, memory_mb=1, mating_side=syzygy.mating_side)
        low, high = with_syzygy.bounds
        if truth == (0, WHITE):
            mates += 1
            assert low == high == truth and with_syzygy.moves
        else:
            assert rank((1, BLACK)) <= rank(low) <= rank(truth) <= rank(high) <= rank((1, WHITE))
        values = {entry.move: entry.value.outcome for entry in probing.move_values(truths, board, held)}
        for move, bounds in with_syzygy.moves:
            assert rank(bounds.low) <= values[move] <= rank(bounds.high), (fen(board), move)
    assert 10 < mates < 40


def test_syzygy_tables_answer_the_command(tables: Run, folder: Path, tmp_path: Path) -> None:
    won = "8/8/8/3k4/8/8/8/K6R w - - 0 1"
    done = tables(folder, "solve", won, "--syzygy", str(SYZYGY))
    assert done.returncode == 0 and done.stdout.startswith("proven: G0.0, record -G16.5\n  ")
    done = tables(folder, "solve", won, "--syzygy", str(tmp_path))
    assert done.returncode == 2 and "expected Syzygy tables" in done.stderr


def test_bad_input_is_named(tables: Run, folder: Path) -> None:
    for words in (("8/8/8/8/8/8/8/8 w - - 0 1",), ("8/8/8/2K3k1/8/8/8/8 w - - 0 1", "--record", "G"), ()):
        done = tables(folder, "solve", *words)
        assert done.returncode == 2 and ("expected" in done.stderr or "Missing argument" in done.stderr)
