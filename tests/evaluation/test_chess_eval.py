"""The hand-crafted evaluation: symmetric, bounded, plausible, and the same however it is computed."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from standstill.cext.chess.chess_board import ChessBoard
from standstill.cext.evaluation.chess_eval import ChessEvaluator
from standstill.engine.variants import notation
from standstill.engine.variants.boards import new_board
from tools.measure.beside.positions import from_random_games

LIMIT = 12_000  # EVAL_LIMIT_CP of cext/base/types.pxd
CONFINED_LIMIT = 200

POSITIONS = from_random_games(400, 20_260_801, False) + from_random_games(100, 20_260_802, True)

EXTREME = (
    "QQQQQQQQ/QQQQQQ2/8/8/8/8/4K2Q/7k b - - 0 1",
    "QQQQQQQQ/QQQQQQQK/8/8/8/8/rrrrrrrr/kr6 w - - 0 1",
    "QQQQQQQQ/QQQQQQQK/8/8/8/pppppppp/8/k7 b - - 0 1",
    "KQQQQQQQ/QQQQQQQQ/8/8/8/8/qqqqqqqq/qqqqqqqk w - - 0 1",
    "RRRRRRRR/RRRRRRRK/8/8/8/8/pppppppp/krrrrrrr b - - 0 1",
    "NNNNNNNN/NNNNNNN1/8/8/8/8/4K3/7k w - - 0 1",
    "BBBBBBBB/BBBBBBB1/8/8/8/8/4K3/7k b - - 0 1",
    "8/PPPPPPPP/8/8/8/8/k1K5/8 w - - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    "8/8/8/8/8/8/8/K1k5 w - - 0 1",
)

# (position, side that must be well ahead)
WON = (
    ("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "w", 700),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1", "b", 700),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 0 1", "b", 300),
    ("r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", "w", 200),
    ("4k3/8/8/8/8/8/PPPP4/4K3 w - - 0 1", "w", 250),
    ("4k3/P7/1K6/8/8/8/7p/8 w - - 0 1", "w", -400),
    ("8/8/8/4k3/8/8/8/KQ6 w - - 0 1", "w", 900),
    ("8/8/8/4k3/8/8/8/KR6 w - - 0 1", "w", 600),
    ("8/8/8/4k3/8/8/8/KBB5 w - - 0 1", "w", 700),
    ("8/8/8/4k3/8/8/8/KBN5 w - - 0 1", "w", 700),
    ("7k/8/7P/8/8/3KB3/8/8 b - - 0 1", "w", 150),  # a bishop of the right colour; DRAWN has a wrong bishop
)

# (position, largest value in centipawns for either side)
DRAWN = (
    ("8/8/4k3/8/8/3K4/4N3/8 w - - 0 1", 0),
    ("8/8/4k3/8/8/3K4/4B3/8 w - - 0 1", 0),
    ("8/8/4k3/8/8/3KN3/4N3/8 w - - 0 1", 0),
    ("8/8/4kr2/8/8/3K4/4NR2/8 w - - 0 1", 100),
    ("8/8/4kb2/8/8/3K3R/8/8 w - - 0 1", 100),
    ("7k/8/7P/8/4B3/3K4/8/8 b - - 0 1", 60),
)


def board_of(fen: str) -> ChessBoard:
    board = new_board()
    notation.set_fen(board, fen)
    return board


def flipped(board: ChessBoard) -> ChessBoard:
    other = board.copy()
    notation.flip(other)
    return other


def reflected(board: ChessBoard) -> ChessBoard:
    """Mirror the files; only for positions without castling rights."""
    other = new_board()
    squares = bytes(board.squares[sq ^ 7] for sq in range(64))
    other.set_up(squares, board.stm, 0, None if board.ep is None else board.ep ^ 7, 0, 1)
    return other


def fresh(board: ChessBoard) -> int:
    """Evaluate with a new evaluator."""
    return ChessEvaluator().evaluate_cp(board)


def traced(evaluator: ChessEvaluator, board: ChessBoard) -> int:
    """The total of the trace, from the side to move."""
    return evaluator.trace(board)[-1][3] * (1 - 2 * board.stm)


@pytest.fixture(scope="module")
def evaluator() -> ChessEvaluator:
    return ChessEvaluator()


def test_colours_exchanged_give_the_same_value(evaluator: ChessEvaluator) -> None:
    for board in POSITIONS:
        other = flipped(board)
        assert evaluator.evaluate_cp(board) == evaluator.evaluate_cp(other), notation.fen(board)
        assert traced(evaluator, board) == traced(evaluator, other), notation.fen(board)


def test_files_exchanged_give_the_same_value(evaluator: ChessEvaluator) -> None:
    boards = [board for board in POSITIONS if not board.castling]
    assert len(boards) > 100
    for board in boards:
        assert evaluator.evaluate_cp(board) == evaluator.evaluate_cp(reflected(board)), notation.fen(board)


@pytest.mark.parametrize("fen", EXTREME + tuple(fen for fen, *_ in WON + DRAWN))
def test_extreme_positions_are_symmetric_and_bounded(evaluator: ChessEvaluator, fen: str) -> None:
    board = board_of(fen)
    cp = evaluator.evaluate_cp(board)
    assert abs(cp) <= LIMIT
    assert abs(traced(evaluator, board)) <= LIMIT
    assert cp == evaluator.evaluate_cp(flipped(board))


@pytest.mark.parametrize(("fen", "side", "least"), WON)
def test_winning_side_is_ahead(evaluator: ChessEvaluator, fen: str, side: str, least: int) -> None:
    board = board_of(fen)
    cp = evaluator.evaluate_cp(board)
    assert (cp if side == "wb"[board.stm] else -cp) >= least


@pytest.mark.parametrize(("fen", "most"), DRAWN)
def test_drawn_endings_are_near_nothing(evaluator: ChessEvaluator, fen: str, most: int) -> None:
    assert abs(evaluator.evaluate_cp(board_of(fen))) <= most


@pytest.mark.parametrize("men", ["Q", "R", "BB", "BN"])
def test_bare_king_is_driven_to_the_edge(evaluator: ChessEvaluator, men: str) -> None:
    pieces = f"5{men}{3 - len(men)}"
    centre = evaluator.evaluate_cp(board_of(f"8/8/8/3k4/8/2K5/8/{pieces} w - - 0 1"))
    edge = evaluator.evaluate_cp(board_of(f"k7/8/1K6/8/8/8/8/{pieces} w - - 0 1"))
    assert edge > centre


def test_bishop_and_knight_drive_to_the_right_corner(evaluator: ChessEvaluator) -> None:
    light = evaluator.evaluate_cp(board_of("k7/8/1K6/8/8/8/8/1BN5 w - - 0 1"))
    dark = evaluator.evaluate_cp(board_of("7k/8/6K1/8/8/8/8/1BN5 w - - 0 1"))
    assert light > dark


@pytest.mark.parametrize("seed", range(20))
def test_random_walk_agrees_with_a_fresh_start(seed: int) -> None:
    """Accumulators and pawn table give the same values after moves, undone moves and null moves."""
    rng = random.Random(seed)
    evaluator = ChessEvaluator()
    board = POSITIONS[rng.randrange(len(POSITIONS))].copy()
    asked = 0
    for _ in range(400):
        moves = board.legal_moves()
        step = rng.random()
        if (step < 0.3 or not moves) and board.plies:
            for _ in range(min(rng.randrange(1, 12), board.plies)):
                board.pop()
        elif step < 0.4 and not board.checkers:
            board.push_null()
        elif moves:
            board.push(rng.choice(moves))
        if rng.random() < 0.7:
            asked += 1
            assert evaluator.evaluate_cp(board) == fresh(board), notation.fen(board)
    assert asked > 100


@pytest.mark.parametrize(
    "fen",
    [
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
        "4k3/8/8/2pPp3/8/8/8/4K3 w - c6 0 1",
        "4k3/8/8/8/2PpP3/8/8/4K3 b - c3 0 1",
        "1n5k/P1P5/8/8/8/8/p1p5/1N5K w - - 0 1",
        "1n5k/P1P5/8/8/8/8/p1p5/1N5K b - - 0 1",
    ],
)
def test_castling_en_passant_and_promotion_agree_with_a_fresh_start(evaluator: ChessEvaluator, fen: str) -> None:
    board = board_of(fen)
    for move in board.legal_moves():
        evaluator.evaluate_cp(board)
        board.push(move)
        assert evaluator.evaluate_cp(board) == fresh(board), notation.fen(board)
        board.pop()


def test_stack_deeper_than_the_accumulators() -> None:
    """On a longer stack, positions share an accumulator, and the position's key tells them apart."""
    rng = random.Random(7)
    evaluator = ChessEvaluator()
    board = new_board()
    for _ in range(2_600):
        moves = [move for move in board.legal_moves() if not board.noisy(move)]
        board.push(rng.choice(moves or board.legal_moves()))
        cp = evaluator.evaluate_cp(board)
        if board.plies % 50 == 0:
            assert cp == fresh(board)
        if not board.legal_moves():
            board.pop()
    while board.plies > 10:
        for _ in range(9):
            board.pop()
        assert evaluator.evaluate_cp(board) == fresh(board)


