"""Tables with a goal limit, compared with two kings solved under that limit by independent code."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

import chess
import numpy as np
import pytest

from standstill.engine.common.goal import goal_text, parse_goal
from tests.rmobility import solver
from tests.rmobility.naive import code_of
from tests.uci.client import Client
from tests.uci.lines import read_answer

from .test_tables_command import random_board

NONE = 0


@cache
def values(limit: int) -> dict[tuple[int, int] | int, np.ndarray]:
    """The outcome of every position for each record (code, owner) within the limit, and for NONE; 0 is a draw."""
    kings = solver.solved("")
    codes = kings.codes.reshape(-1)
    half = codes.size // 2
    graph = [np.stack([slot.reshape(-1) for slot in side], axis=1) for side in kings.successors]
    fresh, found = np.zeros(codes.size, int), {}
    records = [(code, owner) for code in range(2, limit + 1) for owner in (0, 1)]
    for record in [*records, NONE]:
        code, owner = record or (limit + 1, 0)
        payoff = solver.outcome(code, owner == 0) if record else 0
        value = np.where((codes >= 0) & (codes < code), fresh, payoff)
        layer = codes >= code
        before = None
        while before is None or not np.array_equal(before, value):
            before = value.copy()
            for side, best, worst in ((0, np.max, -1000), (1, np.min, 1000)):
                places = side * half + np.flatnonzero(layer[side * half : (side + 1) * half])
                moves = graph[side][places - side * half]
                value[places] = best(np.where(moves == solver.ILLEGAL, worst, before[moves]), axis=1)
        found[record] = value
        if record:
            side = np.arange(codes.size) >= half
            own = (codes == code) & (side != owner)  # this position itself sets the record
            fresh[own] = value[own]
    return found


def place(board: chess.Board) -> int:
    _, at, _ = solver.place_of(board)
    return int(np.ravel_multi_index(at, solver.solved("").codes.shape))


def state(board: chess.Board, record: tuple[int, int] | int, limit: int) -> int:
    """The outcome of a position, given the record before it."""
    own = code_of(board), int(board.turn == chess.WHITE)
    if own[0] <= limit and (record == NONE or own[0] < record[0]):
        record = own
    return int(values(limit)[record][place(board)])


@pytest.mark.sampled(1)
@pytest.mark.parametrize("goal", ["G2.5", "G3.5", "G5.5"])
def test_two_kings_under_a_limit(start: Callable[..., Client], goal: str) -> None:
    limit, rng, client, draws = parse_goal(goal)[1], random.Random(goal), start(), 0
    client.send("setoption name RMobility value Decisive", f"setoption name RMobilityLimit value {goal}")
    for _ in range(12):
        board = random_board(rng, "")
        held = [record for record in values(limit) if record != NONE and record[0] <= code_of(board)]
        record = rng.choice(held) if held and rng.random() < 0.6 else NONE
        # The first position's own goal counts in full; a weaker one is not a record.
        given = goal_text(*(record or (code_of(board), int(board.turn))))
        client.send(f"setoption name RMobilityRecord value {given}")
        lines = client.search("go nodes 100", f"fen {board.fen()}")
        expected = state(board, record, limit)
        draws += expected == 0
        word = goal_text(127 - abs(expected), int(expected < 0)) if expected else "none"
        assert any(line.startswith(f"info string rmobility table {word}") for line in lines), (board.fen(), given)
        kept = record if record != NONE and record[0] <= code_of(board) else NONE
        if code_of(board) <= limit and (kept == NONE or code_of(board) < kept[0]):
            kept = code_of(board), int(board.turn == chess.WHITE)
        board.push_uci(lines[-1].split()[1])
        assert state(board, kept, limit) == expected, f"{lines[-1]} keeps the value of {board.fen()}"
    assert draws or limit > 7, "two kings always reach G5.5"


def test_a_komi_that_no_side_can_reach_is_not_called_a_draw(start: Callable[..., Client]) -> None:
    """Two kings reach no goal within the limit, so White loses; the line about the table once said it was a draw."""
    client = start()
    options = {"RMobility": "Decisive", "RMobilityLimit": "G3.5", "RMobilityKomi": "G3.75"}
    client.send(*(f"setoption name {name} value {value}" for name, value in options.items()))
    lines = client.search("go nodes 100", "fen 8/8/8/3K2k1/8/8/8/8 b - - 0 1")
    assert read_answer(lines).last.value > 13000
    assert "info string rmobility table none" in lines
