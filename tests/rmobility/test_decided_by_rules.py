"""Games that end by a rule of their own: pages, tags, adjudication and the search give the same R-Mobility result.

Expected: the winner's G0.0 for a decision, otherwise the record of the positions that have a goal.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from standstill.cext.base.constants import BLACK, WHITE
from standstill.engine.archive.questions import Questions
from standstill.engine.archive.scorer import Scorer
from standstill.engine.common.goal import MOST_CODE
from standstill.engine.rmobility.goals import Goal, Goals
from standstill.engine.rmobility.modes import objective
from standstill.engine.rmobility.scoring import Terms
from standstill.engine.settings.options import Settings
from standstill.engine.variants import game_over
from standstill.engine.variants.game_over import game_end
from standstill.engine.variants.notation import move_text, parse_move, san
from standstill.engine.web.verdict import End, worth
from tests.amounts import LONG
from tests.uci.client import Client
from tests.variants.boards import board_of

QUESTIONS, OBJECTIVE = Questions(), objective(Settings())
# Positions in which games end soon, and the reasons that random games reach from there.
STARTS = {
    "janggi": ("4k4/9/9/4c4/9/9/4C4/9/9/3K5 w - - 0 1", {game_over.PASSES, game_over.BIKJANG}),
    "kingofthehill": ("r6r/8/2k5/8/8/5K2/8/R6R w - - 0 1", {game_over.HILL}),
    "3check": ("4k3/8/8/8/8/8/8/RQ2K2R w - - 1+1 0 1", {game_over.CHECKS}),
    "atomic": ("4k3/4p3/8/8/8/4q3/3PP3/R3K2Q w - - 0 1", {game_over.EXPLODED}),
    "extinction": ("1n2k3/b3p3/2q4r/8/8/2Q4R/B3P3/1N2K3 w - - 0 1", {game_over.EXTINCT}),
    "antichess": ("8/4p3/8/8/8/8/3P4/R7 w - - 0 1", {game_over.EXTINCT}),
    "shatranj": ("4k3/8/8/8/8/8/8/R3K2r w - - 0 1", {game_over.BARE_KING}),
    "racingkings": ("8/k6K/8/8/8/8/N7/7n w - - 0 1", {game_over.GOAL}),
    "xiangqi": ("3k5/9/9/9/9/9/9/9/4P4/4K3R w - - 0 1", {"stalemate"}),
    "losers": ("6k1/8/8/8/8/6p1/8/K6R w - - 0 1", {game_over.EXTINCT}),
}


def random_game(name: str, start: str, rng: random.Random) -> tuple[list[str], tuple[str, str]] | None:
    """The moves of a random game that prefers to end, and its end; None after many moves without an end."""
    board, moves = board_of(name, start), []
    while len(moves) < 120:
        ending = []
        legal = sorted(board.legal_moves(), key=lambda move: move_text(board, move))
        for move in legal:
            board.push(move)
            if game_end(board) is not None:
                ending.append(move)
            board.pop()
        move = rng.choice(ending if ending and rng.random() < 0.7 else legal)
        moves.append(move_text(board, move))
        board.push(move)
        if (end := game_end(board)) is not None:
            return moves, end
    return None


def replayed(name: str, start: str, moves: list[str]) -> Iterator:
    board = board_of(name, start)
    yield board
    for text in moves:
        board.push(parse_move(board, text))
        yield board


def expected(name: str, start: str, moves: list[str], end: tuple[str, str]) -> Goal:
    """The winner's mate, or the lowest goal since the last reset, by counting moves; a drawn end adds no goal."""
    if end[0] != "1/2-1/2":
        return Goal(0, WHITE if end[0] == "1-0" else BLACK, len(moves))
    record = None
    for ply, board in enumerate(replayed(name, start, moves)):
        count = len(board.legal_moves())
        if ply == len(moves) and not count and end[1] != "stalemate":
            break
        goal = Goal(2 * count + (not board.checkers), board.stm ^ 1, ply)
        is_trigger = board.clock >= board.clock_limit and count
        if record is None or (ply and board.clock == 0) or (goal.code < record.code and not is_trigger):
            record = goal
    return record


def pgn_of(name: str, start: str, moves: list[str], result: str) -> bytes:
    board, words = board_of(name, start), []
    for text in moves:
        move = parse_move(board, text)
        words.append(f"{board.fullmove}{'...' if board.stm == BLACK else '.'} {san(board, move)}")
        board.push(move)
    tags = f'[Variant "{name}"]\n[SetUp "1"]\n[FEN "{start}"]\n[Result "{result}"]\n\n'
    return f"{tags}{' '.join(words)} {result}\n".encode()


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", STARTS)
def test_all_parts_agree(name: str) -> None:
    start, reasons = STARTS[name]
    seen = set()
    for seed in range(30 + 300 * LONG):
        found = random_game(name, start, random.Random(seed))
        if found is None:
            continue
        moves, end = found
        seen.add(end[1])
        boards = replayed(name, start, moves)
        goals = Goals(next(boards))
        for board in boards:
            goals.push(board)
        wanted = expected(name, start, moves, end)
        case = (seed, moves, end)
        assert worth(End(*end), goals, board.goal(), "Tiebreak", "none").goal == wanted, case
        text = pgn_of(name, start, moves, end[0])
        scored = Scorer().score(text, 0, len(text), detail=True)
        assert (scored.goal, scored.problem) == (wanted, None), case
        if board.goal() <= 1:
            assert scored.details.codes[-1] == wanted.code, case
        answer = QUESTIONS.found(board, goals, Terms())
        assert (answer["record"], answer["over"]) == (str(wanted), end[1]), case
        lowest, begins = goals.lowest, board.clock == 0
        record = OBJECTIVE.record_of(board)
        if begins and board.goal() > MOST_CODE:  # a phase without a goal
            assert record is None, case
        else:
            assert record == (lowest.code, lowest.owner, lowest.ply), case
    assert reasons <= seen, seen


@pytest.mark.parametrize(
    ("name", "first", "moves", "goal"),
    [
        ("janggi", "startpos", "e2e2 e9e9", "-G0.0"),
        ("kingofthehill", "fen 4k3/8/8/8/8/3K4/8/8 w - - 0 1", "d3d4", "G0.0"),
        # Both kings have reached their goals: a draw, and no stalemate.
        ("racingkings", "fen 8/k6K/8/8/8/8/8/8 w - - 0 1", "h7h8 a7a8", "-"),
        # The side to move has no pieces left, and has won.
        ("antichess", "fen 8/8/8/8/8/1p6/P7/8 w - - 0 1", "a2b3", "-"),
    ],
)
def test_uci_shows_the_goal_of_the_end(engine: Client, name: str, first: str, moves: str, goal: str) -> None:
    engine.send(f"setoption name UCI_Variant value {name}", f"position {first} moves {moves}", "d")
    lines = engine.read_until("Goal:")
    assert lines[-1] == f"Goal: {goal}"
