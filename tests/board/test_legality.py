"""Legal moves, checks and counts compared with python-chess: games from all 960 starts, and randomly placed pieces."""

from __future__ import annotations

import random
from collections.abc import Iterator

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from standstill.cext.base.constants import CASTLING, DOUBLE_STEP, KIND_SHIFT, NOISY, QUIET, QUIET_CHECKS
from standstill.cext.chess.chess_board import ChessBoard
from standstill.engine.variants.boards import new_board
from tests.board.support import core, encoded, placed, playout, possible, random_start, set_up, text

LIMITS = (0, 1, 2, 3, 5, 8, 20, 40, 100)


def game_positions(seed: int, games: int = 6, plies: int = 120) -> Iterator[chess.Board]:
    rng = random.Random(seed)
    for _ in range(games):
        yield from playout(rng, random_start(rng), plies)


def placed_positions(seed: int, wanted: int = 500) -> Iterator[chess.Board]:
    rng = random.Random(seed)
    while wanted:
        position = placed(rng, rng.randint(2, 24))
        if possible(position):
            wanted -= 1
            yield position


SOURCES = [
    pytest.param(source, seed, id=f"{name}-{seed}", marks=[pytest.mark.slow] if seed > 1 else [])
    for name, source in (("games", game_positions), ("placed", placed_positions))
    for seed in range(4)
]


@st.composite
def positions(draw: st.DrawFn) -> chess.Board:
    """A position of a game from any start position; shrinks to short games that use the first legal moves."""
    position = chess.Board.from_chess960_pos(draw(st.integers(0, 959)))
    for choice in draw(st.lists(st.integers(0, 1 << 16), max_size=100)):
        moves = sorted(position.legal_moves, key=chess.Move.uci)
        if not moves:
            break
        position.push(moves[choice % len(moves)])
    return position


def legal(position: chess.Board) -> list[str]:
    return sorted(move.uci() for move in position.legal_moves)


def ours(board: ChessBoard) -> list[str]:
    return sorted(text(move) for move in board.legal_moves())


@given(positions())
def test_any_game_has_the_same_legal_moves(position: chess.Board) -> None:
    assert ours(core(position)) == legal(position)


@given(positions())
def test_any_game_counts_the_same(position: chess.Board) -> None:
    assert core(position).count_legal() == position.legal_moves.count()


