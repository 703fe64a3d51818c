"""The check of random states: it accepts the supplied tables, and finds a wrong outcome and wrong plies."""

from __future__ import annotations

import random
from typing import Any

import chess
import pytest

from standstill.engine.tablebases.store import SUPPLIED
from tools.measure.tables import states

MATE_IN_ONE = chess.Board("3k4/R7/3K4/8/8/8/8/8 w - - 0 1")
RECORD = (3, chess.BLACK)  # -G1.5


@pytest.fixture(scope="module")
def kit() -> Any:
    return states.reader()


@pytest.mark.parametrize("name", ["KvK", "KBvK", "KNvK", "KPvK", "KQvK", "KRvK"])
def test_supplied_tables_agree_with_the_moves(kit: Any, name: str) -> None:
    rng = random.Random(1)
    with kit.open_tablebase(SUPPLIED) as tables:
        for _ in range(25):
            board = states.random_board(name, rng)
            record = states.random_record(board, rng)
            assert states.fault(kit, tables, board, record) is None, (board.fen(), record)


class Wrong:
    """Tables with one wrong value, that of the position with mate in one."""

    def __init__(self, tables: Any, goal: Any, plies: int):
        self._tables, self._goal, self._plies = tables, goal, plies

    def probe_goal(self, board: chess.Board, record: Any) -> Any:
        return self._goal if board == MATE_IN_ONE else self._tables.probe_goal(board, record)

    def probe_plies(self, board: chess.Board, record: Any) -> int:
        return self._plies if board == MATE_IN_ONE else self._tables.probe_plies(board, record)


@pytest.mark.parametrize(
    ("code", "plies", "found"),
    [(0, 1, None), (1, 1, "(126, 1) instead of (127, 1)"), (0, 3, "(127, 3) instead of (127, 1)")],
    ids=["right", "wrong-outcome", "wrong-plies"],
)
def test_a_wrong_value_is_found(kit: Any, code: int, plies: int, found: str | None) -> None:
    with kit.open_tablebase(SUPPLIED) as tables:
        wrong = Wrong(tables, kit.Goal(code, chess.WHITE), plies)
        assert states.fault(kit, wrong, MATE_IN_ONE.copy(), RECORD) == found
