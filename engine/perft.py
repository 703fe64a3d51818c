"""Counting the leaves of the tree of legal moves (CPW: Perft)."""

from .errors import NotationError
from .notation import move_text

# Above this no machine ends in a lifetime, and the count would leave 64 bits.
MAX_DEPTH = 15


def perft(board, depth: int) -> int:
    """Number of sequences of ``depth`` legal moves."""
    from cext.walk import perft as walk

    return walk(board, checked_depth(depth))


def divide(board, depth: int) -> list[tuple[str, int]]:
    """The same by first move: a list of (move as text, count), in alphabetical order."""
    from cext.walk import divide as walk

    return sorted((move_text(board, move), count) for move, count in walk(board, checked_depth(depth)))


def checked_depth(depth: int) -> int:
    if not 0 <= depth <= MAX_DEPTH:
        raise NotationError(f"expected a depth from 0 to {MAX_DEPTH}, found {depth}")
    return depth
