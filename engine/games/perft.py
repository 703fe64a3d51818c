"""Counts the leaves of the tree of legal moves (CPW: Perft)."""

from __future__ import annotations

from ..words.errors import NotationError
from .notation import move_text

TYPE_CHECKING = False  # typing itself would slow the start
if TYPE_CHECKING:
    from .notation import Board

# A deeper count does not end in a lifetime, and exceeds 64 bits.
MAX_DEPTH = 15


def perft(board: Board, depth: int) -> int:
    """Number of sequences of ``depth`` legal moves."""
    from standstill.cext.doors.walk import perft as walk

    return walk(board, checked_depth(depth))


def divide(board: Board, depth: int) -> list[tuple[str, int]]:
    """The count for each first move: a list of (move as text, count), in alphabetical order."""
    from standstill.cext.doors.walk import divide as walk

    return sorted((move_text(board, move), count) for move, count in walk(board, checked_depth(depth)))


def checked_depth(depth: int) -> int:
    if not 0 <= depth <= MAX_DEPTH:
        raise NotationError(f"expected a depth from 0 to {MAX_DEPTH}, found {depth}")
    return depth