@pytest.mark.parametrize(("source", "seed"), SOURCES)
class TestRandomPositions:
    """Set up the same board repeatedly, as a GUI does."""

    @pytest.mark.sampled(2)
    def test_the_legal_moves_are_the_same(self, source, seed) -> None:
        board = new_board()
        for position in source(seed):
            set_up(board, position)
            assert ours(board) == legal(position), position.fen()

    @pytest.mark.sampled(2)
    def test_the_moves_are_encoded_as_documented(self, source, seed) -> None:
        board = new_board()
        for position in source(seed):
            set_up(board, position)
            expected = sorted(encoded(position, move) for move in position.legal_moves)
            assert sorted(board.legal_moves()) == expected, position.fen()

    @pytest.mark.sampled(2)
    def test_the_count_is_the_length_of_the_list(self, source, seed) -> None:
        board = new_board()
        for position in source(seed):
            set_up(board, position)
            assert board.count_legal() == position.legal_moves.count(), position.fen()

    @pytest.mark.sampled(2)
    def test_a_limited_count_is_exact_below_its_limit(self, source, seed) -> None:
        board = new_board()
        for position in source(seed):
            set_up(board, position)
            exact = position.legal_moves.count()
            for limit in LIMITS:
                count = board.count_legal(limit)
                assert count == exact if exact < limit else count >= limit, (position.fen(), limit)

    @pytest.mark.sampled(2)
    def test_a_goal_code_is_twice_the_moves_and_one_more_out_of_check(self, source, seed) -> None:
        board = new_board()
        for position in source(seed):
            set_up(board, position)
            expected = 2 * position.legal_moves.count() + (not position.is_check())
            assert board.goal() == expected, position.fen()

    @pytest.mark.sampled(2)
    def test_the_men_giving_check_are_the_same(self, source, seed) -> None:
        board = new_board()
        for position in source(seed):
            set_up(board, position)
            assert board.checkers == position.checkers_mask(), position.fen()

    @pytest.mark.sampled(2)
    def test_moves_that_give_check_are_known(self, source, seed) -> None:
        board = new_board()
        for position in source(seed):
            set_up(board, position)
            for move in list(position.legal_moves):
                assert board.checks(encoded(position, move)) == position.gives_check(move), (position.fen(), move)

    @pytest.mark.sampled(2)
    def test_captures_and_promotions_are_noisy(self, source, seed) -> None:
        board = new_board()
        for position in source(seed):
            set_up(board, position)
            for move in position.legal_moves:
                noisy = position.is_capture(move) or move.promotion is not None
                assert board.noisy(encoded(position, move)) == noisy, (position.fen(), move)

    @pytest.mark.sampled(2)
    @pytest.mark.parametrize("stage", [NOISY, QUIET])
    def test_a_stage_lists_its_share_of_the_moves(self, source, seed, stage) -> None:
        board = new_board()
        for position in source(seed):
            set_up(board, position)
            expected = [move for move in board.legal_moves() if board.noisy(move) == (stage == NOISY)]
            assert sorted(board.stage_moves(stage)) == sorted(expected), position.fen()

    @pytest.mark.sampled(2)
    def test_quiet_checks_are_the_quiet_moves_that_check(self, source, seed) -> None:
        """Castling is not listed. A double step, which can only discover a check, may be missing."""
        board = new_board()
        for position in source(seed):
            set_up(board, position)
            checks = {move for move in board.stage_moves(QUIET) if board.checks(move)}
            checks = {move for move in checks if move >> KIND_SHIFT != CASTLING}
            found = board.stage_moves(QUIET_CHECKS)
            assert len(found) == len(set(found)), position.fen()
            assert set(found) <= checks, position.fen()
            assert all(move >> KIND_SHIFT == DOUBLE_STEP for move in checks - set(found)), position.fen()

    @pytest.mark.sampled(2)
    def test_material_that_cannot_mate_is_known(self, source, seed) -> None:
        board = new_board()
        for position in source(seed):
            set_up(board, position)
            assert board.insufficient == position.is_insufficient_material(), position.fen()


