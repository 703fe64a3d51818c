"""Describes a position and its static evaluation as text."""

from __future__ import annotations

from standstill.cext.base.constants import BLACK

from ..common.goal import goal_text
from .notation import diagram, fen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .notation import Board


def position_report(board: Board, record: tuple[int, int] | None = None) -> str:
    """Return diagram, FEN, key, checkers and goal as text. record: the record in force, (owner, code)."""
    checkers = [board.notation.square_name(sq) for sq in range(len(board.squares)) if board.checkers >> sq & 1]
    lines = [
        diagram(board),
        "",
        f"{'Black' if board.stm == BLACK else 'White'} to move",
        f"Fen: {fen(board)}",
        f"Key: {board.key:016X}",
        f"Checkers: {' '.join(checkers) or '-'}",
        f"Legal moves: {board.count_legal()}",
        # The goal belongs to the side that has just moved.
        f"Goal: {goal_text(board.goal(), board.stm ^ 1) or '-'}",
    ]
    if record is not None:
        lines.append(f"Record: {goal_text(record[1], record[0])}")
    return "\n".join(lines)


def evaluation_report(
    terms: list[tuple[str, int, int, int]], divisor: int | None, last_owner: float | None = None
) -> str:
    """Return the terms of the evaluation in centipawns, from White's point of view.

    divisor: the divisor for mating potential, already applied to the total; None if not used. last_owner: White's
    chance to hold the final record of a drawn game; None if not predicted.
    """
    width = max(len(name) for name, *_ in terms)
    rows = [f"{name:<{width}} {mid:7d} {end:7d} {tapered:7d}" for name, mid, end, tapered in terms]
    head = f"{'term':<{width}} {'mid':>7} {'end':>7} {'tapered':>7}"
    potential = [] if divisor is None else [f"mating potential divisor {divisor}"]
    if last_owner is not None:
        potential.append(f"if drawn, White holds the final record: {100 * last_owner:.0f} %")
    return "\n".join([head, *rows[:-1], "-" * len(head), rows[-1], *potential, "centipawns, White's view"])