def test_trace_adds_up_to_the_evaluation(evaluator: ChessEvaluator) -> None:
    """If material, placement and pawns already decide, the evaluation stops after them."""
    equal = 0
    for board in POSITIONS:
        cp = evaluator.evaluate_cp(board)
        total = traced(evaluator, board)
        if abs(cp) < 700:
            assert cp == total, notation.fen(board)
        equal += cp == total
    assert equal > 0.5 * len(POSITIONS)


def test_rows_of_the_trace_add_up(evaluator: ChessEvaluator) -> None:
    for board in POSITIONS:
        *rows, (name, mg, eg, _) = evaluator.trace(board)
        assert name == "total"
        assert sum(row[1] for row in rows) == mg
        assert sum(row[2] for row in rows) == eg
        _, _, phase, scale = evaluator.coefficients(board)
        numerator = mg * phase * (scale if scale < 20 else 64) + eg * (24 - phase) * scale
        total = abs(numerator) // (24 * 64) * (1 if numerator > 0 else -1)
        if len(rows) > 1:
            divisor = evaluator.potential(board)
            divided = abs(total) // divisor * (1 if total > 0 else -1)
            assert max(-LIMIT, min(LIMIT, divided)) == rows_total(evaluator, board)


def rows_total(evaluator: ChessEvaluator, board: ChessBoard) -> int:
    return evaluator.trace(board)[-1][3]


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("r5k1/8/8/3KP3/8/8/8/7R w - - 0 1", "r5k1/8/8/4P3/8/8/8/K6R w - - 0 1"),  # White's king beside the pawn's path
        ("r5k1/8/8/3KP3/8/8/8/7R w - - 0 1", "r7/4k3/8/3KP3/8/8/8/7R w - - 0 1"),  # Black's king far from the path
        ("r5k1/8/4P3/3K4/8/8/8/7R w - - 0 1", "r5k1/8/8/3K4/4P3/8/8/7R w - - 0 1"),
    ],
)
def test_a_passed_pawn_wants_its_own_king_near_and_the_other_far(
    evaluator: ChessEvaluator, better: str, worse: str
) -> None:
    for turn in (lambda board: board, flipped):
        sign = 1 if turn(board_of(better)).stm == 0 else -1
        ends = [{row[0]: row[2] for row in evaluator.trace(turn(board_of(fen)))} for fen in (better, worse)]
        assert sign * ends[0]["passed pawns"] > sign * ends[1]["passed pawns"]


