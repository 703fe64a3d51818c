"""The end of a game, and how much of a variation may be shown."""

from __future__ import annotations

import pytest

from standstill.engine.play.watcher import playable_line
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.game_over import game_end
from standstill.engine.variants.notation import parse_move

SHUFFLE = "g1f3 g8f6 f3g1 f6g8"


def after(fen: str | None, moves: str = ""):
    board = new_board(fen)
    for text in moves.split():
        board.push(parse_move(board, text))
    return board


@pytest.mark.parametrize(
    ("fen", "moves", "end"),
    [
        (None, "", None),
        (None, "f2f3 e7e5 g2g4 d8h4", ("0-1", "Black mates")),
        ("7k/6Q1/5K2/8/8/8/8/8 b - - 0 1", "", ("1-0", "White mates")),
        ("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", "", ("1/2-1/2", "stalemate")),
        ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", "", ("1/2-1/2", "insufficient material")),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 100 90", "", ("1/2-1/2", "fifty-move rule")),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 99 90", "", None),
        (None, SHUFFLE, None),
        (None, f"{SHUFFLE} {SHUFFLE}", ("1/2-1/2", "threefold repetition")),
        # Mate takes precedence over the fifty-move rule.
        ("7k/6Q1/5K2/8/8/8/8/8 b - - 100 90", "", ("1-0", "White mates")),
    ],
)
def test_the_end_of_a_game(fen: str | None, moves: str, end: tuple[str, str] | None) -> None:
    assert game_end(after(fen, moves)) == end


def numbers(board, texts: str) -> list[int]:
    """The core's moves of a line that is legal as text."""
    board = board.copy()
    moves = []
    for text in texts.split():
        moves.append(parse_move(board, text))
        board.push(moves[-1])
    return moves


@pytest.mark.parametrize(
    ("fen", "moves", "line", "shown"),
    [
        (None, "", "e2e4 e7e5 g1f3", 3),
        (None, f"{SHUFFLE} g1f3 g8f6 f3g1", "f6g8 e2e4", 1),  # the third occurrence
        ("4k3/8/8/8/8/8/8/R3K3 w - - 98 90", "", "a1a2 e8e7 a2a3", 2),  # the fifty-move limit
        ("4k3/8/8/8/8/8/4p3/4KN2 w - - 0 1", "", "e1e2 e8e7 f1e3", 1),  # neither side can mate
        ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", "", "f1e3 e8e7 e3d5", 3),  # neither side can mate, not even at the root
    ],
)
def test_a_variation_ends_with_the_game(fen: str | None, moves: str, line: str, shown: int) -> None:
    board = after(fen, moves)
    key = board.key
    assert playable_line(board, numbers(board, line)) == line.split()[:shown]
    assert board.key == key


def test_a_variation_ends_before_an_illegal_move() -> None:
    board = new_board()
    e4, e5 = numbers(board, "e2e4 e7e5")
    assert playable_line(board, [e4, e4, e5]) == ["e2e4"]