# (FEN, moves that must be legal, moves that must not), castling as king takes rook
CORNERS = {
    "en passant opens the rank to a rook": ("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", [], ["e4d3"]),
    "en passant opens the rank, taker's side": ("3k4/8/8/K1Pp3r/8/8/8/8 w - d6 0 1", [], ["c5d6"]),
    "en passant by a pawn pinned on the file": ("4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1", [], ["e5d6"]),
    "en passant along the diagonal of the pin": ("6k1/1b6/8/2pP4/4K3/8/8/8 w - c6 0 1", ["d5c6"], []),
    "en passant off the diagonal of the pin": ("6k1/8/8/2pP4/2K1b3/8/8/8 w - c6 0 1", ["d5c6"], []),
    "en passant takes the checking pawn and opens a diagonal": ("6k1/8/1b6/2pP4/3K4/8/8/8 w - c6 0 1", [], ["d5c6"]),
    "en passant opens a diagonal through the pawn taken": ("4k3/8/b7/1pP5/8/3K4/8/8 w - b6 0 1", [], ["c5b6"]),
    "en passant takes the pawn that gives check": ("8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1", ["e4d3"], []),
    "en passant does not help against another check": ("4r1k1/8/8/2pP4/8/8/8/4K3 w - c6 0 1", [], ["d5c6"]),
    "en passant may interpose on the square passed over": ("6k1/8/5r2/4pP2/8/8/8/4K3 w - e6 0 1", ["f5e6"], []),
    "two pawns may take en passant": ("4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", ["c5d6", "e5d6"], []),
    "two takers on the rank of king and rook": ("4k3/8/8/K1PpP2r/8/8/8/8 w - d6 0 1", ["c5d6", "e5d6"], []),
    "castling through an attacked square": ("4k3/8/8/8/8/8/5r2/4K2R w K - 0 1", [], ["e1h1"]),
    "castling out of check": ("4k3/8/8/8/8/8/4r3/4K2R w K - 0 1", [], ["e1h1"]),
    "the rook may pass an attacked square": ("1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", ["e1a1"], []),
    "the rook may be attacked": ("r3k3/8/8/8/8/8/8/R3K3 w Q - 0 1", ["e1a1"], []),
    "Chess960: a rook that hides the king from a rook": ("4k3/8/8/8/8/8/8/r1RK3R w HC - 0 1", ["d1h1"], ["d1c1"]),
    "Chess960: a rook pinned beside the king": ("4k3/8/8/8/8/8/8/qR1K4 w B - 0 1", [], ["d1b1"]),
    "Chess960: a rook not pinned after the king has passed": ("4k3/8/8/8/8/8/8/1rRK4 w C - 0 1", [], ["d1c1"]),
    "Chess960: king stays, rook crosses": ("4k3/8/8/8/8/8/8/6KR w H - 0 1", ["g1h1"], []),
    "Chess960: rook stays, king crosses": ("4k3/8/8/8/8/8/8/4KR2 w F - 0 1", ["e1f1"], []),
    "Chess960: king and rook change places": ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", ["f1g1"], []),
    "Chess960: king walks from b to g": ("4k3/8/8/8/8/8/8/1K4R1 w G - 0 1", ["b1g1"], []),
    "Chess960: a piece on the rook's path": ("4k3/8/8/8/8/8/8/RN2K3 w A - 0 1", [], ["e1a1"]),
    "Chess960: a piece on the king's target square": ("4k3/8/8/8/8/8/8/R1N1K3 w A - 0 1", [], ["e1a1"]),
    "Chess960: a piece behind the rook does not prevent castling": ("4k3/8/8/8/8/8/8/NR2K3 w B - 0 1", ["e1b1"], []),
    "Chess960: only one of two rooks has the right": ("4k3/8/8/8/8/8/8/4K1RR w G - 0 1", ["e1g1"], ["e1h1"]),
    "double check leaves king moves only": ("4k3/8/8/8/1b2r3/8/3P4/4K3 w - - 0 1", ["e1d1", "e1f1", "e1f2"], ["d2d3"]),
    "a pinned piece may take the pinning one": ("4k3/8/8/8/4r3/8/4R3/4K3 w - - 0 1", ["e2e4", "e2e3"], ["e2d2"]),
    "a pinned pawn may promote by taking the pinning piece": (
        "7K/8/8/8/8/2k5/3p4/4B3 b - - 0 1",
        ["d2e1q", "d2e1n"],
        ["d2d1q"],
    ),
    "the king may not step back along the line of check": ("4r3/8/8/4K3/8/8/8/k7 w - - 0 1", ["e5d5"], ["e5e4"]),
}


@pytest.mark.parametrize("name", CORNERS)
def test_rule_in_a_corner(name: str) -> None:
    fen, must, must_not = CORNERS[name]
    moves = ours(core(fen))
    assert set(must) <= set(moves) and not set(must_not) & set(moves)


@pytest.mark.parametrize("name", CORNERS)
def test_corner_beside_python_chess(name: str) -> None:
    fen = CORNERS[name][0]
    assert ours(core(fen)) == legal(chess.Board(fen, chess960=True))


def test_the_widest_known_position() -> None:
    """No game can reach a position with more than 218 moves (CPW: Chess Position)."""
    assert core("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1").count_legal() == 218


@pytest.mark.parametrize(
    "fen",
    [
        "2QQ1QQ1/Q6Q/2Q5/1Q5Q/3Q1Q2/Q6Q/2Q3Q1/1K2k3 w - - 0 1",
        "QQQ1Q1Q1/4Q3/7k/Q4Q2/3Q4/1Q4QK/2Q1Q3/Q6Q w - - 0 1",
        "1q1q1q1k/q5q1/2q1q3/7K/q4q2/3q4/1q4q1/2q1q1q1 b - - 0 1",
        "qqqqqqqq/qqqqqqq1/7k/8/8/8/8/K7 w - - 0 1",
    ],
)
def test_many_queens_of_a_board_editor(fen: str) -> None:
    """No game reaches a position with fifteen queens or more than 218 moves, but a user can set one up."""
    assert ours(core(fen)) == legal(chess.Board(fen, chess960=True))