def test_confinement_is_small_and_antisymmetric(evaluator: ChessEvaluator) -> None:
    for board in POSITIONS + [board_of(fen) for fen in EXTREME]:
        cp = evaluator.confinement_cp(board)
        assert abs(cp) <= CONFINED_LIMIT
        assert cp == evaluator.confinement_cp(flipped(board)), notation.fen(board)
        other = board.copy()
        if not board.checkers:
            other.push_null()
            assert cp == -evaluator.confinement_cp(other), notation.fen(board)


def test_confinement_prefers_the_freer_king(evaluator: ChessEvaluator) -> None:
    assert evaluator.confinement_cp(board_of("7k/8/5K2/8/8/8/8/8 w - - 0 1")) > 0
    assert evaluator.confinement_cp(board_of("7k/8/5K2/8/8/8/8/8 b - - 0 1")) < 0


def test_copies_are_independent(evaluator: ChessEvaluator) -> None:
    other = evaluator.copy()
    for board in POSITIONS[:50]:
        assert other.evaluate_cp(board) == evaluator.evaluate_cp(board)


@given(st.data())
def test_placements_of_any_men_are_bounded_and_symmetric(data: st.DataObject) -> None:
    squares = data.draw(st.permutations(range(64)))
    men = data.draw(st.lists(st.sampled_from([1, 2, 3, 4, 5, 9, 10, 11, 12, 13]), max_size=30))
    board = [0] * 64
    board[squares[0]], board[squares[1]] = 6, 14
    for sq, piece in zip(squares[2:], men, strict=False):
        if not (piece in (1, 9) and (sq < 8 or sq >= 56)):
            board[sq] = piece
    position = new_board()
    try:
        position.set_up(bytes(board), data.draw(st.integers(0, 1)), 0, None, 0, 1)
    except ValueError:
        return
    evaluator = ChessEvaluator()
    cp = evaluator.evaluate_cp(position)
    assert abs(cp) <= LIMIT
    assert cp == evaluator.evaluate_cp(flipped(position)) == evaluator.evaluate_cp(reflected(position))
