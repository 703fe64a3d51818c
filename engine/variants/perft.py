"""Counts the leaves of the tree of legal moves (Chess Programming Wiki: Perft)."""

from __future__ import annotations

from ..common.errors import NotationError, StandstillError
from .notation import move_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .notation import Board

# A deeper count would take more than a lifetime and exceed 64 bits.
MAX_DEPTH = 15
# A count that can be stopped calls the core for subtrees of this depth. Such subtrees take milliseconds, on full
# boards more.
_PIECE_DEPTH = 4


class Stopped(StandstillError):
    """The caller stopped the count."""


def perft(board: Board, depth: int) -> int:
    """Return the number of sequences of ``depth`` legal moves."""
    from standstill.cext.bindings.perft import perft as walk

    return walk(board, checked_depth(depth))


def divide(board: Board, depth: int) -> list[tuple[str, int]]:
    """Return a list of (move as text, number of leaves) for each first move, in alphabetical order."""
    from standstill.cext.bindings.perft import divide as walk

    return sorted((move_text(board, move), count) for move, count in walk(board, checked_depth(depth)))


def divide_unless(stopped: Callable[[], bool], board: Board, depth: int) -> list[tuple[str, int]]:
    """Like ``divide``, on a copy of the board. Raises Stopped soon after ``stopped`` returns true."""
    board, counts = board.copy(), []
    checked_depth(depth)
    for move in board.legal_moves():
        name = move_text(board, move)
        board.push(move)
        counts.append((name, _count(board, depth - 1, stopped)))
        board.pop()
    return sorted(counts)


def _count(board: Board, depth: int, stopped: Callable[[], bool]) -> int:
    from standstill.cext.bindings.perft import perft as walk

    if stopped():
        raise Stopped("the count was stopped")
    if depth <= _PIECE_DEPTH:
        return walk(board, depth)
    total = 0
    for move in board.legal_moves():
        board.push(move)
        total += _count(board, depth - 1, stopped)
        board.pop()
    return total


def checked_depth(depth: int) -> int:
    if not 0 <= depth <= MAX_DEPTH:
        raise NotationError(f"expected a depth from 0 to {MAX_DEPTH}, found {depth}")
    return depth
