"""R-Mobility puzzles: they are answered by counting legal moves, so their solutions are exact.

A goal is the number of legal moves that a side leaves its opponent, and a half if the opponent is not in check. Its
code is twice that number.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...variants.notation import move_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...rmobility.goals import Goal
    from ...variants.notation import Board

MOST_FEWEST, MOST_SIDE = 2, 1  # puzzles of a game
FIRST_PLY = 16  # earlier positions are known openings
_MATE = 0
_MOST_CODE = 24  # goals above 12 moves are too hard to count in the head
_LEAST_MOVES = 4
# The least differences of two goal codes: for any puzzle, for a medium one, and for an easy one.
_LEAST_GAP, _WIDE_GAP, _WIDEST_GAP = 2, 4, 8
_EASY, _MEDIUM, _HARD = range(3)


@dataclass(frozen=True, slots=True)
class Reach:
    """The lowest goal that a side can reach with one move, and all moves that reach it."""

    code: int
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True, order=True)
class Rating:
    """The quality of a puzzle; a lower number is better. level: an index of ``LEVELS``."""

    rank: int
    level: int


def _codes(board: Board) -> dict[int, int]:
    """The code of the goal that each legal move reaches."""
    found = {}
    for move in board.legal_moves():
        board.push(move)
        found[move] = board.goal()
        board.pop()
    return found


def goals(board: Board) -> dict[str, int]:
    """The code of the goal that each legal move reaches, by the move in coordinates."""
    return {move_text(board, move): code for move, code in _codes(board).items()}


def reach(board: Board) -> Reach | None:
    """The lowest goal of the side to move; None if it has no move."""
    found = goals(board)
    if not found:
        return None
    code = min(found.values())
    return Reach(code, tuple(move for move, reached in found.items() if reached == code))


def reaches(board: Board) -> tuple[Reach, Reach] | None:
    """The lowest goals of White and of Black, each as if this side were to move.

    None if a side has no move or is in check.
    """
    if board.checkers:
        return None
    own = reach(board)
    board.push_null()
    other = None if board.checkers else reach(board)
    board.pop()
    if own is None or other is None:
        return None
    return (other, own) if board.stm else (own, other)


def rated(board: Board, played: int, record: Goal) -> tuple[Rating | None, Rating | None]:
    """The quality of the position as a puzzle of the kinds ``fewest`` and ``side``.

    None if the position makes no such puzzle.

    played: the move of the game. record: the record in force.
    """
    found = _codes(board)
    if len(found) < _LEAST_MOVES:
        return None, None
    return _fewest(board, found, played, record), _side(board, min(found.values()))


def _fewest(board: Board, found: dict[int, int], played: int, record: Goal) -> Rating | None:
    """A puzzle with one solution that the player missed and that beats the record; lower goals are better puzzles."""
    code, second = sorted(found.values())[:2]
    if not _MATE < code < min(record.code, _MOST_CODE) or second - code < _LEAST_GAP:
        return None
    best = next(move for move, reached in found.items() if reached == code)
    if best == played or _resets(board, best):
        return None
    gives_check = code % 2 == 0
    return Rating(code, _HARD if not gives_check else _EASY if second - code >= _WIDEST_GAP else _MEDIUM)


def _side(board: Board, own: int) -> Rating | None:
    """A puzzle in which both sides can leave few moves, but not the same number."""
    if board.checkers or not _MATE < own <= _MOST_CODE:
        return None
    board.push_null()
    other = min(_codes(board).values(), default=_MATE) if not board.checkers else _MATE
    board.pop()
    gap = abs(own - other)
    if not _MATE < other <= _MOST_CODE or gap < _LEAST_GAP:
        return None
    return Rating(own + other, _HARD if gap < _WIDE_GAP else _MEDIUM if gap < _WIDEST_GAP else _EASY)


def _resets(board: Board, move: int) -> bool:
    """Whether the move is a capture or a pawn move, which deletes the record."""
    board.push(move)
    resets = board.clock == 0
    board.pop()
    return bool(resets)
