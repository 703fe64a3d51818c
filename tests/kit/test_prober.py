"""The prober for python-chess agrees with the core's on random positions of all supplied classes."""

from __future__ import annotations

import importlib.util
import random
import shutil
import sys
from pathlib import Path
from types import ModuleType

import chess
import pytest

from standstill import rmobility
from standstill.engine.common.errors import TablebaseError
from standstill.engine.tablebases.store import SUPPLIED

from .test_c_file import FOLDER


@pytest.fixture(scope="module")
def prober() -> ModuleType:
    spec = importlib.util.spec_from_file_location("kit_rmobility", FOLDER / "rmobility.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["kit_rmobility"] = module  # NamedTuple looks its module up
    spec.loader.exec_module(module)
    return module


def positions(seed: int, count: int) -> list[chess.Board]:
    rng, found = random.Random(seed), []
    while len(found) < count:
        board = chess.Board(None)
        board.turn = rng.random() < 0.5
        men = [
            chess.KING,
            chess.KING,
            *rng.choice([[], [chess.QUEEN], [chess.ROOK], [chess.BISHOP], [chess.KNIGHT], [chess.PAWN]]),
        ]
        squares = rng.sample(range(64), len(men))
        for at, (kind, square) in enumerate(zip(men, squares, strict=True)):
            colour = at == 0 if at < 2 else rng.random() < 0.5
            board.set_piece_at(square, chess.Piece(kind, colour))
        if board.is_valid():
            found.append(board)
    return found


@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", range(3))
def test_goals_and_plies_are_the_core_s(prober: ModuleType, seed: int) -> None:
    rng = random.Random(seed)
    with prober.open_tablebase(SUPPLIED) as tables:
        for board in positions(seed, 150):
            record = rng.choice([None, f"{rng.choice(['', '-'])}G{rng.randrange(2, 40) / 2}"])
            expected = rmobility.probe(board, record=record)
            assert str(tables.probe_goal(board, record)) == expected.goal, board.fen()
            assert tables.probe_plies(board, record) == expected.plies, board.fen()


def test_the_value_is_that_of_the_best_move(prober: ModuleType) -> None:
    """Positions with an en passant capture are valued by their moves; the others have both values."""
    rng, count = random.Random(1), 0
    with prober.open_tablebase(SUPPLIED) as tables:
        for board in positions(5, 60):
            own = prober.goal_of(board)
            given = prober.Goal(rng.randrange(2, 30), rng.random() < 0.5)
            record = own if own.code < given.code else given
            if any(board.legal_moves):
                count += 1
                assert tables._best(board, record) == tables._value(board, record), board.fen()
    assert count > 40


def test_what_no_table_has_is_missing(prober: ModuleType, tmp_path: Path) -> None:
    with prober.open_tablebase(SUPPLIED) as tables:
        for board in (chess.Board(), chess.Board("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")):
            assert tables.get_goal(board) is None and tables.get_plies(board, default=-1) == -1
            with pytest.raises(prober.MissingTableError):
                tables.probe_goal(board)
            with pytest.raises(TablebaseError):
                rmobility.probe(board)
    shutil.copy(Path(SUPPLIED, "KBvK.rmv"), tmp_path)
    with prober.open_tablebase(str(tmp_path)) as tables:
        board = chess.Board("8/8/8/4KBk1/8/8/8/8 b - - 0 1")
        assert str(tables.probe_goal(board)) == "G1.5" and tables.get_plies(board) is None
    damaged = bytearray(Path(SUPPLIED, "KBvK.rmv").read_bytes())
    damaged[20] ^= 1
    (tmp_path / "KBvK.rmv").write_bytes(damaged)
    with pytest.raises(ValueError, match=r"KBvK\.rmv: expected a table of version 1"):
        prober.open_tablebase(str(tmp_path))


@pytest.mark.parametrize("text", ["", "G", "1.5", "G1.3", "--G1.5", "G-1", "Gx", "G1/0"])
def test_faulty_goals_are_refused(prober: ModuleType, text: str) -> None:
    with pytest.raises(ValueError, match=r"expected a goal such as G1\.5"):
        prober.Goal.parse(text)
    assert prober.Goal.parse("-g8.5") == (17, False) and str(prober.Goal.parse("+G1")) == "G1.0"


@pytest.mark.parametrize("record", ["G0.5", "-G0.5", "G0.0", "-G0.0"])
def test_records_that_end_the_game_are_refused(prober: ModuleType, record: str) -> None:
    """White mates in the first position, so no such record stands there; in the second the game is over."""
    with prober.open_tablebase(SUPPLIED) as tables:
        for look_up in (tables.probe_goal, tables.probe_plies, tables.get_goal, tables.get_plies):
            with pytest.raises(ValueError, match=f"expected a record that leaves the game open, found {record}$"):
                look_up(chess.Board("3k4/R7/3K4/8/8/8/8/8 w - - 0 1"), record)
        assert str(tables.probe_goal(chess.Board("R2k4/8/3K4/8/8/8/8/8 b - - 0 1"), record)) in ("G0.0", record)
